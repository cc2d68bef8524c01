import type { Random } from "@headgate/harness/Random"

/** One kind of source, running. */
export interface MovedSource {
  /** A new source for one round. */
  readonly begin: (random: Random, round: number) => Promise<SourceOfRound>
}

/** What the pipe of a round reads. */
export interface SourceOfRound {
  /** The request that creates its pipe, which gets another name. */
  readonly request: (database: string) => object
  /** How many parts are produced at least. */
  readonly parts: number
  /** Produces one part: rows, files or changes. */
  readonly produce: (part: number) => Promise<void>
  /** How many rows the warehouse has; it rises while the pipe moves. */
  readonly arrived: (query: Query, database: string) => Promise<number>
  /** Called when nobody disturbs the pipe any more: the source ends its own faults, and waits before for what must arrive in spite of them. */
  readonly calm?: (query: Query, database: string, longestWait: number) => Promise<void>
  /** What decides about the pipe after its ledger or its warehouse was restored from a backup. */
  readonly afterRestore: Resolution
  /** Whether all that was produced is in the warehouse, and the pipe says what it has not read. */
  readonly isComplete: (
    query: Query,
    database: string,
    status: () => Promise<PipeStatus | undefined>
  ) => Promise<boolean>
  /** What is wrong with what the warehouse holds in the end; none if nothing is. */
  readonly faults: (query: Query, database: string) => Promise<ReadonlyArray<string>>
  /** How many rows were produced. */
  readonly rows: () => number
  /** The command that the pipe needs in its state, if it needs one. It is asked for again and again. */
  readonly remedy?: (status: PipeStatus, query: Query, database: string) => Promise<string | undefined>
}

/** The state of a pipe, and what it says; nothing is "". */
export interface PipeStatus {
  readonly state: string
  readonly message: string
  readonly skippedKeys: number
}

/** A command, or a decision. */
export type Resolution = { readonly command: string } | { readonly from: string }

/** Runs a statement of the warehouse and returns its answer as TSV. */
export type Query = (sql: string) => Promise<string>
