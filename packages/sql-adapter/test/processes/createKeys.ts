// Opens the given store at the given time, creates keys, and prints how many it could create.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { ApiKeys, OrganizationId } from "@headgate/core"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { argv } from "node:process"
import { importOrganizations } from "../support/importOrganizations.ts"
import { openStore } from "./openStore.ts"

const [store = "", organizationId = "", start = "0", count = "0"] = argv.slice(2)

const createKeys = Effect.gen(function* () {
  const keys = yield* ApiKeys
  yield* importOrganizations(OrganizationId.make(organizationId))
  const outcomes = yield* Effect.forEach(
    Array.from({ length: Number(count) }),
    (_, n) =>
      keys.create({ organizationId: OrganizationId.make(organizationId) }, { name: `key ${n}` }).pipe(
        Effect.as(1),
        Effect.catchTag("Conflict", () => Effect.succeed(0))
      ),
    { concurrency: 4 }
  )
  yield* Console.log(outcomes.reduce((sum: number, created) => sum + created, 0))
})

Clock.currentTimeMillis.pipe(
  Effect.flatMap((now) => Effect.sleep(Math.max(0, Number(start) - now))),
  Effect.andThen(Effect.provide(createKeys, openStore(store))),
  NodeRuntime.runMain
)
