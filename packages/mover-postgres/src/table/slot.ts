import { CannotContinue, type Position } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Client } from "pg"
import type { PostgresOptions } from "../options/PostgresOptions.ts"
import { lsnOf, lsnText, progressOf } from "../protocol/lsn.ts"
import { PostgresFailure, query } from "../protocol/Connection.ts"
import { quoteIdentifier } from "../protocol/quote.ts"
import { notPermitted } from "./publication.ts"

interface SlotRow {
  readonly plugin: string
  readonly isHere: boolean
  readonly pid: number | null
  readonly confirmed: string | null
  readonly walStatus: string | null
}

const slotSql = `
  SELECT plugin::text, database = current_database() AS "isHere", active_pid AS pid,
    confirmed_flush_lsn::text AS confirmed, wal_status AS "walStatus"
  FROM pg_replication_slots WHERE slot_name = $1`

const findSlot = (client: Client, name: string) => Effect.map(query<SlotRow>(client, slotSql, [name]), ([row]) => row)

/** Postgres's code for something that another connection uses. */
const objectInUse = "55006"

const stillUsed = (name: string) =>
  new PostgresFailure({ code: objectInUse, message: `the slot ${name} is still used by another connection` })

/** Tries for five seconds while another connection uses the slot. */
const whileUsed = <A, E>(attempt: Effect.Effect<A, E | PostgresFailure>) =>
  Effect.retry(attempt, {
    schedule: Schedule.spaced("100 millis"),
    times: 50,
    while: (error) => error instanceof PostgresFailure && error.code === objectInUse
  })

/** Ends the connection that uses a slot: it is an earlier mover's, since this one owns the pipe. */
const endUser = Effect.fnUntraced(function* (client: Client, name: string) {
  const pid = (yield* findSlot(client, name))?.pid ?? undefined
  if (pid === undefined) return
  yield* query(client, "SELECT pg_terminate_backend($1)", [pid])
  return yield* stillUsed(name)
})

const freeSlot = (client: Client, name: string) => whileUsed(endUser(client, name))

/** Drops a slot, also one that is in use. */
export const dropSlot = (client: Client, name: string) =>
  whileUsed(
    Effect.andThen(
      endUser(client, name),
      query(
        client,
        "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1 AND database = current_database()",
        [name]
      )
    )
  )

/** Creates the slot anew, or finds the one that the user has made. Returns the place of the first change that it holds. */
export const beginSlot = Effect.fnUntraced(function* (client: Client, { slot }: PostgresOptions) {
  if (!slot.isOwn) {
    const found = yield* findSlot(client, slot.name)
    if (found?.confirmed === null || found === undefined || found.plugin !== "pgoutput" || !found.isHere) {
      return yield* new CannotContinue({
        message: `there is no slot ${quoteIdentifier(slot.name)} of the plugin pgoutput in this database. Run: SELECT pg_create_logical_replication_slot('${slot.name}', 'pgoutput')`
      })
    }
    yield* freeSlot(client, slot.name)
    return lsnText(lsnOf(found.confirmed))
  }
  yield* dropSlot(client, slot.name)
  const failover = slot.isFailover ? ", failover => true" : ""
  const [created] = yield* query<{ readonly lsn: string }>(
    client,
    `SELECT lsn::text FROM pg_create_logical_replication_slot($1, 'pgoutput'${failover})`,
    [slot.name]
  ).pipe(
    Effect.catchIf(
      ({ code }) => code === notPermitted,
      ({ message }) =>
        Effect.fail(new CannotContinue({ message: `${message}. Let a superuser run: ALTER ROLE the_user REPLICATION` }))
    )
  )
  return lsnText(lsnOf(created?.lsn ?? ""))
})

const gone = (name: string, what: string) =>
  new CannotContinue({
    message: `the replication slot ${quoteIdentifier(name)} ${what}: changes are lost. A resync copies the tables again`
  })

/** Checks that the slot still holds every change since a position, and makes it free. */
export const checkSlot = Effect.fnUntraced(function* (client: Client, { slot }: PostgresOptions, position: Position) {
  const found = yield* findSlot(client, slot.name)
  if (found === undefined) return yield* gone(slot.name, "is gone")
  if (!found.isHere || found.plugin !== "pgoutput") return yield* gone(slot.name, "is another one")
  if (found.walStatus === "lost") return yield* gone(slot.name, "no longer holds its log (max_slot_wal_keep_size)")
  if (found.confirmed === null || lsnOf(found.confirmed) > progressOf(position).lsn) {
    return yield* gone(slot.name, `begins at ${found.confirmed}, and the pipe has come to ${position}`)
  }
  yield* freeSlot(client, slot.name)
})
