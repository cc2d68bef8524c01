import { FailedDependency, type PipeAddress, type RejectedRow } from "@headgate/core"
import type { PipeMover, PipeRecord } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Buffer, isUtf8 } from "node:buffer"
import { anyService, type MoverContext } from "../pipe/MoverContext.ts"
import { targetTablesOf } from "../warehouse/tableOwners.ts"
import type { FoundRejectedRow } from "../warehouse/WarehouseEngine.ts"

/** How many bytes of a message are answered. */
const messageBytes = 64 * 1024

/** How many bytes the messages of an answer may have as JSON. One row is always answered, so that a reader goes on. */
const answerBytes = 1024 * 1024

/** How long a reader waits for the warehouse, the turn of the statement included. */
const longestRead = "10 seconds"

/** The text of a message; `undefined` if it is no UTF-8. A character that a cut has left incomplete is left out. */
const textOf = (message: Uint8Array, isCut: boolean): string | undefined => {
  for (const missing of isCut ? [0, 1, 2, 3] : [0]) {
    const whole = message.subarray(0, Math.max(message.length - missing, 0))
    if (isUtf8(whole)) return Buffer.from(whole).toString("utf8")
  }
  return undefined
}

/** The position of a row: its time, and what orders the rows of one millisecond. */
const positionOf = ({ at, tie }: FoundRejectedRow): string => `${at}-${tie}`

/** The time and the tie of a position that was checked. */
const parsePosition = (position: string) => {
  const [at = "", tie = ""] = position.split("-")
  // A tie is below 2^64.
  return { at: Number(at), tie: String(BigInt.asUintN(64, BigInt(tie))) }
}

const toRow = (found: FoundRejectedRow, table: string): RejectedRow => {
  const { at, bytes, message, row, source, partition, from, to, error } = found
  const isCut = bytes > message.length
  const text = textOf(message, isCut)
  return {
    position: positionOf(found),
    at: DateTime.makeUnsafe(at),
    table,
    source,
    partition,
    from,
    to,
    row,
    error,
    bytes,
    isCut,
    ...(text === undefined
      ? { message: null, messageBase64: Buffer.from(message).toString("base64") }
      : { message: text })
  }
}

/** The first rows whose messages fit in one answer, at least one. */
const fitting = (rows: ReadonlyArray<RejectedRow>): ReadonlyArray<RejectedRow> => {
  let bytes = 0
  const end = rows.findIndex(({ message, messageBase64 }, i) => {
    bytes += Buffer.byteLength(JSON.stringify(message ?? messageBase64 ?? ""))
    return i > 0 && bytes > answerBytes
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/**
 * Reads the rejected rows of a pipe, the newest first, from those of its error tables that a pipe has created, none of another
 * organization.
 */
const readRows = Effect.fnUntraced(function* (
  { connectors, engines, moved }: Pick<MoverContext, "connectors" | "engines" | "moved">,
  { organizationId, pipeId }: PipeAddress,
  { pipe, warehouse = anyService }: PipeRecord,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number }
) {
  const engine = engines.get(warehouse)
  if (engine === undefined) return []
  const targets = new Map((yield* targetTablesOf(connectors, pipe)).map((name) => [engine.errorTableOf(name), name]))
  const database = pipe.destination?.database ?? engine.database
  const tables = yield* engine.findTables(Array.from(targets.keys()), database)
  const organizations = yield* moved.organizationsOf(tables.flatMap(({ creator }) => creator ?? []))
  const own = tables.flatMap(({ creator, name }) =>
    creator === undefined || (organizations.get(creator) ?? organizationId) !== organizationId ? [] : [name]
  )
  if (own.length === 0) return []
  const rows = yield* engine.rejectedRows(pipeId, own, database, {
    before: before === undefined ? undefined : parsePosition(before),
    limit,
    messageBytes
  })
  return fitting(rows.map((row) => toRow(row, targets.get(own[row.table] ?? "") ?? "")))
})

/** How many callers read rejected rows at the same time. */
const readsAtOnce = 4

/** Reads rejected rows as `PipeMover` does: a few callers at a time, of which none waits for long. */
export const makeReadRejected = (context: Pick<MoverContext, "connectors" | "engines" | "moved">) =>
  Effect.map(
    Semaphore.make(readsAtOnce),
    (turns): (typeof PipeMover.Service)["rejectedRows"] =>
      (address, record, page) =>
        readRows(context, address, record, page).pipe(
          turns.withPermit,
          Effect.timeoutOrElse({
            duration: longestRead,
            orElse: () => Effect.fail({ message: `nothing within ${longestRead}` })
          }),
          Effect.mapError(
            ({ message }) => new FailedDependency({ message: `the warehouse of the pipe does not answer: ${message}` })
          )
        )
  )
