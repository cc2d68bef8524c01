import { quoteTable } from "@headgate/clickhouse"
import {
  type InsertedRows,
  type ObjectReference,
  ObjectRejected,
  type Owner,
  type Range,
  UnknownFields,
  type WarehouseError,
  type WarehouseRefused
} from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { warehouseFailure } from "../connection/warehouseFailure.ts"
import { areRows, copyLines, parquetLines, readJoined, readLines } from "./copyLines.ts"
import { jsonOfFields, namesOf } from "./delimitedFields.ts"
import { readFields } from "./describeObject.ts"
import type { ObjectRow } from "./joinLines.ts"
import { addressed, objectFunction } from "./objectFunction.ts"
import { createRejected, insertRejected } from "./rejectedRows.ts"
import { compareFields, insertStaged, type OpenedTarget, prepare } from "./stageObject.ts"
import {
  createStaging,
  discardStaging,
  dropStaging,
  longestRead,
  stagedParts,
  stagingName,
  type StagingTarget
} from "./Stagings.ts"
import type { ReadColumn } from "./wideColumn.ts"

// More than an object has batches. A batch whose answer was lost may reach a staging of the same name that was made anew.
const windowOfBatches = 100_000

/** A row of an object, and what it is as a row of JSON, or why it is none. */
type ReadRow = ObjectRow & ({ readonly json: Uint8Array } | { readonly reason: string })

const [tab, carriageReturn, space, comma] = [0x09, 0x0d, 0x20, 0x2c]
const isBlank = (byte: number | undefined): boolean => byte === space || byte === tab || byte === carriageReturn

/** A line of JSON without the commas that the engine reads between rows: one before a row, and one after it. */
const withoutCommas = (line: Uint8Array): Uint8Array => {
  let [from, to] = [0, line.length]
  while (isBlank(line[from])) from += 1
  while (isBlank(line[to - 1])) to -= 1
  return line.subarray(line[from] === comma ? from + 1 : from, line[to - 1] === comma ? to - 1 : to)
}

/** What reads the rows of an object that was copied, from a line on. */
const rowReader = Effect.fnUntraced(function* (
  target: StagingTarget,
  object: ObjectReference,
  columns: ReadonlyArray<ReadColumn>,
  copy: string
) {
  const { format } = object
  if (format === "JSONEachRow" || format === "Parquet") {
    return (from: number) =>
      Effect.map(readLines(target, copy, from), (lines) =>
        lines.map(({ line, number }): ReadRow => ({
          row: number,
          next: number + 1,
          content: line,
          json: withoutCommas(line)
        }))
      )
  }
  const [header] = format.endsWith("WithNames") ? yield* readJoined(target, object, copy, 0) : []
  const names = header === undefined ? undefined : namesOf(object, header.content)
  if (names !== undefined && new Set(names).size < names.length) {
    return yield* new ObjectRejected({ reason: "its header has a name twice" })
  }
  const toJson = jsonOfFields(object, columns, names)
  return (from: number) =>
    Effect.map(readJoined(target, object, copy, Math.max(from, header?.next ?? 0)), (rows) =>
      rows.map((row): ReadRow => ({ ...row, ...toJson(row.content) }))
    )
})

/** Inserts rows of JSON with the columns of the destination into a table, under a token, but for those that it rejects. */
export type InsertRows = (
  table: string,
  token: string,
  rows: Stream.Stream<Uint8Array>
) => Effect.Effect<InsertedRows, WarehouseError | WarehouseRefused>

/** Inserts the good rows of a batch, and returns the others, and why they are rejected. */
const insertGood = Effect.fnUntraced(function* (
  insertRows: InsertRows,
  into: string,
  token: string,
  rows: ReadonlyArray<ReadRow>
) {
  const sent = rows.flatMap((row) => ("json" in row ? [row] : []))
  const inserted = yield* insertRows(into, token, Stream.fromIterable(sent.map(({ json }) => json)))
  const reasons = new Map(inserted.rejected.map(({ reason, row }) => [sent[row], reason] as const))
  const rejected = rows.flatMap((one) => {
    const reason = "reason" in one ? one.reason : reasons.get(one)
    return reason === undefined ? [] : [{ row: one.row, content: one.content, reason }]
  })
  return { rejected, unknownFields: inserted.unknownFields }
})

/**
 * Reads an object row by row into a staging table, and the rows that the table does not take into another one beside it. Nothing
 * is in the destination or in the error table after that.
 */
export const stageRows = Effect.fnUntraced(function* (
  target: StagingTarget,
  opened: OpenedTarget,
  owner: Owner,
  range: Range,
  object: ObjectReference,
  insertRows: InsertRows
) {
  const { columns, isPlain, like } = yield* prepare(target, opened, object)
  const staging = stagingName(owner, range)
  const copy = stagingName(owner, range, "rows")
  const into = quoteTable(target.database, staging)
  const staged = Effect.gen(function* () {
    const fields = object.format === "Parquet" ? yield* readFields(target.engine, object, opened.settings) : []
    const known = yield* compareFields(target, opened.settings, object, columns)
    const addressedObject = yield* addressed(object)
    const lines =
      object.format === "Parquet"
        ? parquetLines(addressedObject, fields, columns)
        : objectFunction(addressedObject, "line String", "LineAsString")
    yield* copyLines(target, opened.settings, addressedObject, copy, lines)
    if (!(yield* areRows(target, object, copy))) {
      return yield* new ObjectRejected({ reason: "its lines are not its rows" })
    }
    yield* createStaging(target, like, staging, windowOfBatches)
    yield* createRejected(target, staging)
    const read = yield* rowReader(target, object, columns, copy)
    let unknownFields: UnknownFields = known
    let rejectedRows = 0
    let rows = yield* read(0)
    for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
      const inserted = yield* insertGood(insertRows, into, `${rows[0]?.row}`, rows)
      rejectedRows += inserted.rejected.length
      yield* insertRejected(target, staging, inserted.rejected)
      if (object.format === "JSONEachRow") unknownFields = UnknownFields.add(unknownFields, inserted.unknownFields)
      rows = yield* read(last.next)
    }
    yield* dropStaging(target, copy)
    // Each batch made a part. The engine refuses all inserts into a table that gets thousands of parts at once.
    yield* target.engine
      .run(`OPTIMIZE TABLE ${into} FINAL`, {}, { queryId: staging, timeout: longestRead })
      .pipe(Effect.mapError(warehouseFailure))
    const parts = yield* stagedParts(target, staging)
    if (isPlain) yield* insertStaged(target, columns, staging)
    const rejected = rejectedRows === 0 ? {} : { rejected: rejectedRows }
    const empty = rejectedRows === 0 && parts.length === 0 ? { empty: [object.key] } : {}
    return { staging, parts: isPlain ? [] : parts, unknownFields, ...rejected, ...empty }
  })
  // What cannot be dropped now is dropped by the next owner.
  return yield* Effect.tapError(staged, () =>
    Effect.andThen(Effect.ignore(dropStaging(target, copy)), Effect.ignore(discardStaging(target, staging)))
  )
})
