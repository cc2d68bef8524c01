import { type CallError, OrganizationId, Pipe, type PipeAddress, type PipeNotFound } from "@headgate/core"
import {
  checkVersion,
  forwardSteps,
  largestClockCorrection,
  notFound,
  type PipeChange,
  pipeChanges,
  PipeCredentials,
  type PipeEventCause,
  pipeLifecycle,
  PipeProgress,
  type PipeRecord,
  PipeSimulation,
  StepLength,
  type TransitionTime,
  withVersion
} from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"
import type { Fragment } from "effect/sql/Statement"
import { makeCheckBytes } from "../internal/checkLimits.ts"
import { orServerError } from "../internal/outage.ts"
import { nowColumn } from "../internal/storeClock.ts"
import { makePointRead } from "../internal/pointRead.ts"
import { forUpdate, writeTransaction } from "../internal/transaction.ts"
import { makeRequireRunning } from "../service/ServiceRow.ts"
import { makeAddEvents } from "./sqlPipeEvents.ts"

/** A stored pipe as text. Its steps are due by `now`, or by the `Clock` of this process where the database has no clock. */
export interface PipeRow {
  readonly id: string
  readonly document: string
  readonly version: number
  /** When its next step is due. */
  readonly due: number | null
  readonly now: number | null
}

/** The columns of {@link PipeRow}. */
export const pipeColumns = (sql: SqlClient.SqlClient): Fragment => sql`id, document, version, due, ${nowColumn(sql)}`

const RecordRow = Schema.Struct({
  organizationId: OrganizationId,
  document: Schema.fromJsonString(Pipe),
  progress: Schema.NullOr(Schema.fromJsonString(PipeProgress)),
  credentials: Schema.NullOr(Schema.fromJsonString(PipeCredentials)),
  warehouse: Schema.NullOr(Schema.String),
  version: Schema.Int,
  now: Schema.NullOr(Schema.Finite)
})

/** A pipe with its due steps applied, and what is stored of it. */
interface HeldPipe {
  readonly organizationId: OrganizationId
  readonly record: PipeRecord
  readonly stored: PipeRecord
  readonly version: number
  readonly now: number
}

/** Steps by time. */
const bySimulation: PipeEventCause = { by: "simulation" }

/** Reads the pipes that match a condition, with their due steps applied. `lock` follows the order. */
export const makeSelectRecords = (sql: SqlClient.SqlClient) => {
  const select = SqlSchema.findAll({
    Request: Schema.Struct({ condition: Schema.Any, lock: Schema.Any }),
    Result: RecordRow,
    execute: ({ condition, lock }) => sql`
      SELECT organization_id AS "organizationId", document, progress, credentials, warehouse, version, ${nowColumn(sql)} FROM pipe WHERE ${condition} ORDER BY seq ${lock}`
  })
  return Effect.fnUntraced(function* (condition: Fragment, lock: Fragment = sql``) {
    const rows = yield* select({ condition, lock })
    const clock = yield* Clock.currentTimeMillis
    return rows.map(({ credentials, document, now, organizationId, progress, version, warehouse }): HeldPipe => {
      const stored: PipeRecord = {
        pipe: document,
        progress: progress ?? undefined,
        credentials: credentials ?? undefined,
        warehouse: warehouse ?? undefined
      }
      return { organizationId, record: pipeLifecycle.advance(stored, now ?? clock), stored, version, now: now ?? clock }
    })
  })
}

/** The condition of one pipe. */
export const atAddress = (sql: SqlClient.SqlClient, { organizationId, pipeId, serviceId }: PipeAddress): Fragment =>
  sql`id = ${pipeId} AND service_id = ${serviceId} AND organization_id = ${organizationId}`

/** {@link makeSelectRecords} for a transaction that writes. All rows are locked before the first is written: no deadlock. */
export const makeLockPipes = (sql: SqlClient.SqlClient) => {
  const select = makeSelectRecords(sql)
  return (condition: Fragment) => select(condition, forUpdate(sql))
}

const encodePipe = Schema.encodeEffect(Schema.fromJsonString(Pipe))
const encodeCredentials = Schema.encodeEffect(Schema.NullOr(Schema.fromJsonString(PipeCredentials)))
const encodeProgress = Schema.encodeEffect(Schema.NullOr(Schema.fromJsonString(PipeProgress)))

/** The columns `document`, `progress`, `due` and `credentials` of a pipe. */
const encodeRecord = Effect.fnUntraced(function* (record: PipeRecord) {
  return {
    document: yield* encodePipe(record.pipe),
    progress: yield* encodeProgress(record.progress ?? null),
    due: pipeLifecycle.dueOf(record) ?? null,
    credentials: yield* encodeCredentials(record.credentials ?? null)
  }
})

/**
 * Inserts a pipe unless its id is taken. `by`: who creates it; absent for an import, which is no event. Returns whether it inserted the
 * pipe.
 */
export const makeInsertPipe = (sql: SqlClient.SqlClient) => {
  const addEvents = makeAddEvents(sql)
  return Effect.fnUntraced(function* (organizationId: OrganizationId, record: PipeRecord, by?: PipeEventCause) {
    const { credentials, document, due, progress } = yield* encodeRecord(record)
    const inserted = yield* sql`
      INSERT INTO pipe (id, organization_id, service_id, document, progress, due, credentials, warehouse)
      VALUES (${record.pipe.id}, ${organizationId}, ${record.pipe.serviceId}, ${document}, ${progress}, ${due}, ${credentials},
        ${record.warehouse ?? null})
      ON CONFLICT (id) DO NOTHING RETURNING id`
    if (inserted.length === 0) return false
    if (by !== undefined) yield* addEvents(undefined, record, record.progress?.since ?? 0, by)
    return true
  })
}

/** Stores a pipe that has changed, without events, and returns its document. */
const makeUpdate = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (record: PipeRecord, version: number) {
    const { credentials, document, due, progress } = yield* encodeRecord(record)
    yield* sql`
      UPDATE pipe SET document = ${document}, progress = ${progress}, due = ${due}, credentials = ${credentials},
        version = ${version}, warehouse = ${record.warehouse ?? null}
      WHERE id = ${record.pipe.id}`
    return document
  })

/** Stores a pipe that was locked and has changed, with the events of the change, and returns its document. */
export const makeStoreChange = (sql: SqlClient.SqlClient) => {
  const update = makeUpdate(sql)
  const addEvents = makeAddEvents(sql)
  return Effect.fnUntraced(function* (
    { now, stored }: HeldPipe,
    changed: PipeRecord,
    version: number,
    cause: PipeEventCause
  ) {
    const document = yield* update(changed, version)
    yield* addEvents(stored, changed, now, cause)
    return document
  })
}

/** Replaces the rows whose steps are due by rows with these steps applied, and stores them. Costs nothing if none is due. */
export const makeCurrentRows = (sql: SqlClient.SqlClient) => {
  const lockPipes = makeLockPipes(sql)
  const storeChange = makeStoreChange(sql)
  const applySteps = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const applied = new Map<string, Pick<PipeRow, "document" | "version">>()
    for (const held of yield* lockPipes(sql`id IN ${sql.in(ids)}`)) {
      const { record, stored, version } = held
      // Another reader may have applied them meanwhile.
      const document =
        record === stored ? yield* encodePipe(record.pipe) : yield* storeChange(held, record, version, bySimulation)
      applied.set(record.pipe.id, { document, version })
    }
    return applied
  })
  return Effect.fnUntraced(function* (rows: ReadonlyArray<PipeRow>) {
    if (rows.every(({ due }) => due === null)) return rows
    const clock = yield* Clock.currentTimeMillis
    // A step that began before the clock was set back is further ahead.
    const furthest = largestClockCorrection + Duration.toMillis(yield* StepLength)
    const ids = rows.flatMap(({ due, id, now }) => {
      if (due === null) return []
      const ahead = due - (now ?? clock)
      return ahead <= 0 || ahead > furthest ? [id] : []
    })
    if (ids.length === 0) return rows
    const applied = yield* orServerError(writeTransaction(sql)(applySteps(ids)))
    return rows.map((row): PipeRow => ({ ...row, ...applied.get(row.id) }))
  })
}

/** Reads a pipe with its version and how it goes on, with its due steps applied. They are not stored. */
export const makeReadRecord = (sql: SqlClient.SqlClient) => {
  const select = makeSelectRecords(sql)
  return Effect.fnUntraced(function* (address: PipeAddress) {
    const [found] = yield* orServerError(select(atAddress(sql, address)))
    if (found === undefined) return yield* notFound("PipeNotFound", address)
    const record: PipeRecord = { ...found.record, pipe: withVersion({ ...found.record.pipe }, found.version) }
    return record
  })
}

/** Reads the row of a pipe, with its due steps applied. */
export const makeReadPipe = (sql: SqlClient.SqlClient) => {
  const read = makePointRead(
    sql,
    (pipeId: string, serviceId: string, organizationId: string) => sql<PipeRow>`
      SELECT ${pipeColumns(sql)} FROM pipe
      WHERE id = ${pipeId} AND service_id = ${serviceId} AND organization_id = ${organizationId}`
  )
  const currentRows = makeCurrentRows(sql)
  // Without a generator: most requests read a pipe.
  return (address: PipeAddress): Effect.Effect<PipeRow, PipeNotFound | CallError> =>
    Effect.flatMap(
      orServerError(read(address.pipeId, address.serviceId, address.organizationId)),
      (row): Effect.Effect<PipeRow, PipeNotFound | CallError> => {
        if (row === undefined) return Effect.fail(notFound("PipeNotFound", address))
        return row.due === null ? Effect.succeed(row) : Effect.map(currentRows([row]), ([current = row]) => current)
      }
    )
}

/** A change of what is stored of a pipe, whose due steps are applied. Its secrets are sealed. */
type StoredChange<E> = (stored: PipeRecord, start: TransitionTime) => Effect.Effect<PipeRecord, E>

/** A change that uses no secret. */
export const sealedChange =
  <E>(change: PipeChange<E>): StoredChange<E> =>
  (stored, start) =>
    Effect.fromResult(change(stored, start))

/**
 * Changes a pipe, in the transaction of the caller. `counted`: as a caller's change, with a new version. `cause`: of its events.
 * `limited`: a document that grows counts against the limit of the organization. Returns the pipe as it is stored, with its version.
 */
const makeChange = (sql: SqlClient.SqlClient, counted: 0 | 1, cause: PipeEventCause) => {
  const lockPipes = makeLockPipes(sql)
  const storeChange = makeStoreChange(sql)
  const checkBytes = makeCheckBytes(sql)
  return Effect.fnUntraced(function* <E>(address: PipeAddress, change: StoredChange<E>, limited = false) {
    const [held] = yield* lockPipes(atAddress(sql, address))
    if (held === undefined) return yield* notFound("PipeNotFound", address)
    const { record, now, version } = held
    yield* checkVersion(version)
    const result = yield* change(record, { now, stepLength: yield* StepLength })
    if (result === record) return withVersion(record.pipe, version)
    const document = yield* storeChange(held, result, version + counted, cause)
    if (limited && document.length > (yield* encodePipe(record.pipe)).length) yield* checkBytes(address.organizationId)
    return withVersion(result.pipe, version + counted)
  })
}

/**
 * Changes a pipe of a running service for a caller, in one transaction. `limited`: as for `makeChange`. Returns the pipe as it is
 * stored, with its version.
 */
export const makeChangePipe = (sql: SqlClient.SqlClient) => {
  const changePipe = makeChange(sql, 1, { by: "caller" })
  const requireRunning = makeRequireRunning(sql)
  return <E>(address: PipeAddress, change: StoredChange<E>, limited = true) =>
    orServerError(
      writeTransaction(sql)(
        Effect.andThen(
          requireRunning(address, () => notFound("PipeNotFound", address)),
          changePipe(address, change, limited)
        )
      )
    )
}

/** The `PipeSimulation` port over SQL. */
export const layerSimulation: Layer.Layer<PipeSimulation, never, SqlClient.SqlClient> = Layer.effect(
  PipeSimulation,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const changePipe = makeChange(sql, 0, bySimulation)
    const lockPipes = makeLockPipes(sql)
    const update = makeUpdate(sql)
    const forward = Effect.fnUntraced(function* (duration: Duration.Duration) {
      for (const { stored, version } of yield* lockPipes(sql`due IS NOT NULL`)) {
        yield* update(forwardSteps(stored, Duration.toMillis(duration)), version)
      }
      const millis = Math.floor(Duration.toMillis(duration))
      for (const table of ["service", "reverse_private_endpoint"]) {
        yield* sql`UPDATE ${sql(table)} SET due_at = due_at - ${millis} WHERE due_at IS NOT NULL`
      }
    })
    return PipeSimulation.of({
      hold: (address, state, message) =>
        Effect.asVoid(
          orServerError(writeTransaction(sql)(changePipe(address, sealedChange(pipeChanges.hold(state, message)))))
        ),
      forward: (duration) => orServerError(writeTransaction(sql)(forward(duration)))
    })
  })
)
