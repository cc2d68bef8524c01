// A storage with the interface of S3 for tests: moto, from PyPI.
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { env } from "node:process"
import { createInterface } from "node:readline"

/** A storage that runs, and knows no users: every access key is right. */
export interface ObjectStorage {
  readonly url: string
}

const program = env["HEADGATE_MOTO"]

/** Why no storage can be started on this machine, and what to do; `undefined` if one can. */
export const storageMissing = (): string | undefined =>
  program !== undefined && existsSync(program)
    ? undefined
    : 'HEADGATE_MOTO names no moto_server (pip install "moto[server]==5.2.5")'

// The storage runs until the shell's standard input ends, so until the process that started it ends, however it ends.
const untilInputEnds = `"$@" & read -r _; kill -KILL $!`

const start = () =>
  new Promise<ObjectStorage & { readonly stop: () => void }>((resolve, reject) => {
    const server = spawn("sh", ["-c", untilInputEnds, "sh", program ?? "", "-H", "127.0.0.1", "-p", "0"], {
      stdio: ["pipe", "ignore", "pipe"]
    })
    server.on("error", reject)
    server.on("exit", (code) => reject(new Error(`the storage ended with ${code}`)))
    // It logs each request. All of them are read, so that it does not wait.
    createInterface(server.stderr).on("line", (line) => {
      const [, url] = /Running on (http:\/\/[\d.:]+)/.exec(line) ?? []
      if (url !== undefined) resolve({ url, stop: () => void server.stdin.end() })
    })
  })

/** Starts a storage; it ends with the scope. */
export const startStorage = Effect.acquireRelease(Effect.promise(start), ({ stop }) => Effect.sync(stop))
