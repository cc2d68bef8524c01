import type { PipeState } from "@headgate/core"
import type { MoverReport, MovingPipe, PipeFigures } from "@headgate/core/adapter"
import type { MoverStatus, Source } from "@headgate/mover"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import { hostname } from "node:os"
import { performance } from "node:perf_hooks"
import type { PipeEnd } from "./movedPipe.ts"

/** A pipe that this process moves. Its fiber writes it, and the loop of the pipes reads it. */
export interface LivePipe {
  /** The pipe as it is moved. */
  readonly moving: MovingPipe
  readonly fiber: Fiber.Fiber<void>
  /** The version up to which changes of callers are known. */
  version: number
  status: MoverStatus | undefined
  source: Source["Service"] | undefined
  end: PipeEnd | undefined
  /** The last report that was stored. */
  reported: MoverReport | undefined
  /** Rows and bytes at times, of the last seconds, oldest first. */
  samples: ReadonlyArray<Sample>
  /** Its figures as other servers read them, and when they were taken. */
  note: { readonly text: string; readonly at: number } | undefined
}

interface Sample {
  readonly at: number
  readonly rows: number
  readonly bytes: number
}

/** Over how many milliseconds rates are counted. */
const rateWindow = 10_000

/** Keeps what rates are counted from. */
export const sample = (live: LivePipe): void => {
  if (live.status === undefined) return
  const at = performance.now()
  const { bytes, rows } = live.status
  live.samples = [...live.samples.filter((one) => one.at > at - rateWindow), { at, rows, bytes }]
}

const states: { readonly [State in MoverStatus["state"]]: PipeState | undefined } = {
  // Until it has begun to move, a pipe stays in the state that the command put it into.
  Setup: undefined,
  Running: "Running",
  Degraded: "Degraded",
  Failed: "Failed",
  Completed: "Completed"
}

/** What is to be stored of a pipe; `undefined` for nothing. */
export const reportOf = ({ end, status }: LivePipe): MoverReport | undefined => {
  // Another server moves it, and reports.
  if (end?._tag === "Superseded") return undefined
  if (end !== undefined) return { state: end._tag === "Broken" ? "Failed" : end._tag, message: end.message }
  const state = status === undefined ? undefined : states[status.state]
  return state === undefined ? undefined : { state, message: status?.message }
}

/** The name of this process. */
export const mover = `${hostname()}:${process.pid}`

const lagOf = (source: Source["Service"] | undefined) =>
  (source?.lag ?? Effect.succeed(undefined)).pipe(
    Effect.timeout("2 seconds"),
    Effect.catch(() => Effect.succeed(undefined))
  )

/** What the status of a pipe shows beside its state. The lag is asked of the source; a source that is away has none. */
export const figuresOf = Effect.fnUntraced(function* ({ samples, source, status }: LivePipe) {
  if (status === undefined) return { mover }
  const [first, last] = [samples[0], samples.at(-1)]
  const seconds = first === undefined || last === undefined ? 0 : (last.at - first.at) / 1000
  const rate = (count: (sample: Sample) => number) =>
    first === undefined || last === undefined || seconds === 0 ? 0 : Math.round((count(last) - count(first)) / seconds)
  const figures: PipeFigures = {
    mover,
    guarantee: status.guarantee ?? null,
    rows: status.rows,
    bytes: status.bytes,
    rowsPerSecond: rate(({ rows }) => rows),
    bytesPerSecond: rate(({ bytes }) => bytes),
    lag: (yield* lagOf(source)) ?? null,
    errors: status.badRows,
    unknownFields: Array.from(status.unknownFields, ([name, rows]) => ({ name, rows: rows ?? null })),
    skippedKeys: status.skipped,
    warnings: status.warnings
  }
  return figures
})

/** Figures are taken for other servers so often, in milliseconds: a source is asked for its lag each time. */
const noteInterval = 3000

/** Whether the figures of a pipe for other servers are missing or old. */
export const wantsNote = ({ note }: LivePipe): boolean =>
  note === undefined || performance.now() - note.at >= noteInterval

/** Takes the figures of a pipe for other servers. */
export const takeNote = Effect.fnUntraced(function* (live: LivePipe) {
  const at = performance.now()
  live.note = { text: JSON.stringify(yield* figuresOf(live)), at }
})
