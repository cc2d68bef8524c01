import { type Column, quoteIdentifier, quoteTable } from "@headgate/clickhouse"
import type { FieldMapping } from "@headgate/core"
import {
  type ObjectFormat,
  type ObjectReference,
  ObjectRejected,
  objectsAtOnce,
  type Owner,
  type Range,
  UnknownFields,
  WarehouseRefused
} from "@headgate/mover"
import * as Effect from "effect/Effect"
import { takesNull as holdsNull } from "../row/typeMapping.ts"
import { warehouseFailure } from "../connection/warehouseFailure.ts"
import { type KnownSettings, writeSettings } from "../sql/insertSettings.ts"
import { checkLines } from "./checkLines.ts"
import { readFields } from "./describeObject.ts"
import { objectFailure } from "./objectFailure.ts"
import { addressed, type AddressedObject } from "./objectFunction.ts"
import { objectRows, objectSettings, parsingThreads, saysWithoutRow } from "./objectQuery.ts"
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
import { wholeUnion } from "./unionAll.ts"
import { missing, type ReadColumn } from "./wideColumn.ts"

const refuse = (message: string) => Effect.fail(new WarehouseRefused({ message }))

const plainSettings = writeSettings({ async_insert: 0, insert_deduplicate: 0, max_execution_time: 0 })

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
    else if (!column.hasDefault && !holdsNull(column.type)) {
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
  columns: ReadonlyArray<ReadColumn>,
  isAlone = true
) {
  const none: UnknownFields = new Map()
  const { format } = object
  if (format === "CSV" || format === "TabSeparated") return none
  const fields = yield* Effect.catchTag(readFields(engine, object, settings), "ObjectRejected", (rejected) =>
    // The engine takes all of an object with carriage returns for the header. Among the rows of others, nothing shows that it has none.
    !isAlone && format === "TabSeparatedWithNames" ? Effect.fail(rejected) : Effect.succeed([])
  )
  const found = new Set(fields.map(({ name }) => name))
  const hasHeader = format === "CSVWithNames" || format === "TabSeparatedWithNames"
  const lacked = columns.find(({ field, hasDefault, type }) => !hasDefault && !holdsNull(type) && !found.has(field))
  if (hasHeader && found.size > 0 && lacked !== undefined) {
    return yield* new ObjectRejected({ reason: missing(lacked.field) })
  }
  // What no mapping names was left out on purpose.
  if (fieldMappings.length > 0) return none
  // The columns `a.b` and `a.c` of a Nested are the field `a`.
  const read = new Set(columns.flatMap(({ field }) => [field, field.split(".")[0] ?? field]))
  const unknown = new Map<string, undefined>()
  for (const { name } of fields) if (!read.has(name)) unknown.set(UnknownFields.nameOf(unknown, name), undefined)
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
    const isAlone = objects.length === 1
    unknownFields = UnknownFields.add(unknownFields, yield* compareFields(target, settings, object, columns, isAlone))
  }
  return unknownFields
})

/** Inserts the staged rows into a destination that no partition can be moved into: at least once. */
export const insertStaged = Effect.fnUntraced(function* (
  { database, engine, table }: StagingTarget,
  columns: ReadonlyArray<ReadColumn>,
  staging: string
) {
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(", ")
  const inserts = engine.run(
    `INSERT INTO ${quoteTable(database, table)} (${names}) ${plainSettings} SELECT ${names} FROM ${quoteTable(database, staging)}`,
    {},
    { queryId: staging, timeout: longestRead }
  )
  yield* Effect.mapError(inserts, warehouseFailure)
})

/**
 * The types of the fields of Parquet files. Several ones need not have the same, and are read as texts, except numbers whose text is not
 * their value in the column: those are read from files of the same types.
 */
const typesOf = Effect.fnUntraced(function* (
  engine: StagingTarget["engine"],
  settings: KnownSettings,
  objects: ReadonlyArray<ObjectReference>,
  columns: ReadonlyArray<ReadColumn>
) {
  const [object, ...more] = objects
  if (object === undefined || object.format !== "Parquet") return undefined
  const hasFloats = columns.some(({ type }) => /\bFloat64\b/.test(type))
  if (more.length > 0 && !hasFloats) return undefined
  const fields = yield* readFields(engine, object, settings)
  const text = JSON.stringify(fields)
  for (const one of more) {
    if (JSON.stringify(yield* readFields(engine, one, settings)) !== text) {
      return yield* new ObjectRejected({ reason: "its fields have other types than those of other objects" })
    }
  }
  return new Map(fields.map(({ name, type }) => [name, type]))
})

/**
 * Reads objects of one format into a staging table. Fails with `ObjectRejected` also if a value may not be one of its column as it
 * stands: whether it is, the rows say one by one.
 */
export const stageObjects = Effect.fnUntraced(function* (
  target: StagingTarget,
  opened: OpenedTarget,
  owner: Owner,
  range: Range,
  objects: ReadonlyArray<ObjectReference>
) {
  const { database, engine } = target
  const [object] = objects
  if (object === undefined) return { staging: "", parts: [], unknownFields: new Map<string, undefined>() }
  const { columns, isPlain, like } = yield* prepare(target, opened, object)
  const unknownFields = yield* compareAll(target, opened.settings, objects, columns)
  const types = yield* typesOf(engine, opened.settings, objects, columns)
  // Signed as late as possible, and once for all statements.
  const addresses = yield* Effect.forEach(objects, addressed)
  const staging = stagingName(owner, range)
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(", ")
  const into = quoteTable(database, staging)
  const settings = `${objectSettings({ ...object, ...addresses[0] }, opened.settings, objects.length > 1 ? wholeUnion : {})}${shareOfThreads(opened.settings)}`
  const options = { queryId: staging, timeout: longestRead }
  const queriesOf = (read: ReadonlyArray<AddressedObject>, failsIfEmpty: boolean) =>
    objectRows(object.format, read, columns, types, failsIfEmpty)
  const read = Effect.fnUntraced(function* (read: ReadonlyArray<AddressedObject>, failsIfEmpty: boolean) {
    yield* createStaging(target, like, staging)
    for (const { parameters, sql } of queriesOf(read, failsIfEmpty)) {
      yield* engine.run(`INSERT INTO ${into} (${names}) ${settings} ${sql}`, parameters, options)
    }
  })
  /** The keys of the objects that have no row. */
  const findEmpty = Effect.fnUntraced(function* () {
    const empty: Array<string> = []
    for (const { empty: one, objects } of queriesOf(addresses, true)) {
      const answer = yield* engine.run(`${one.sql} ${settings} FORMAT TSV`, one.parameters, options)
      const found = new Set(answer.split("\n"))
      empty.push(...objects.filter((_, index) => found.has(String(index + 1))).map(({ key }) => key))
    }
    return empty
  })
  /** Reads the objects, and returns the keys of those that have no row. That there are some is found while they are read together. */
  const readAll = Effect.gen(function* () {
    const isEmpty = yield* read(addresses, addresses.length > 1).pipe(
      Effect.as(false),
      Effect.catchIf(
        (error) => error._tag === "EngineFailure" && saysWithoutRow(error),
        () => Effect.succeed(true)
      )
    )
    if (!isEmpty) return []
    const empty = new Set(yield* findEmpty())
    yield* read(
      addresses.filter(({ key }) => !empty.has(key)),
      false
    )
    return Array.from(empty)
  }).pipe(Effect.mapError((error) => (error._tag === "EngineFailure" ? objectFailure(addresses)(error) : error)))
  const staged = Effect.gen(function* () {
    const found = yield* readAll
    yield* checkLines(target, opened.settings, object.format, addresses)
    const parts = yield* stagedParts(target, staging)
    const empty = addresses.length === 1 && parts.length === 0 ? [object.key] : found
    // The engine takes all of an object with carriage returns for the header.
    if (empty.length > 0 && object.format === "TabSeparatedWithNames") {
      return yield* new ObjectRejected({ reason: "it has no row" })
    }
    if (isPlain) yield* insertStaged(target, columns, staging)
    return { staging, parts: isPlain ? [] : parts, unknownFields, ...(empty.length === 0 ? {} : { empty }) }
  })
  // What cannot be dropped now is dropped by the next owner.
  return yield* Effect.tapError(staged, () => Effect.ignore(dropStaging(target, staging)))
})
