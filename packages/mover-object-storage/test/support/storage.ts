// A storage with the interface of S3 for tests: moto, from PyPI.
import { describe } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { env } from "node:process"
import { createInterface } from "node:readline"
import { beforeAll } from "vitest"
import { encodeKey } from "../../src/key/Bucket.ts"

/** A storage that runs, and knows no users: every access key is right. */
export interface TestStorage {
  readonly url: string
}

const program = env["HEADGATE_MOTO"]

const start = () =>
  new Promise<TestStorage>((resolve, reject) => {
    const server = spawn(program ?? "", ["-H", "127.0.0.1", "-p", "0"], { stdio: ["ignore", "pipe", "pipe"] })
    process.on("exit", () => server.kill("SIGKILL"))
    server.on("error", reject)
    server.on("exit", (code) => reject(new Error(`the storage ended with ${code}`)))
    server.stdout.resume()
    // It logs each request. All of them are read, so that it does not wait.
    createInterface(server.stderr).on("line", (line) => {
      const [, url] = /Running on (http:\/\/[\d.:]+)/.exec(line) ?? []
      if (url !== undefined) resolve({ url })
    })
  })

// The files of a worker share their modules, so they share the storage, too.
let running: Promise<TestStorage> | undefined

/**
 * A suite over a storage. It is installed by `pip install "moto[server]==5.2.5"`, and named by HEADGATE_MOTO=.../moto_server.
 * Without it the suite is skipped with a message on stderr; with HEADGATE_REQUIRE_MOTO=1 it fails.
 */
export const describeStorage = (name: string, body: (storage: Effect.Effect<TestStorage>) => void): void => {
  const isInstalled = program !== undefined && existsSync(program)
  const missing = `${name}: NOT TESTED, for HEADGATE_MOTO names no moto_server`
  if (!isInstalled && env["HEADGATE_REQUIRE_MOTO"] === "1") throw new Error(missing)
  if (!isInstalled) console.error(`\n${missing}\n`)
  describe.skipIf(!isInstalled)(`${name}`, () => {
    let started: TestStorage | undefined
    beforeAll(async () => {
      started = await (running ??= start())
    })
    body(
      Effect.suspend(() =>
        started === undefined ? Effect.die("the storage has not started") : Effect.succeed(started)
      )
    )
  })
}

const answered = (request: () => Promise<Response>) =>
  Effect.promise(async () => {
    const response = await request()
    if (!response.ok) throw new Error(`the storage answered ${response.status}: ${await response.text()}`)
  })

let buckets = 0

// Objects that anyone may read; to delete one takes a user, whoever it is.
const everyone = { "x-amz-acl": "public-read" }
const someone = { authorization: "AWS someone:signature" }

/** A new bucket, and what changes it. */
export const makeBucket = Effect.fnUntraced(function* ({ url }: TestStorage) {
  buckets += 1
  const base = `${url}/bucket-${process.pid}-${buckets}`
  yield* answered(() => fetch(base, { method: "PUT" }))
  return {
    base,
    put: (key: string, body: string | Uint8Array<ArrayBuffer>) =>
      answered(() => fetch(`${base}/${encodeKey(key)}`, { method: "PUT", body, headers: everyone })),
    remove: (key: string) => answered(() => fetch(`${base}/${encodeKey(key)}`, { method: "DELETE", headers: someone }))
  }
})
