// Opens the SQLite file given, creates keys on 32 fibers until it is killed, and prints the id of each created key.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { fixtureIds } from "@headgate/conformance/fixtures"
import { ApiKeys } from "@headgate/core"
import { OrganizationLimits, organizationUsage } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { argv } from "node:process"
import { SqlAdapter } from "../../src/index.ts"
import { importOrganizations } from "../support/importOrganizations.ts"

const [filename = ""] = argv.slice(2)
const { acme } = fixtureIds.organizations

const createKeys = Effect.gen(function* () {
  const keys = yield* ApiKeys
  yield* importOrganizations(acme)
  const createNext = Effect.suspend(() => keys.create({ organizationId: acme }, { name: "key" })).pipe(
    // Synchronous, so that a SIGKILL cannot lose an id whose key was acknowledged.
    Effect.tap(({ key }) => Effect.sync(() => writeSync(1, `${key.id}\n`)))
  )
  yield* Effect.forEach(
    Array.from({ length: 32 }, () => Effect.forever(createNext)),
    (each) => each,
    { concurrency: "unbounded" }
  )
})

NodeRuntime.runMain(
  createKeys.pipe(
    Effect.provide(SqlAdapter.layerSqlite({ filename })),
    Effect.provideService(OrganizationLimits, organizationUsage(Infinity))
  )
)
