import * as Redacted from "effect/Redacted"
import type { PostgresOptions } from "../../src/index.ts"

/** Where a database of the tests is. */
export interface TestAddress {
  /** The folder of the socket. */
  readonly socket: string
  readonly port: number
  readonly name: string
}

/** The options of a pipe that copies these tables of the schema `public` into tables of the same names. */
export const optionsFor = (
  { name, port, socket }: TestAddress,
  tables: ReadonlyArray<string | PostgresOptions["tables"][number]>,
  more: Partial<PostgresOptions> = {}
): PostgresOptions => ({
  host: socket,
  port,
  database: name,
  username: "headgate",
  password: Redacted.make("not asked for"),
  mode: "both",
  publication: { name: `pub_${name}`, isOwn: true },
  slot: { name: `slot_${name}`, isOwn: true, isFailover: false },
  tables: tables.map((table) =>
    typeof table === "string" ? { schema: "public", table, target: table, excluded: [] } : table
  ),
  keepsNulls: true,
  rowsPerPart: 1000,
  ...more
})

/** What a process that copies is told, as JSON. */
export interface ProcessOptions {
  readonly source: TestAddress
  readonly tables: ReadonlyArray<string>
  readonly url: string
  readonly target: string
  readonly ledger: string
}

/** The options of the source of such a process. */
export const sourceOptions = ({ source, tables }: ProcessOptions): PostgresOptions =>
  optionsFor(source, tables, { rowsPerPart: 500 })
