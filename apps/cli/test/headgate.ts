import { spawn } from "node:child_process"
import { join } from "node:path"

const bin = join(import.meta.dirname, "../bin/headgate.mjs")

export const organization = "22222222-2222-4222-8222-222222222222"
export const serviceId = "11111111-1111-4111-8111-111111111111"
export const pipeId = "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"

/** Credentials that no output may hold. */
export const secrets = { keySecret: "hgs_s3cr3t-of-the-key", token: "hgt_s3cr3t-of-the-token" }

/** The environment of an operator who has set everything. */
export const everything = (url: string): Record<string, string> => ({
  HEADGATE_URL: url,
  HEADGATE_ORGANIZATION: organization,
  HEADGATE_SERVICE: serviceId,
  HEADGATE_KEY_ID: "keyOfTheTests",
  HEADGATE_KEY_SECRET: secrets.keySecret,
  HEADGATE_TOKEN: secrets.token
})

export interface Run {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built `headgate` as its users do: a process of its own, with the environment that is given and no other. */
export const headgate = (
  args: ReadonlyArray<string>,
  options: {
    readonly env?: Readonly<Record<string, string>>
    readonly stdin?: string
    /** Leave stdin open after what was written, as a terminal or a slow producer does. */
    readonly keepStdinOpen?: boolean
    /** Called with what stops the process, as soon as it runs. */
    readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void
  } = {}
): Promise<Run> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { env: { PATH: process.env["PATH"], ...options.env } })
    const out: Array<Buffer> = []
    const err: Array<Buffer> = []
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk))
    child.on("error", reject)
    // A command that needs no stdin may be gone before it is written.
    child.stdin.on("error", () => {})
    child.on("close", (exitCode) =>
      resolve({ exitCode, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() })
    )
    if (options.stdin !== undefined) child.stdin.write(options.stdin)
    if (options.keepStdinOpen !== true) child.stdin.end()
    options.onStart?.((signal) => child.kill(signal))
  })
