import {
  type EngineFailure,
  type InsertStatement,
  quoteIdentifier,
  rejectedRow,
  rejectionReason
} from "@headgate/clickhouse"
import { type Owner, Range, RejectionChanged, type RejectionRecord, WarehouseRefused } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { warehouseFailure } from "../connection/warehouseFailure.ts"
import { insertSettings } from "../sql/insertSettings.ts"
import { unreadableReason } from "./objectQuery.ts"
import { rowScanner } from "../row/jsonRow.ts"
import { type SearchTarget, searchRows } from "./searchRows.ts"
import { recordOf, type Rejection, statementBody } from "../row/statementBody.ts"

/** Whether an insert failed because of a row, which the engine may name or not. What a view throws is no failure of a row. */
const isOfRow = (failure: EngineFailure): boolean =>
  (rejectedRow(failure) !== undefined || unreadableReason(failure) !== undefined) &&
  !failure.message.includes("while pushing to view")

const isFailure = (result: object): result is EngineFailure => Predicate.isTagged(result, "EngineFailure")

/** Where rows go, and by what they are checked. */
export interface InsertTarget extends SearchTarget {
  /** Changes with the columns, the engine and the rules. */
  readonly checkedBy: string
  /** What makes the columns of the fields of a row. */
  readonly mapRow: (row: Uint8Array) => Uint8Array
}

/** An insert of rows of JSON, as SQL. */
export const insertInto = (
  table: string,
  columns: ReadonlyArray<string>,
  token: string,
  settings: SearchTarget["settings"]
): InsertStatement => ({
  into: `${table} (${columns.map(quoteIdentifier).join(", ")})`,
  format: `${insertSettings(token, settings)} FORMAT JSONEachRow`
})

/**
 * Inserts rows into a table with the columns of the destination, but for those that it rejects. Those that the rules of this package find
 * are left out of the first statement. If the engine refuses others it has inserted nothing, and they are searched.
 */
export const insertRows = Effect.fnUntraced(function* <E>(
  target: InsertTarget,
  { owner, range }: { readonly owner: Owner; readonly range: Range },
  into: string,
  token: string,
  rows: Stream.Stream<Uint8Array, E>,
  { record, recorded }: RejectionRecord<E>
) {
  const { checkedBy, columns, engine, mapRow, settings } = target
  const isOtherCheck = recorded !== undefined && recorded.checkedBy !== checkedBy
  const before = new Set(recorded?.rows)
  const mapped = Stream.map(rows, mapRow)
  const changed = (reason: string) => new RejectionChanged({ range: Range.describe(range), reason })

  const keep = (rejected: ReadonlyArray<Rejection>): Effect.Effect<void, E | RejectionChanged> => {
    const other = rejected.find(({ row }) => !before.has(row))
    if (other === undefined) return Effect.void
    return isOtherCheck ? Effect.fail(changed(other.reason)) : record(recordOf(rejected, checkedBy))
  }

  /** Sends the rows but for those that are rejected or `refused`. Nothing is inserted if the engine refuses others: its failure is returned. */
  const attempt = Effect.fnUntraced(function* (refused: ReadonlyMap<number, string>) {
    const unknownFields = new Map<string, number>()
    const scan = rowScanner(columns, unknownFields)
    const { bytes, rejected } = statementBody(
      mapped,
      (row, number) =>
        scan(row) ??
        refused.get(number) ??
        (before.has(number) ? "rejected before the pipe was interrupted" : undefined),
      keep
    )
    const names = columns.map(({ name }) => name)
    let ofRow: EngineFailure | undefined
    const inserted = engine.insert(insertInto(into, names, token, settings), bytes, (failure) => {
      if (isOfRow(failure)) ofRow = failure
      return warehouseFailure(failure)
    })
    const result = yield* Effect.result(inserted)
    if (ofRow !== undefined) return ofRow
    yield* Effect.fromResult(result)
    return { unknownFields, rejected: rejected() }
  })

  const search = Effect.fnUntraced(function* (failure: EngineFailure) {
    if (isOtherCheck) return yield* changed(rejectionReason(failure))
    const scan = rowScanner(columns)
    const taken = Stream.zipWithIndex(mapped).pipe(
      Stream.filter(([row, number]) => scan(row) === undefined && !before.has(number)),
      Stream.map(([row, number]) => [number, row] as const)
    )
    const found = yield* searchRows(target, owner, range, taken)
    // It is not a row: a constraint of the table, or what it does with what it takes.
    if (found.length === 0) return yield* warehouseFailure(failure)
    return yield* attempt(new Map(found.map(({ reason, row }) => [row, reason] as const)))
  })

  const first = yield* attempt(new Map())
  const last = isFailure(first) ? yield* search(first) : first
  if (!isFailure(last)) return last
  const message = `the warehouse refuses rows that it took alone: ${Range.describe(range)}: ${rejectionReason(last)}`
  return yield* new WarehouseRefused({ message })
})
