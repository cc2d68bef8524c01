import type { FieldMapping } from "@headgate/core"
import {
  addUnknownFields,
  type ObjectFormat,
  ObjectRejected,
  type ObjectReference,
  objectsAtOnce,
  type Owner,
  type Range,
  type UnknownFields,
  unknownFieldName,
  WarehouseRefused
} from "@headgate/mover"
import * as Effect from "effect/Effect"
import { type Column, takesNull } from "../row/typeMapping.ts"
import type { KnownSettings } from "../sql/insertSettings.ts"
import { quoteIdentifier, quoteTable } from "../sql/quote.ts"
import { readFields } from "./describeObject.ts"
import { objectFailure } from "./objectFailure.ts"
import { addressed } from "./objectFunction.ts"
import { missing, objectRows, objectSettings, parsingThreads, type ReadColumn } from "./objectQuery.ts"
import {
  createStaging,
  describeTarget,
  dropStaging,
  insertsPlainly,
  longestRead,
  stagedParts,
  stagingName,
  type StagingTarget
} from "./Stagings.ts"

const refuse = (message: string) => Effect.fail(new WarehouseRefused({ message }))

/** The columns that an object fills: each from the field of its name, or from the one that is mapped to it. */
const readColumns = Effect.fnUntraced(function* (
  columns: ReadonlyArray<Column>,
  mappings: ReadonlyArray<FieldMapping>,
  format: ObjectFormat
) {
  if (mappings.length === 0) return columns.map((column): ReadColumn => ({ ...column, field: column.name }))
  if (format === "CSV" || format === "TabSeparated") {
    return yield* refuse(`fieldMappings: fields of ${format} have no names: use ${format}WithNames`)
  }
  const fields = new Map(
    mappings.flatMap(({ destinationField, sourceField }) =>
      destinationField == null || sourceField == null ? [] : [[destinationField, sourceField] as const]
    )
  )
  if (new Set(fields.values()).size < mappings.length) {
    return yield* refuse("fieldMappings: a field of an object goes to one column")
  }
  const read: Array<ReadColumn> = []
  for (const column of columns) {
    const field = fields.get(column.name)
    if (field !== undefined) read.push({ ...column, field })
    else if (!column.hasDefault && !takesNull(column.type)) {
      return yield* refuse(`fieldMappings: no field goes to column ${column.name}, which has no default`)
    }
  }
  return read
})

/**
 * The fields of an object that no column is read from. Fails if its header lacks a column that has no default, into which the
 * engine would write empty texts. Nothing is known of an object that cannot be described: reading it says what it is.
 */
export const compareFields = Effect.fnUntraced(function* (
  { engine, fieldMappings }: StagingTarget,
  settings: KnownSettings,
  object: ObjectReference,
  columns: ReadonlyArray<ReadColumn>
) {
  const none: UnknownFields = new Map()
  const { format } = object
  if (format === "CSV" || format === "TabSeparated") return none
  const fields = yield* Effect.catchTag(readFields(engine, object, settings), "ObjectRejected", () =>
    Effect.succeed([])
  )
  const found = new Set(fields.map(({ name }) => name))
  const hasHeader = format === "CSVWithNames" || format === "TabSeparatedWithNames"
  const lacked = columns.find(({ field, hasDefault, type }) => !hasDefault && !takesNull(type) && !found.has(field))
  if (hasHeader && found.size > 0 && lacked !== undefined) {
    return yield* new ObjectRejected({ reason: missing(lacked.field) })
  }
  // What no mapping names was left out on purpose.
  if (fieldMappings.length > 0) return none
  // The columns `a.b` and `a.c` of a Nested are the field `a`.
  const read = new Set(columns.flatMap(({ field }) => [field, field.split(".")[0] ?? field]))
  const unknown = new Map<string, undefined>()
  for (const { name } of fields) if (!read.has(name)) unknown.set(unknownFieldName(unknown, name), undefined)
  return unknown
})

/** The destination as it was opened. */
export interface OpenedTarget {
  readonly columns: ReadonlyArray<Column>
  readonly settings: ReadonlyMap<string, string>
}

/** What is known before an object is read into a staging table, or into the destination itself. */
export const prepare = Effect.fnUntraced(function* (
  target: StagingTarget,
  opened: OpenedTarget,
  object: ObjectReference
) {
  // What the engine must not read is refused before anything is made for it.
  yield* addressed(object)
  const columns = yield* readColumns(opened.columns, target.fieldMappings, object.format)
  const like = yield* describeTarget(target)
  return { columns, like, isPlain: yield* insertsPlainly(target, like) }
})

// The engine divides its threads between the files of one statement, and not between statements.
const shareOfThreads = (settings: OpenedTarget["settings"]): string => {
  // The default is `auto(N)`, for N cores.
  const [threads] = /\d+/.exec(settings.get(parsingThreads) ?? "") ?? []
  return threads === undefined ? "" : `, ${parsingThreads} = ${Math.ceil(Number(threads) / objectsAtOnce)}`
}

/** The fields that no column is read from. Of several objects whose rows name their fields, the first one is looked at. */
const compareAll = Effect.fnUntraced(function* (
  target: StagingTarget,
  settings: KnownSettings,
  objects: ReadonlyArray<ObjectReference>,
  columns: ReadonlyArray<ReadColumn>
) {
  let unknownFields: UnknownFields = new Map()
  for (const [index, object] of objects.entries()) {
    if (index > 0 && !object.format.endsWith("WithNames")) continue
    unknownFields = addUnknownFields(unknownFields, yield* compareFields(target, settings, object, columns))
  }
  return unknownFields
})

/** Reads objects of one format into a staging table, or into the destination itself. */
export const stageObjects = Effect.fnUntraced(function* (
  target: StagingTarget,
  opened: OpenedTarget,
  owner: Owner,
  range: Range,
  objects: ReadonlyArray<ObjectReference>
) {
  const { database, engine, table } = target
  const [object] = objects
  if (object === undefined) return { staging: "", parts: [], unknownFields: new Map<string, undefined>() }
  const { columns, isPlain, like } = yield* prepare(target, opened, object)
  const unknownFields = yield* compareAll(target, opened.settings, objects, columns)
  // Signed as late as possible, and once for all statements.
  const addresses = yield* Effect.forEach(objects, addressed)
  const staging = stagingName(owner, range)
  if (!isPlain) yield* createStaging(target, like, staging)
  const queries = objectRows(object.format, addresses, columns)
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(", ")
  const into = quoteTable(database, isPlain ? table : staging)
  const settings = `${objectSettings({ ...object, ...addresses[0] }, opened.settings)}${shareOfThreads(opened.settings)}`
  const reads = Effect.forEach(
    queries,
    ({ parameters, sql }) =>
      engine.run(`INSERT INTO ${into} (${names}) ${settings} ${sql}`, parameters, {
        queryId: staging,
        timeout: longestRead
      }),
    { discard: true }
  )
  const staged = Effect.mapError(reads, objectFailure(addresses))
  if (isPlain) {
    // The engine commits the blocks before the one that it rejects.
    const rejected = Effect.catchTag(staged, "ObjectRejected", ({ reason }) =>
      Effect.fail(new ObjectRejected({ reason: `some of its rows may be in the table: ${reason}` }))
    )
    return yield* Effect.as(rejected, { staging: "", parts: [], unknownFields })
  }
  // What cannot be dropped now is dropped by the next owner.
  yield* Effect.tapError(staged, () => Effect.ignore(dropStaging(target, staging)))
  return { staging, parts: yield* stagedParts(target, staging), unknownFields }
})
