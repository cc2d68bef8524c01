import { assert, describe, it } from "@effect/vitest"
import { fixtureIds, pipeRequests } from "@headgate/conformance/fixtures"
import { cpuMicroseconds } from "@headgate/harness/processUsage"
import { NodeSqlite, Postgres } from "@headgate/sql-adapter"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { join } from "node:path"
import { describePostgres, sealingKey } from "../../../packages/sql-adapter/test/support/postgres.ts"
import { serverProcessIn, temporaryDirectory } from "./support/processes.ts"

/** The CPU time of a start over many pipes at rest is at most so many times that over few. */
const most = 3
const [few, many] = [10, 10_000]

const organizationId = fixtureIds.organizations.globex
const serviceId = fixtureIds.services.ingest

/** Stores pipes that a warehouse has and that are stopped, as a server has written them. */
const fill = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient
  yield* sql`INSERT INTO organization (id, name) VALUES (${organizationId}, 'x')`
  yield* sql`INSERT INTO service (id, organization_id, name) VALUES (${serviceId}, ${organizationId}, 'x')`
  const rows = Array.from({ length: count }, (_, index) => {
    const id = `b1be0000-0000-4000-8000-${String(index).padStart(12, "0")}`
    const document = JSON.stringify({ ...pipeRequests.kafka, id, serviceId, state: "Stopped" })
    return { id, organization_id: organizationId, service_id: serviceId, document, warehouse: "events" }
  })
  for (const some of Arr.chunksOf(rows, 500)) yield* sql`INSERT INTO pipe ${sql.insert([...some])}`
})

/** The flags and the environment of a server over a store, and the store itself. */
interface Store {
  readonly env: Record<string, string>
  readonly flags: ReadonlyArray<string>
  readonly client: Layer.Layer<SqlClient, unknown>
}

const startOver = ({ env, flags }: Store) =>
  Effect.scoped(Effect.map(serverProcessIn(env, ...flags), ({ pid }) => cpuMicroseconds(pid)))

const costsLittle = <R>(open: Effect.Effect<Store, never, R>) =>
  Effect.gen(function* () {
    const filled = (count: number) =>
      Effect.gen(function* () {
        const store = yield* open
        // The first start makes the tables.
        yield* startOver(store)
        yield* Effect.provide(fill(count), Layer.fresh(store.client))
        return store
      })
    const [small, large] = [yield* filled(few), yield* filled(many)]
    const ratios: Array<number> = []
    for (let round = 0; round < 3; round += 1) {
      const [before, after] = [yield* startOver(small), yield* startOver(large)]
      ratios.push(after / before)
    }
    console.log(
      `CPU time of a start over ${many} pipes / over ${few}: ${ratios.map((one) => one.toFixed(2)).join(" ")}`
    )
    // Another process of the machine makes one of them larger, and none smaller.
    assert.isAtMost(Math.min(...ratios), most)
  }).pipe(Effect.scoped)

describe("the start of a server over a SQLite store", () => {
  it.live("costs no more for pipes at rest", () =>
    costsLittle(
      Effect.map(temporaryDirectory, (directory): Store => {
        const client = NodeSqlite.layer({ filename: join(directory, "headgate.sqlite") })
        return { env: {}, flags: ["--data", directory], client }
      })
    )
  )
})

describePostgres("the start of a server over Postgres", (postgres) => {
  it.live("costs no more for pipes at rest", () =>
    costsLittle(
      Effect.map(
        Effect.flatMap(postgres, ({ createEmptyDatabase }) => createEmptyDatabase),
        (url): Store => {
          const env = { HEADGATE_DATABASE_URL: Redacted.value(url), HEADGATE_SEALING_KEY: Redacted.value(sealingKey) }
          return { env, flags: [], client: Postgres.layer({ url }) }
        }
      )
    )
  )
})
