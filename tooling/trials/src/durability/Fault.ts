import type { Random } from "@headgate/harness/Random"
import type { Verdict } from "@headgate/harness/Verdict"
import type { Servers } from "../scenario/Servers.ts"
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

/** Running servers that a fault is injected into, again and again. */
export interface FaultRun {
  readonly servers: Servers
  /** Writes to organizations of its own meanwhile, and returns what was written. `number` counts from 1. */
  readonly inject: (organizations: ReadonlyArray<WrittenOrganization>, number: number) => Promise<Ledger>
  /** Judges what only this fault shows, when the servers are stopped, and returns what only it counts. */
  readonly end: () => Promise<string>
}

/** One way to end servers while they are written to. */
export interface Fault {
  /** Otherwise its store is SQLite. */
  readonly isOverPostgres: boolean
  readonly injectionsPerRound: number
  /** Each injection writes to organizations of its own: lists stay short, and no organization reaches its limit of 100 keys. */
  readonly organizationsPerInjection: number
  /** So few writes that an injection proves nothing. */
  readonly fewestWrites: number
  readonly start: (environment: Environment) => Promise<FaultRun>
}
