import type * as Schema from "effect/Schema"

/** One way to do the work. Each runs in a process of its own, so that none pays for another's heap or compiler. */
export interface Contestant {
  readonly name: string
  /** The module that does it: its `work` is a {@link Work}. */
  readonly module: URL
}

/** What the module of a contestant exports as `work`. */
export interface Work {
  /** Does the work once and gives what came out as the document it was made from, to be held against it. */
  readonly once: () => Promise<Schema.Json>
  /** Does what must go wrong, and tells by name what did not. */
  readonly accepted: () => Promise<ReadonlyArray<string>>
  /** Does it `times` times, `atOnce` at a time. */
  readonly repeat: (times: number, atOnce: number) => Promise<void> | void
}

/** How much is done between two looks at the clock. */
export interface Batch {
  readonly times: number
  readonly atOnce: number
}
