import { type ClickHouse, quoteString, quoteTable } from "@headgate/clickhouse"
import type { FieldMapping } from "@headgate/core"
import { CannotContinue, type Owner, Range, resumeBy, type StagedPart, WarehouseRefused } from "@headgate/mover"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { warehouseFailure } from "../connection/warehouseFailure.ts"
import { execute, findTable, query } from "../table/describeTable.ts"
import { memoryOf } from "../table/guarantee.ts"

type Engine = ClickHouse["Service"]

/** How the rows of objects reach the table: by staging tables, exactly once, or by plain inserts, at least once. */
export type ObjectDelivery = "stage" | "insert"

/** A destination that objects are read into. */
export interface StagingTarget {
  readonly engine: Engine
  readonly database: string
  readonly table: string
  readonly delivery: ObjectDelivery
  readonly fieldMappings: ReadonlyArray<FieldMapping>
}

const prefix = "headgate_stage_"

const short = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16)

/** What the names of all stagings of a pipe begin with. The epoch and the owner follow, then the range. */
const pipePrefix = (pipeId: string): string => `${prefix}${pipeId.replaceAll("-", "")}_`

/** The staging table of a range, or another table of `kind` for it. */
export const stagingName = (
  { epoch, id, pipeId }: Owner,
  { detail, from, generation, partition, source, to }: Range,
  kind?: "rows"
): string =>
  `${pipePrefix(pipeId)}${epoch}_${short(id)}_${short(JSON.stringify([generation, source, partition, from, to, detail, kind]))}`

const searchPrefix = (pipeId: string): string => `headgate_search_${pipeId.replaceAll("-", "")}_`

/** The table in which the rows of a range are searched for those that the engine refuses. */
export const searchName = ({ epoch, id, pipeId }: Owner, range: Range): string =>
  `${searchPrefix(pipeId)}${epoch}_${short(id)}_${short(Range.tokenOf(range))}`

const rejectedSuffix = "_rejected"

/** The table beside a staging for the rows that the destination does not take. */
export const rejectedOf = (staging: string): string => `${staging}${rejectedSuffix}`

const hasStagingName = /^headgate_(?:stage|search)_[0-9a-f]+_\d+_[0-9a-f]{16}_[0-9a-f]{16}(_rejected)?$/

/** A mover that finds its insert running later ends it, so an hour bounds nothing that goes on. */
export const longestRead = Duration.hours(1)

const TargetRow = Schema.Struct({
  engine: Schema.String,
  engineFull: Schema.String,
  partitionKey: Schema.String,
  sortingKey: Schema.String,
  primaryKey: Schema.String,
  storagePolicy: Schema.String,
  views: Schema.Array(Schema.String)
})
type TargetRow = typeof TargetRow.Type

export const describeTarget = Effect.fnUntraced(function* ({ database, engine, table }: StagingTarget) {
  const [found] = yield* query(
    engine,
    TargetRow,
    `SELECT engine, engine_full AS engineFull, partition_key AS partitionKey, sorting_key AS sortingKey,
      primary_key AS primaryKey, storage_policy AS storagePolicy, dependencies_table AS views
    FROM system.tables WHERE database = {database:String} AND name = {table:String}`,
    { database, table }
  )
  return found ?? (yield* new WarehouseRefused({ message: `destination.table: ${table} was dropped` }))
})

const askForInserts =
  "set object_storage_exactly_once to false in the settings of the pipe, for plain inserts, at least once"

/** Whether rows are inserted into the table itself. Fails if the table is none that staged rows can be moved into. */
export const insertsPlainly = Effect.fnUntraced(function* (
  { delivery, table }: StagingTarget,
  { engine, views }: TargetRow
) {
  const memory = memoryOf(engine)
  if (delivery === "insert" || memory === "not at all") return true
  if (memory === "in Keeper") {
    const message = `destination.table: ${table} is replicated, and staged objects are moved into tables of one server: ${askForInserts}`
    return yield* new WarehouseRefused({ message })
  }
  const [view] = views
  if (view === undefined) return false
  const message = `destination.table: moved rows do not reach materialized views, and ${table} has the view ${view}. Drop the view, or ${askForInserts}`
  return yield* new WarehouseRefused({ message })
})

/**
 * A clause of keys as the table was defined. A move wants the same text: the engine leaves out the brackets of several keys
 * where it lists them, and keeps those of one.
 */
const keyClause = (engineFull: string, keyword: string, keys: string): ReadonlyArray<string> => {
  if (!engineFull.includes(`${keyword} `)) return []
  const several = `${keyword} (${keys})`
  return [engineFull.includes(several) ? several : `${keyword} ${keys === "" ? "tuple()" : keys}`]
}

// The engine's number of the error.
const tableExists = 57

/**
 * Creates an empty table like the destination, whose partitions can be moved. Its parts carry UUIDs, which they keep when they
 * are moved, and are not merged by themselves before. It remembers the tokens of its last `window` inserts.
 */
export const createStaging = Effect.fnUntraced(function* (
  target: StagingTarget,
  like: TargetRow,
  staging: string,
  window = 0
) {
  const { database, engine, table } = target
  const { engineFull, partitionKey, primaryKey, sortingKey, storagePolicy } = like
  const name = quoteTable(database, staging)
  const settings = [
    "assign_part_uuids = 1",
    "max_bytes_to_merge_at_max_space_in_pool = 1",
    "max_bytes_to_merge_at_min_space_in_pool = 1",
    `non_replicated_deduplication_window = ${window}`,
    // Merges would lower the number of parts, and there are none.
    "parts_to_delay_insert = 100000",
    "parts_to_throw_insert = 100000",
    "allow_nullable_key = 1",
    ...(storagePolicy === "" ? [] : [`storage_policy = ${quoteString(storagePolicy)}`])
  ]
  // The engine is written here: TTLs of the table, and engines that merge rows, must not take rows out of what is counted.
  const clauses = [
    `CREATE TABLE ${name} AS ${quoteTable(database, table)} ENGINE = MergeTree`,
    ...keyClause(engineFull, "PARTITION BY", partitionKey),
    ...keyClause(engineFull, "PRIMARY KEY", primaryKey),
    ...(engineFull.includes("ORDER BY ") ? keyClause(engineFull, "ORDER BY", sortingKey) : ["ORDER BY tuple()"]),
    `SETTINGS ${settings.join(", ")}`
  ]
  const create = engine.run(clauses.join(" "))
  yield* create.pipe(
    Effect.catchIf(
      ({ code }) => code === tableExists,
      () => Effect.andThen(engine.run(`DROP TABLE IF EXISTS ${name} SYNC`), create)
    ),
    Effect.mapError(warehouseFailure)
  )
})

export const dropStaging = ({ database, engine }: Pick<StagingTarget, "database" | "engine">, staging: string) =>
  hasStagingName.test(staging)
    ? execute(engine, `DROP TABLE IF EXISTS ${quoteTable(database, staging)} SYNC`)
    : Effect.void

/** Drops a staging, and what the destination has not taken of it. */
export const discardStaging = (target: Pick<StagingTarget, "database" | "engine">, staging: string) =>
  staging === "" ? Effect.void : Effect.andThen(dropStaging(target, rejectedOf(staging)), dropStaging(target, staging))

const PartRow = Schema.Struct({ part: Schema.String, rows: Schema.FiniteFromString })

export const stagedParts = ({ database, engine }: StagingTarget, staging: string) =>
  query(
    engine,
    PartRow,
    `SELECT partition_id AS part, toString(sum(parts.rows)) AS rows FROM system.parts AS parts
    WHERE database = {database:String} AND table = {staging:String} AND active AND parts.rows > 0
    GROUP BY partition_id ORDER BY partition_id`,
    { database, staging }
  )

const MovedRow = Schema.Struct({
  table: Schema.String,
  uuid: Schema.String,
  rows: Schema.FiniteFromString,
  active: Schema.Int,
  /** The blocks that it was merged of. */
  first: Schema.FiniteFromString,
  last: Schema.FiniteFromString,
  /** Whether it is as it was inserted or moved. One that was merged or mutated has lost its UUID. */
  isOriginal: Schema.Int
})
type MovedRow = typeof MovedRow.Type

/** The parts of one partition of the staging table and of the destination. */
const partsOfBoth = ({ database, engine, table }: StagingTarget, staging: string, part: string) =>
  query(
    engine,
    MovedRow,
    `SELECT table, toString(uuid) AS uuid, toString(parts.rows) AS rows, active,
      toString(min_block_number) AS first, toString(max_block_number) AS last,
      level = 0 AND data_version = min_block_number AS isOriginal
    FROM system.parts AS parts
    WHERE database = {database:String} AND table IN ({table:String}, {staging:String})
      AND partition_id = {part:String} AND parts.rows > 0`,
    { database, table, staging, part }
  )

const lastOf = (parts: ReadonlyArray<MovedRow>): number => Math.max(0, ...parts.map(({ last }) => last))

/**
 * The highest number of a block in a partition of the destination. Whatever arrives there later has a higher one, and the parts
 * that it is merged into have it, too.
 */
export const lastBlock = (target: StagingTarget, { part }: StagedPart) =>
  Effect.map(partsOfBoth(target, "", part), (found) => String(lastOf(found.filter(({ active }) => active === 1))))

/**
 * Moves a partition of a staging table into the destination. Two moves of one partition have the same query ID, which the
 * engine runs once at a time, and the second one finds nothing to move. A server that broke off in the middle of a move may
 * have the parts in both tables: their UUIDs tell, until they are merged. Then nothing arrived if there are no blocks after
 * `before`, the `lastBlock` from before that move, but those of others that were not merged.
 */
export const movePart = Effect.fnUntraced(function* (
  target: StagingTarget,
  staging: string,
  { part, rows }: StagedPart,
  before: string | undefined
) {
  const { database, engine, table } = target
  const unproved = (reason: string, whereRows = "") =>
    new CannotContinue({
      message: `nothing proves whether part ${part} of ${staging} was moved into ${table}: ${reason}. Look whether its ${rows} rows${whereRows} are in ${table}. Remove those that are, and read the object again: ${resumeBy({ from: "ledger" })}`
    })
  const found = yield* partsOfBoth(target, staging, part)
  const waiting = found.filter((one) => one.table === staging && one.active === 1)
  if (waiting.length === 0) {
    const isThere = (yield* findTable(engine, database, staging)) !== undefined
    return yield* isThere ? Effect.void : unproved("the staging table is gone")
  }
  if (waiting.reduce((sum, one) => sum + one.rows, 0) !== rows) {
    return yield* unproved("the staging table has other rows than were recorded")
  }
  const uuids = new Set(waiting.map(({ uuid }) => uuid))
  const inTable = found.filter((one) => one.table === table)
  const held = inTable.filter(({ active }) => active === 1)
  const arrived = inTable.filter(({ uuid }) => uuids.has(uuid))
  if (arrived.length > 0) {
    // One that was merged is a block of another one.
    const isHeld = ({ first, last }: MovedRow) => held.some((one) => one.first <= first && last <= one.last)
    const isWhole = arrived.length === waiting.length && arrived.every(isHeld)
    return yield* isWhole ? Effect.void : unproved("a part of it is in the table")
  }
  if (before !== undefined) {
    const mayHoldIt = ({ isOriginal, last }: MovedRow) => last > Number(before) && isOriginal === 0
    if (held.some(mayHoldIt) || lastOf(held) < Number(before)) {
      return yield* unproved(
        "a move of it was interrupted, and the table was merged or changed since",
        ` (SELECT * FROM ${quoteTable(database, staging)} shows them)`
      )
    }
  }
  const sql = `ALTER TABLE ${quoteTable(database, staging)} MOVE PARTITION ID ${quoteString(part)} TO TABLE ${quoteTable(database, table)}`
  yield* Effect.mapError(engine.run(sql, {}, { queryId: `${staging}_${part}` }), warehouseFailure)
})

const NameRow = Schema.Struct({ name: Schema.String })

/** Ends what earlier owners of a pipe still run in the engine, and drops their staging tables, except those to keep. */
export const takeOverStagings = Effect.fnUntraced(function* (
  target: StagingTarget,
  { epoch, id, pipeId }: Owner,
  keep: ReadonlySet<string>
) {
  const { database, engine } = target
  const parameters = { prefix: pipePrefix(pipeId), epoch: String(epoch), owner: short(id), database }
  // The name is headgate_stage_<pipe>_<epoch>_<owner>_<range>.
  const isEarlier = (name: string) =>
    `startsWith(${name}, {prefix:String}) AND (toUInt64OrZero(splitByChar('_', ${name})[4]) < {epoch:UInt64} OR splitByChar('_', ${name})[5] = {owner:String})`
  yield* engine
    .run(`KILL QUERY WHERE ${isEarlier("query_id")} SYNC FORMAT Null`, parameters, { timeout: longestRead })
    .pipe(Effect.mapError(warehouseFailure))
  const found = yield* query(
    engine,
    NameRow,
    `SELECT name FROM system.tables WHERE database = {database:String} AND ${isEarlier("name")}`,
    parameters
  )
  const isKept = (name: string) =>
    keep.has(name.endsWith(rejectedSuffix) ? name.slice(0, -rejectedSuffix.length) : name)
  for (const { name } of found) if (!isKept(name)) yield* dropStaging(target, name)
})

/** Drops the tables in which earlier owners of a pipe have searched rows. One that still does so ends with an error. */
export const dropEarlierSearches = Effect.fnUntraced(function* (
  target: Pick<StagingTarget, "database" | "engine">,
  { epoch, pipeId }: Owner
) {
  const found = yield* query(
    target.engine,
    NameRow,
    `SELECT name FROM system.tables WHERE database = {database:String} AND startsWith(name, {prefix:String})
      AND toUInt64OrZero(splitByChar('_', name)[4]) < {epoch:UInt64}`,
    { prefix: searchPrefix(pipeId), epoch: String(epoch), database: target.database }
  )
  for (const { name } of found) yield* dropStaging(target, name)
})

/**
 * Ends what a deleted pipe still runs in the engine, and drops its staging tables. Its other tables stay: they hold what was moved.
 * `database`: that of the pipe's destination; by default the engine's. A repeat is harmless.
 *
 * @example
 * ```ts
 * import { PipeId } from "@headgate/core"
 * import { ClickHouse, dropStagings } from "@headgate/mover-clickhouse"
 *
 * export const cleanUp = (pipeId: PipeId) => ClickHouse.use((engine) => dropStagings(engine, pipeId))
 * ```
 */
export const dropStagings = Effect.fn("dropStagings")(function* (
  engine: Engine,
  pipeId: string,
  database: string = engine.database
) {
  const parameters = { prefix: pipePrefix(pipeId), search: searchPrefix(pipeId), database }
  yield* engine
    .run("KILL QUERY WHERE startsWith(query_id, {prefix:String}) SYNC FORMAT Null", parameters)
    .pipe(Effect.mapError(warehouseFailure))
  const found = yield* query(
    engine,
    NameRow,
    "SELECT name FROM system.tables WHERE database = {database:String} AND (startsWith(name, {prefix:String}) OR startsWith(name, {search:String}))",
    parameters
  )
  for (const { name } of found) yield* dropStaging({ database, engine }, name)
})
