import { assert, describe, it } from "@effect/vitest"
import { pipeRequests } from "@headgate/conformance/fixtures"
import {
  OrganizationId,
  PipeCreate,
  Pipes,
  type PortError,
  ReversePrivateEndpoints,
  ServiceId,
  Snapshots
} from "@headgate/core"
import { decodeRequest, StoredServices } from "@headgate/core/adapter"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { SqlAdapter, type SqlPorts } from "../src/index.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"

const organizationId = OrganizationId.make("0a0b0c0d-0000-4000-8000-000000000001")
const serviceId = ServiceId.make("5e000000-0000-4000-8000-000000000001")
const address = { organizationId, serviceId }

const imported = Snapshots.use((snapshots) =>
  snapshots.import({ organizations: [{ id: organizationId, name: "x", services: [{ id: serviceId, name: "x" }] }] })
)
const remove = StoredServices.use((stored) => stored.remove(address))

/** The creations under a service, by table. */
const creations: Readonly<Record<string, Effect.Effect<void, PortError, SqlPorts>>> = {
  pipe: Effect.gen(function* () {
    const request = yield* decodeRequest(PipeCreate)(pipeRequests.kafka)
    yield* Pipes.use((pipes) => pipes.create(address, request))
  }),
  reverse_private_endpoint: ReversePrivateEndpoints.use((endpoints) =>
    Effect.asVoid(
      endpoints.create(address, {
        description: "x",
        type: "VPC_ENDPOINT_SERVICE",
        vpcEndpointServiceName: "vpce-svc"
      })
    )
  )
}

const notFound = <A, E extends { readonly _tag: string }, R>(create: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(create), ({ _tag }) => assert.strictEqual(_tag, "ServiceNotFound"))

describe("a service that is removed, over SQLite", () => {
  for (const [table, create] of Object.entries(creations)) {
    it.live(`takes no creation of ${table} that began before the removal`, () =>
      Effect.gen(function* () {
        yield* imported
        // SQLite has one writer: the removal runs first, in the group of writes that both join.
        const [, creation] = yield* Effect.all([remove, Effect.exit(create)], { concurrency: "unbounded" })
        yield* notFound(creation)
      }).pipe(Effect.provide(Layer.fresh(SqlAdapter.layerSqlite({ filename: ":memory:" }))))
    )
  }
})

describePostgres("a service that is removed, over Postgres", (postgres) => {
  const inServer = <A, E>(effect: Effect.Effect<A, E, SqlPorts | SqlClient.SqlClient>) =>
    Effect.gen(function* () {
      const { lendDatabase } = yield* postgres
      const url = yield* lendDatabase
      return yield* Effect.provide(effect, Layer.fresh(SqlAdapter.layerPostgres({ url, sealingKey })))
    }).pipe(Effect.scoped)

  for (const [table, create] of Object.entries(creations)) {
    it.live(`takes no creation of ${table} that waits for the removal`, () =>
      inServer(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* imported
          const waits = Effect.map(
            sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
            (waiting) => waiting.length > 0
          )
          const isRemoved = yield* Deferred.make<void>()
          const isWaiting = yield* Deferred.make<void>()
          const uncommitted = Effect.gen(function* () {
            yield* remove
            yield* Deferred.succeed(isRemoved, undefined)
            yield* Deferred.await(isWaiting)
          })
          const removal = yield* Effect.forkChild(sql.withTransaction(uncommitted))
          yield* Deferred.await(isRemoved)
          const creation = yield* Effect.forkChild(create)
          yield* Effect.repeat(waits, { until: (some) => some, schedule: Schedule.spaced("20 millis") })
          yield* Deferred.succeed(isWaiting, undefined)
          yield* Fiber.join(removal)
          yield* notFound(Fiber.join(creation))
        })
      )
    )
  }
})
