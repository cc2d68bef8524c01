import { CdcReplicaSize, OrganizationId, Service, type ServiceAddress } from "@headgate/core"
import { checkServiceRuns, type KindRecords, nextServiceState, notFound, ServiceState } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Fragment } from "effect/sql/Statement"
import { orServerError } from "../internal/outage.ts"
import { makeStepDue, nowColumn } from "../internal/storeClock.ts"
import { forUpdate } from "../internal/transaction.ts"

/**
 * A row of the table `service`. `due` is when the service goes from `state` to the next one, in milliseconds since 1970; NULL: it stays.
 * `now` is the time of the database by {@link nowColumn}.
 */
const ServiceRow = Schema.Struct({
  organizationId: OrganizationId,
  document: Schema.fromJsonString(Service),
  state: ServiceState,
  due: Schema.NullOr(Schema.Number),
  now: Schema.NullOr(Schema.Number),
  cdcScaling: Schema.NullOr(Schema.fromJsonString(CdcReplicaSize))
})

type StateColumns = Pick<typeof ServiceRow.Type, "state" | "due" | "now">

// The cast is for Postgres, whose driver reads a BIGINT as text.
const stateColumns = (sql: SqlClient.SqlClient): Fragment =>
  sql`state, CAST(due_at AS DOUBLE PRECISION) AS due, ${nowColumn(sql)}`

/** The state of now. `clock` counts where the database has none. */
const stateOf = ({ due, now, state }: StateColumns, clock: number): ServiceState =>
  due === null || due > (now ?? clock) ? state : (nextServiceState(state) ?? state)

/** The service with its state of now. `clock` counts where the database has none. */
const toServiceRecord = (row: typeof ServiceRow.Type, clock: number): KindRecords["services"] => ({
  organizationId: row.organizationId,
  service: {
    ...row.document,
    state: stateOf(row, clock)
  },
  ...(row.cdcScaling === null ? {} : { cdcScaling: row.cdcScaling })
})

/** Selects services as they are now; `rest` follows `FROM service`. */
export const makeSelectServices = (sql: SqlClient.SqlClient) => {
  const select = SqlSchema.findAll({
    Request: Schema.Any,
    Result: ServiceRow,
    execute: (rest) => sql`
      SELECT organization_id AS "organizationId", document, cdc_scaling AS "cdcScaling", ${stateColumns(sql)}
      FROM service ${rest}`
  })
  return Effect.fnUntraced(function* (rest: Fragment) {
    const rows = yield* select(rest)
    const clock = yield* Clock.currentTimeMillis
    return rows.map((row) => toServiceRecord(row, clock))
  })
}

/** When a service that enters the state now leaves it again. */
const makeDueAt = (sql: SqlClient.SqlClient) => {
  const stepDue = makeStepDue(sql)
  return (state: ServiceState) => (nextServiceState(state) === undefined ? Effect.succeed(null) : stepDue)
}

/** The size of the replica of database pipes as it is stored. */
export const encodeCdcReplicaSize = Schema.encodeEffect(Schema.fromJsonString(CdcReplicaSize))
const encodeService = Schema.encodeEffect(Schema.fromJsonString(Service))

/** Inserts a service unless its id is taken. Returns whether it inserted the service. */
export const makeInsertService = (sql: SqlClient.SqlClient) => {
  const dueAt = makeDueAt(sql)
  return Effect.fnUntraced(function* ({ cdcScaling, organizationId, service }: KindRecords["services"]) {
    const { id, name, state } = service
    const document = yield* encodeService(service)
    const size = cdcScaling === undefined ? null : yield* encodeCdcReplicaSize(cdcScaling)
    const inserted = yield* sql`
      INSERT INTO service (id, organization_id, name, document, state, due_at, cdc_scaling)
      VALUES (${id}, ${organizationId}, ${name}, ${document}, ${state}, ${yield* dueAt(state)}, ${size})
      ON CONFLICT (id) DO NOTHING RETURNING id`
    return inserted.length > 0
  })
}

/** Stores the state that a service enters now. */
export const makeUpdateState = (sql: SqlClient.SqlClient) => {
  const dueAt = makeDueAt(sql)
  return Effect.fnUntraced(function* ({ serviceId }: ServiceAddress, state: ServiceState) {
    yield* sql`UPDATE service SET state = ${state}, due_at = ${yield* dueAt(state)} WHERE id = ${serviceId}`
  })
}

const atAddress = (sql: SqlClient.SqlClient, { organizationId, serviceId }: ServiceAddress) =>
  sql`WHERE id = ${serviceId} AND organization_id = ${organizationId}`

/** Reads a service as it is now; `undefined` if the organization has none at the address. */
export const makeFindService = (sql: SqlClient.SqlClient) => {
  const select = makeSelectServices(sql)
  return (address: ServiceAddress, lock: Fragment = sql``) =>
    Effect.map(select(sql`${atAddress(sql, address)} ${lock}`), ([record]) => record)
}

/** {@link makeFindService} for a transaction that changes the service: in Postgres, others that do so wait for it. */
export const makeLockService = (sql: SqlClient.SqlClient) => {
  const find = makeFindService(sql)
  return Effect.fnUntraced(function* (address: ServiceAddress) {
    return (yield* find(address, forUpdate(sql))) ?? (yield* notFound("ServiceNotFound", address))
  })
}

/** Fails unless the organization has the service. */
export const makeRequireService = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (address: ServiceAddress) {
    const found = yield* orServerError(sql`SELECT id FROM service ${atAddress(sql, address)}`)
    if (found.length === 0) return yield* notFound("ServiceNotFound", address)
  })

/**
 * Fails with `missing` if the organization has no such service, and with `FailedDependency` unless the service runs. Every
 * write under a service begins with it, in its own transaction. A creation locks the service: in Postgres, its removal waits.
 */
export const makeRequireRunning = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* <E>(address: ServiceAddress, missing: () => E, lock: Fragment = sql``) {
    // Not the document, which would be decoded for nothing.
    const [row] = yield* sql<StateColumns>`SELECT ${stateColumns(sql)} FROM service ${atAddress(sql, address)} ${lock}`
    if (row === undefined) return yield* Effect.fail(missing())
    yield* checkServiceRuns(stateOf(row, yield* Clock.currentTimeMillis))
  })
