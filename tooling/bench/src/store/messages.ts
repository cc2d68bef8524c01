import * as Schema from "effect/Schema"

/** What a process of simulated servers is started with. */
export interface Started {
  /** Of the store. */
  readonly url: string
  /** How many servers it simulates. */
  readonly count: number
  /** The most connections of each. */
  readonly connections: number
  /** For how many days the history of pipes is kept. */
  readonly historyDays: number
}

/** What a process of simulated servers has seen since it was asked last. */
export const Watched = Schema.Struct({
  /** How many pipes its servers move now. */
  held: Schema.Int,
  /** How often one of its servers ceased to move a pipe. */
  lost: Schema.Int,
  /** How long each use of the leases took, in milliseconds, by the name of its span. */
  durations: Schema.Record(Schema.String, Schema.Array(Schema.Finite)),
  /** Seconds of CPU of the process so far, user and system. */
  cpu: Schema.Finite
})
export type Watched = typeof Watched.Type
