import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ApiKeyId } from "../id/key.ts"
import { advance, type PipeRecord } from "./lifecycle.ts"
import { PipeState } from "./Pipe.ts"
import { beforePage, type BeforeQuery, mostListed, type PipeEvent } from "./PipeEvent.ts"

/** What is stored of a change of a pipe's state, beside its position. `at`: whole milliseconds since 1970. */
export const StoredPipeEvent = Schema.Struct({
  at: Schema.Finite,
  from: Schema.NullOr(PipeState),
  to: PipeState,
  message: Schema.optionalKey(Schema.String),
  by: Schema.Literals(["caller", "mover", "simulation"]),
  key: Schema.optionalKey(Schema.Struct({ id: ApiKeyId, name: Schema.optionalKey(Schema.String) })),
  mover: Schema.optionalKey(Schema.String)
})
export type StoredPipeEvent = typeof StoredPipeEvent.Type

/** What changes a pipe. */
export type PipeEventCause = Pick<StoredPipeEvent, "by" | "key" | "mover">

/** How many events of a pipe are kept; the oldest go first. */
const mostKept = 1000

/** How long an event is answered, in milliseconds: 30 days. */
const keptMillis = 30 * 24 * 60 * 60 * 1000

/**
 * The events of a change, oldest first: of the steps of a simulated pipe that were due at `now`, each at its time, and then of the
 * change, if the pipe is in another state after it. `before`: the pipe as it was stored, whose due steps need not be applied;
 * `undefined` if it is created.
 */
const eventsOf = (
  before: PipeRecord | undefined,
  after: PipeRecord,
  now: number,
  cause: PipeEventCause
): ReadonlyArray<StoredPipeEvent> => {
  const { pipe, progress } = after
  const { message } = progress ?? {}
  const changed = { to: pipe.state, ...(message === undefined ? {} : { message }), ...cause }
  if (before === undefined) return [{ at: Math.floor(progress?.since ?? now), from: null, ...changed }]
  const current = advance(before, now)
  const steps = before.progress?.steps ?? []
  const done = steps.slice(0, steps.length - (current.progress?.steps.length ?? 0))
  return [
    // The clock may have been set back: no event is ahead of it.
    ...done.map(({ due, next, state }) => ({
      at: Math.floor(Math.min(due, now)),
      from: state,
      to: next,
      by: "simulation" as const
    })),
    ...(pipe.state === current.pipe.state ? [] : [{ at: Math.floor(now), from: current.pipe.state, ...changed }])
  ]
}

/** The event with its position, as it is answered. */
const answered = (position: number, { at, ...event }: StoredPipeEvent): PipeEvent => ({
  position: String(position),
  ...event,
  at: DateTime.makeUnsafe(at)
})

/** Which events are asked for: those below a position, or all, and how many of them. Fails with `InvalidRequest`. */
const pageOf = (query: BeforeQuery) =>
  Effect.map(
    beforePage(query, mostListed.events, { pattern: /^\d{1,15}$/, of: "an event" }),
    ({ before = Number.MAX_SAFE_INTEGER, limit }) => ({ before: Number(before), limit })
  )

/**
 * The events of pipes, for a store: what a change is written down as, how long it is kept, and how it is answered. A store writes the
 * events of a change in the transaction of the change. Positions of a pipe are whole numbers that rise.
 *
 * @example
 * ```ts
 * import { pipeEvents, type PipeRecord } from "@headgate/core/adapter"
 *
 * // What a store adds when a mover has reported.
 * export const reported = (before: PipeRecord, after: PipeRecord, now: number) =>
 *   pipeEvents.of(before, after, now, { by: "mover", mover: "host-1:4711" })
 * ```
 */
export const pipeEvents = { of: eventsOf, answered, pageOf, mostKept, keptMillis }
