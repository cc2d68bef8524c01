import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as EffectConsole from "effect/Console"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { spawn } from "node:child_process"
import { Console } from "node:console"
import { closeSync, openSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Writable } from "node:stream"
import { plainStyle, renderHelp } from "@headgate/command-line"
import packageJson from "../package.json" with { type: "json" }
import { program } from "../src/program.ts"
import { KeyringFile } from "../src/settings/Keychain.ts"
import { UserId } from "../src/settings/ProfileFile.ts"
import { WorkingDirectory } from "../src/settings/Profiles.ts"

const bin = join(import.meta.dirname, "../bin/headgate.mjs")

export const organization = "22222222-2222-4222-8222-222222222222"
export const serviceId = "11111111-1111-4111-8111-111111111111"
export const pipeId = "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"

/** A URL that refuses connections: nothing can listen on port 0. */
export const unreachable = "http://127.0.0.1:0"

/** Credentials that no output may contain. */
export const secrets = { keySecret: "hgs_s3cr3t-of-the-key", token: "hgt_s3cr3t-of-the-token" }

/** An environment with every required setting. */
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

interface RunOptions {
  /** The whole environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** Where the search for the profile of a project begins: a directory without one by default. */
  readonly cwd?: string
}

interface InProcessOptions extends RunOptions {
  readonly userId?: number
  /** The file of a package that stands for that of the keychain; without it the package is not installed. */
  readonly keyring?: string
  /** How much faster than it should the command sleeps between its requests, 1 by default. */
  readonly speed?: number
  /** How text is emphasized, `String` by default. */
  readonly strong?: (text: string) => string
}

const notInstalled = (): never => {
  throw new Error("Cannot find module")
}

/** A clock on which a second passes sooner for those who sleep. The time that it tells is the real one. */
const fasterBy =
  (speed: number) =>
  (clock: Clock.Clock): Clock.Clock => ({
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
    currentTimeMillis: clock.currentTimeMillis,
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
    currentTimeNanos: clock.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    sleep: (duration) => clock.sleep(Duration.divideUnsafe(duration, speed))
  })

const capture = () => {
  const chunks: Array<Buffer> = []
  const add = (chunk: string | Uint8Array): void => void chunks.push(Buffer.from(chunk))
  return {
    stream: new Writable({
      write: (chunk: Buffer, _, callback) => {
        add(chunk)
        callback()
      }
    }),
    sink: () => Sink.forEach((chunk: string | Uint8Array) => Effect.sync(() => add(chunk))),
    text: () => Buffer.concat(chunks).toString()
  }
}

/** Runs `headgate` without a process, which is fast, and without a terminal. */
export const headgate = async (
  args: ReadonlyArray<string>,
  {
    cwd = "/",
    env = {},
    keyring,
    speed = 1,
    stdin = "",
    strong = String,
    userId = process.getuid?.()
  }: InProcessOptions = {}
): Promise<Run> => {
  const stdout = capture()
  const stderr = capture()
  const plain = { ...plainStyle, width: Number(env["COLUMNS"]) || Infinity, strong }
  const exitCode = await program({
    args,
    version: packageJson.version,
    stdout: plain,
    stderr: plain,
    help: renderHelp
  }).pipe(
    Effect.provide([
      Stdio.layerTest({ stdin: Stream.make(Buffer.from(stdin)), stdout: stdout.sink, stderr: stderr.sink }),
      ConfigProvider.layer(ConfigProvider.fromEnv({ env }))
    ]),
    Effect.provideService(WorkingDirectory, cwd),
    Effect.provideService(UserId, userId),
    Effect.provideService(KeyringFile, keyring === undefined ? notInstalled : () => keyring),
    Effect.updateService(Clock.Clock, fasterBy(speed)),
    Effect.provideService(EffectConsole.Console, new Console(stdout.stream, stderr.stream)),
    Effect.runPromise
  )
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
}

/** Runs the built `headgate` in a process of its own: for what only a process shows, such as signals and colours. */
export const headgateProcess = (
  args: ReadonlyArray<string>,
  options: RunOptions & {
    /** Leave stdin open after writing, as a terminal does. */
    readonly keepStdinOpen?: boolean
    /** A file for stdout, or `closed` for a reader that reads nothing. Then `stdout` of the result is empty. */
    readonly stdout?: "/dev/full" | "closed"
    /** Called after the start, with a function that signals the process. */
    readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void
  } = {}
): Promise<Run> =>
  new Promise((resolve, reject) => {
    const full = options.stdout === "/dev/full" ? openSync("/dev/full", "w") : undefined
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: options.cwd ?? tmpdir(),
      env: { PATH: process.env["PATH"], ...options.env },
      stdio: ["pipe", full ?? "pipe", "pipe"]
    })
    if (full !== undefined) closeSync(full)
    const out: Array<Buffer> = []
    const err: Array<Buffer> = []
    child.stdout?.on("data", (chunk: Buffer) => out.push(chunk))
    if (options.stdout === "closed") child.stdout?.destroy()
    child.stderr?.on("data", (chunk: Buffer) => err.push(chunk))
    child.on("error", reject)
    // A command that reads no stdin may end before the write.
    child.stdin?.on("error", () => {})
    child.on("close", (exitCode) =>
      resolve({ exitCode, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() })
    )
    if (options.stdin !== undefined) child.stdin?.write(options.stdin)
    if (options.keepStdinOpen !== true) child.stdin?.end()
    options.onStart?.((signal) => child.kill(signal))
  })
