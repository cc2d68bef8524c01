import type { Random } from "@headgate/harness/Random"
import type { ServerProcess } from "@headgate/harness/ServerProcess"
import type { Verdict } from "@headgate/harness/Verdict"
import type { Ledger, LossCheck, WrittenOrganization } from "./Ledger.ts"

/** What a fault is injected into. */
export interface Environment {
  /** The script of the servers. */
  readonly script: string
  /** For files of the trial. */
  readonly directory: string
  /** The flags that name the store. */
  readonly store: ReadonlyArray<string>
  /** A file with the organizations, for `--import`. */
  readonly snapshot: string
  readonly seed: number
  readonly random: Random
  readonly verdict: Verdict
  readonly losses: LossCheck
}

/** What was written while a fault was injected, and the servers that must show it: those that run afterwards. */
export interface Injected {
  readonly ledger: Ledger
  readonly servers: readonly [ServerProcess, ...ReadonlyArray<ServerProcess>]
}

/** Running servers that a fault is injected into, again and again. */
export interface FaultRun {
  /** Writes to organizations of its own meanwhile. `number` counts from 1. */
  readonly inject: (organizations: ReadonlyArray<WrittenOrganization>, number: number) => Promise<Injected>
  /** Stops the servers, judges what only this fault shows, and returns all exit codes after SIGTERM. */
  readonly end: () => Promise<ReadonlyArray<number | null>>
  /** What only this fault counts. */
  readonly summary: () => string
}

/** One way to end servers while they are written to. */
export interface Fault {
  /** Otherwise its store is SQLite, in `data` below the directory of the trial. */
  readonly wantsPostgres: boolean
  readonly injectionsPerRound: number
  /** Each injection writes to organizations of its own: lists stay short, and no organization reaches its limit of 100 keys. */
  readonly organizationsPerInjection: number
  /** So few writes that an injection proves nothing. */
  readonly fewestWrites: number
  readonly start: (environment: Environment) => Promise<FaultRun>
}
