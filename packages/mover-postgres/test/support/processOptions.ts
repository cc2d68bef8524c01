import type { PostgresOptions } from "../../src/index.ts"
import { optionsFor, type TestAddress } from "./optionsFor.ts"

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
