import { quoteTable, type Table } from "@headgate/clickhouse"
import type { Destination } from "@headgate/mover"
import * as Duration from "effect/Duration"

const mergeTree = /^(Replicated|Shared)?\w*MergeTree$/

/** Whether a table remembers the tokens of its inserts, and how. */
export type Memory = "by itself" | "in Keeper" | "not at all"

// Distributed acknowledges before it writes. Log, Memory, Buffer and Null ignore tokens in silence.
export const memoryOf = (engine: string): Memory => {
  const found = mergeTree.exec(engine)
  if (found === null) return "not at all"
  return found[1] === undefined ? "by itself" : "in Keeper"
}

/** The setting that says how many parts a table remembers. */
export const windowSetting = (memory: Memory): string =>
  memory === "in Keeper" ? "replicated_deduplication_window" : "non_replicated_deduplication_window"

const secondsSetting = "replicated_deduplication_window_seconds"

/** The value of a setting of a table: its own, or the engine's default. */
const settingOf = ({ engineFull }: Table, defaults: ReadonlyMap<string, string>, name: string): number => {
  // The engine writes the settings last.
  const own = engineFull.slice(engineFull.lastIndexOf(" SETTINGS ") + 1)
  const [, value] = new RegExp(`(?:SETTINGS |, )${name} = (\\d+)`).exec(own) ?? []
  return Number(value ?? defaults.get(name) ?? 0)
}

/** How many parts the table remembers. */
export const windowOf = (table: Table, defaults: ReadonlyMap<string, string>): number =>
  settingOf(table, defaults, windowSetting(memoryOf(table.engine)))

const partsOf = "FROM system.parts WHERE database = {database:String} AND table = {table:String}"

/**
 * The query for the number of blocks that a table has numbered, if it remembers tokens. Each insert that it remembers takes a
 * number for each of its parts. So do inserts without a token, repeats and mutations. A Replicated table numbers the blocks of
 * each partition by themselves, from 0. Numbers of partitions that were dropped are not seen.
 */
export const countInserts = (memory: Memory): string | undefined => {
  if (memory === "not at all") return undefined
  return memory === "by itself"
    ? `SELECT max(max_block_number) ${partsOf}`
    : `SELECT sum(last + 1) FROM (SELECT max(max_block_number) AS last ${partsOf} GROUP BY partition_id)`
}

/** The statement that makes a table remember so many parts. */
export const alterWindow = (database: string, name: string, memory: Memory, window: number): string =>
  `ALTER TABLE ${quoteTable(database, name)} MODIFY SETTING ${windowSetting(memory)} = ${window}`

/** What the table can promise. */
export const destinationOf = (table: Table, defaults: ReadonlyMap<string, string>): Destination => {
  const memory = memoryOf(table.engine)
  if (memory === "not at all") return { guarantee: "at least once" }
  return memory === "by itself"
    ? { guarantee: "exactly once" }
    : { guarantee: "exactly once", remembersFor: Duration.seconds(settingOf(table, defaults, secondsSetting)) }
}
