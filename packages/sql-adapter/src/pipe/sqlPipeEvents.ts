import { PipeId } from "@headgate/core"
import { CallingKey, type PipeEventCause, pipeEvents, type PipeRecord, StoredPipeEvent } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlSchema from "effect/sql/SqlSchema"

const StoredEvent = Schema.fromJsonString(StoredPipeEvent)
const encodeEvent = Schema.encodeEffect(StoredEvent)

/** The `position` is cast, because Postgres's driver reads a BIGINT as a `bigint`. */
const EventRow = Schema.Struct({ position: Schema.Int, document: StoredEvent })

const decodeName = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ name: Schema.String })))

/** Reads the key of the call with its name of this moment, in the transaction of the caller; `undefined`: there is none. */
const makeReadKey = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const id = yield* CallingKey
    if (id === undefined) return undefined
    const [row] = yield* sql<{ readonly document: string }>`SELECT document FROM api_key WHERE id = ${id}`
    const named = Option.getOrUndefined(decodeName(row?.document))
    return { id, ...named }
  })

/**
 * Writes down the events of a change of a pipe, in the transaction of the change, which has locked or inserted the pipe: no other
 * writer gives a position. `before`, `after` and `now` are as for `pipeEvents.of`. What a pipe has beyond its last events is deleted, so
 * that the rows of a pipe are bounded and each write costs the same.
 */
export const makeAddEvents = (sql: SqlClient.SqlClient) => {
  const readKey = makeReadKey(sql)
  const larger = sql.onDialectOrElse({ pg: () => sql.literal("GREATEST"), orElse: () => sql.literal("max") })
  const insert = (pipeId: PipeId, at: number, document: string) => sql`
    INSERT INTO pipe_event (pipe_id, position, at, document)
    SELECT ${pipeId}, COALESCE(MAX(position), 0) + 1, ${at}, ${document} FROM pipe_event WHERE pipe_id = ${pipeId}`
  // Positions rise with time, but where the clock was set back: those before the oldest that is answered are not answered either.
  const deleteOld = (pipeId: PipeId, oldest: number) => sql`
    DELETE FROM pipe_event WHERE pipe_id = ${pipeId} AND position < ${larger}(
      COALESCE((SELECT position FROM pipe_event WHERE pipe_id = ${pipeId} AND at >= ${oldest} ORDER BY position LIMIT 1), 0),
      (SELECT MAX(position) FROM pipe_event WHERE pipe_id = ${pipeId}) - ${pipeEvents.mostKept - 1})`
  return Effect.fnUntraced(function* (
    before: PipeRecord | undefined,
    after: PipeRecord,
    now: number,
    cause: PipeEventCause
  ) {
    const events = pipeEvents.of(before, after, now, cause)
    if (events.length === 0) return
    const { id } = after.pipe
    for (const event of events) {
      const key = event.by === "caller" ? yield* readKey : undefined
      yield* insert(id, event.at, yield* encodeEvent({ ...event, ...(key === undefined ? {} : { key }) }))
    }
    yield* deleteOld(id, now - pipeEvents.keptMillis)
  })
}

/** Reads the events of a pipe that was found, the newest first. `now`: milliseconds since 1970. */
export const makeReadEvents = (sql: SqlClient.SqlClient) => {
  const select = SqlSchema.findAll({
    Request: Schema.Struct({ pipeId: PipeId, before: Schema.Int, limit: Schema.Int, oldest: Schema.Finite }),
    Result: EventRow,
    execute: ({ before, limit, oldest, pipeId }) => sql`
      SELECT CAST(position AS DOUBLE PRECISION) AS position, document FROM pipe_event
      WHERE pipe_id = ${pipeId} AND position < ${before} AND at >= ${oldest} ORDER BY position DESC LIMIT ${limit}`
  })
  return (pipeId: PipeId, page: { readonly before: number; readonly limit: number }, now: number) =>
    Effect.map(select({ pipeId, ...page, oldest: now - pipeEvents.keptMillis }), (rows) =>
      rows.map(({ document, position }) => pipeEvents.answered(position, document))
    )
}
