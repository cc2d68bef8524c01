// Opens the SQLite file given, creates keys on 32 fibers until it is killed, and prints the id of each created key.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ApiKeys, OrganizationId } from "@headgate/core"
import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import { writeSync } from "node:fs"
import { argv } from "node:process"
import { SqlAdapter } from "../../src/index.ts"

const [filename = ""] = argv.slice(2)

const createKeys = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const createNext = Effect.suspend(() => keys.create(OrganizationId.make(randomUUID()), { name: "key" })).pipe(
    // Synchronous, so that a SIGKILL cannot lose an id whose key was acknowledged.
    Effect.tap(({ key }) => Effect.sync(() => writeSync(1, `${key.id}\n`)))
  )
  yield* Effect.forEach(
    Array.from({ length: 32 }, () => Effect.forever(createNext)),
    (each) => each,
    { concurrency: "unbounded" }
  )
})

NodeRuntime.runMain(Effect.provide(createKeys, SqlAdapter.layerSqlite({ filename })))
