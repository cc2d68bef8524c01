import type { PipeState } from "@headgate/core"
import { type MoverReport, type MovingPipe, PipeFigures } from "@headgate/core/adapter"
import {
  addNoted,
  addUnknownFields,
  initialStatus,
  type LeaseNote,
  type MoverStatus,
  noObjects,
  type NotedObjects,
  type Source
} from "@headgate/mover"
import { errorTableOf } from "@headgate/mover-clickhouse"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { hostname } from "node:os"
import { performance } from "node:perf_hooks"
import type { MovedWith, PipeEnd } from "./movedPipe.ts"

/** A pipe that this process moves. Its fiber writes it, and the loop of the pipes reads it. */
export interface LivePipe {
  /** The pipe as it is moved. */
  readonly moving: MovingPipe
  readonly fiber: Fiber.Fiber<void>
  /** The version up to which changes of callers are known. */
  version: number
  /** What earlier movers have counted. */
  readonly before: PipeFigures
  status: MoverStatus | undefined
  source: Source["Service"] | undefined
  end: PipeEnd | undefined
  /** The last report that was stored. */
  reported: MoverReport | undefined
  /** Rows and bytes at times, of the last seconds, oldest first. */
  samples: ReadonlyArray<Sample>
  /** The lag that the source last said. */
  lag: number | undefined
  /** Its figures as they were last kept, and when. */
  kept: { readonly note: string; readonly at: number } | undefined
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

/** Whether the source is read by objects, as it says when it is opened; before that, as earlier movers have found. */
const isOfObjects = ({ before, source }: LivePipe): boolean =>
  source?.objects !== undefined || before.rejectedObjects !== undefined

/** That there are objects of which something is to be said; nothing if there are none. */
const sayNoted = ({ count, newest }: NotedObjects, what: string): ReadonlyArray<string> =>
  count === 0 ? [] : [`${count} objects ${what}, such as ${newest.join(", ")}`]

const withoutRow = "have bytes and no row"

/** What a pipe that is Completed has not moved; `undefined` if it has moved everything. */
const notMoved = (live: LivePipe, errorTable: MovedWith["errorTable"]): string | undefined => {
  const { emptyObjects, errors, rows } = countsOf(live)
  const table = errorTableOf(live.moving.pipe.destination?.table ?? "<targetTable>", errorTable)
  const found = [
    ...(errors > 0 ? [`${errors} rows or objects were rejected: see ${table}`] : []),
    ...sayNoted(emptyObjects ?? noObjects, withoutRow),
    ...(rows === 0 && live.status?.ranges === 0 && isOfObjects(live)
      ? ["nothing was read: no object has a key that matches the pattern of the url"]
      : [])
  ]
  return found.length === 0 ? undefined : found.join("; ")
}

/** What is to be stored of a pipe; `undefined` for nothing. */
export const reportOf = (live: LivePipe, errorTable: MovedWith["errorTable"]): MoverReport | undefined => {
  const { end, status } = live
  if ((end?._tag ?? status?.state) === "Completed") return { state: "Completed", message: notMoved(live, errorTable) }
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

/** What is shown of the objects of a source. */
const objectFigures = (before: PipeFigures, { emptyObjects, listing, rejectedObjects }: MoverStatus) => ({
  rejectedObjects: { ...addNoted(before.rejectedObjects ?? noObjects, rejectedObjects) },
  emptyObjects: { ...addNoted(before.emptyObjects ?? noObjects, emptyObjects) },
  listSeconds: listing === undefined ? (before.listSeconds ?? null) : Duration.toSeconds(listing.duration)
})

/** What is shown of a pipe also when nobody moves it. Counts go on from those of earlier movers. */
const countsOf = (live: LivePipe) => {
  const { before, status = initialStatus } = live
  const unknownBefore = new Map(before.unknownFields?.map(({ name, rows }) => [name, rows ?? undefined] as const))
  const objects = objectFigures(before, status)
  return {
    guarantee: status.guarantee ?? before.guarantee ?? null,
    rows: status.delivered?.rows ?? before.rows ?? 0,
    bytes: (before.bytes ?? 0) + status.bytes,
    errors: status.delivered?.rejected ?? before.errors ?? 0,
    unknownFields: Array.from(addUnknownFields(unknownBefore, status.unknownFields), ([name, rows]) => ({
      name,
      rows: rows ?? null
    })),
    skippedKeys: status.listing?.changed ?? before.skippedKeys ?? 0,
    ...(isOfObjects(live) ? objects : {}),
    warnings: [
      ...status.warnings,
      ...sayNoted(objects.rejectedObjects, "are in the error table whole, by their keys"),
      ...sayNoted(objects.emptyObjects, withoutRow)
    ]
  } satisfies PipeFigures
}

const movingFigures = (live: LivePipe): PipeFigures => {
  const [first, last] = [live.samples[0], live.samples.at(-1)]
  const seconds = first === undefined || last === undefined ? 0 : (last.at - first.at) / 1000
  const rate = (count: (sample: Sample) => number) =>
    first === undefined || last === undefined || seconds === 0 ? 0 : Math.round((count(last) - count(first)) / seconds)
  return {
    ...countsOf(live),
    mover,
    rowsPerSecond: rate(({ rows }) => rows),
    bytesPerSecond: rate(({ bytes }) => bytes),
    lag: live.lag ?? null,
    ...(isOfObjects(live) ? { nextList: live.status?.listing?.next ?? null } : {})
  }
}

/** Whether a mover has come to its end. Its fiber may still close what it has opened. */
export const isOver = ({ end, status }: LivePipe): boolean =>
  end !== undefined || status?.state === "Failed" || status?.state === "Completed"

/** Asks the source of a pipe for its lag; a source that is away has none. */
export const readLag = Effect.fnUntraced(function* (live: LivePipe) {
  live.lag = yield* lagOf(live.source)
})

/** What the status of a pipe shows beside its state. */
export const figuresOf = (live: LivePipe): Effect.Effect<PipeFigures> =>
  isOver(live) ? Effect.sync(() => countsOf(live)) : Effect.map(readLag(live), () => movingFigures(live))

/** The figures are kept so often, in milliseconds: a source is asked for its lag each time. */
const keepInterval = 3000

/** Whether the figures of a pipe are to be kept. */
export const wantsKeeping = ({ kept }: LivePipe): boolean =>
  kept === undefined || performance.now() - kept.at >= keepInterval

/** The figures of a pipe as they are kept, for other servers and later movers. */
export const noteOf = (live: LivePipe): string => JSON.stringify(movingFigures(live))

const decodeFigures = Schema.decodeOption(Schema.fromJsonString(PipeFigures))

/** The figures in a note. Who moves a pipe and how fast is true only while somebody does. */
export const readNote = ({ isHeld, note }: LeaseNote): PipeFigures => {
  const figures: PipeFigures = Option.getOrElse(decodeFigures(note), () => ({}))
  if (isHeld) return figures
  const { bytesPerSecond: _, lag: _lag, mover: _mover, nextList: _list, rowsPerSecond: _rows, ...counts } = figures
  return counts
}
