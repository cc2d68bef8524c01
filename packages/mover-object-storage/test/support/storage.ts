import { describe } from "@effect/vitest"
import { type ObjectStorage, startStorage, storageMissing } from "@headgate/harness/ObjectStorage"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { env } from "node:process"
import { beforeAll } from "vitest"
import { encodeKey } from "../../src/key/Bucket.ts"

// The files of a worker share their modules, so they share the storage, too.
let running: Promise<ObjectStorage> | undefined
const start = () => (running ??= Effect.runPromise(Scope.provide(startStorage, Scope.makeUnsafe())))

/**
 * A suite over a storage. It is installed by `pip install "moto[server]==5.2.5"`, and named by HEADGATE_MOTO=.../moto_server.
 * Without it the suite is skipped with a message on stderr; with HEADGATE_REQUIRE_MOTO=1 it fails.
 */
export const describeStorage = (name: string, body: (storage: Effect.Effect<ObjectStorage>) => void): void => {
  const reason = storageMissing()
  const missing = `${name}: NOT TESTED, for ${reason}`
  if (reason !== undefined && env["HEADGATE_REQUIRE_MOTO"] === "1") throw new Error(missing)
  if (reason !== undefined) console.error(`\n${missing}\n`)
  describe.skipIf(reason !== undefined)(`${name}`, () => {
    let started: ObjectStorage | undefined
    beforeAll(async () => {
      started = await start()
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
export const makeBucket = Effect.fnUntraced(function* ({ url }: ObjectStorage) {
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
