import type { PipeId } from "@headgate/core"
import { PipeMetrics } from "@headgate/core/adapter"
import { MoverStatus, NotedObjects, type SavedMetrics, UnknownFields } from "@headgate/mover"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { hostname } from "node:os"
import { isOver, type LivePipe } from "./LivePipe.ts"
import type { MoverStore } from "./MoverContext.ts"
import type { Sample } from "./pipeLoad.ts"

/** The name of this process. */
export const mover = `${hostname()}:${process.pid}`

/** That there are objects of which something is to be said; nothing if there are none. */
export const sayNoted = ({ count, newest }: NotedObjects, what: string): ReadonlyArray<string> =>
  count === 0 ? [] : [`${count} objects ${what}, such as ${newest.join(", ")}`]

export const withoutRow = "have bytes and no row"

/** What is shown of the objects of a source. */
const objectMetrics = (before: PipeMetrics, { emptyObjects, listing, rejectedObjects }: MoverStatus) => ({
  rejectedObjects: { ...NotedObjects.add(before.rejectedObjects ?? NotedObjects.none, rejectedObjects) },
  emptyObjects: { ...NotedObjects.add(before.emptyObjects ?? NotedObjects.none, emptyObjects) },
  listSeconds: listing === undefined ? (before.listSeconds ?? null) : Duration.toSeconds(listing.duration)
})

/** What the ledger has counted; before it has said that, what was saved. */
const deliveredMetrics = ({ bytes, errors, rows }: PipeMetrics, { delivered }: MoverStatus) =>
  delivered === undefined
    ? { rows: rows ?? 0, bytes: bytes ?? 0, errors: errors ?? 0 }
    : { rows: delivered.rows, bytes: delivered.bytes, errors: delivered.rejected }

/** The rows of each field that no column takes, counted on from those of earlier movers. */
const unknownFieldsOf = (before: PipeMetrics, status: Pick<MoverStatus, "unknownFields">) => {
  const known = new Map(before.unknownFields?.map(({ name, rows }) => [name, rows ?? undefined] as const))
  return Array.from(UnknownFields.add(known, status.unknownFields), ([name, rows]) => ({ name, rows: rows ?? null }))
}

/** What is shown of a pipe also when nobody moves it. Counts go on from those of earlier movers. */
export const countsOf = (live: LivePipe) => {
  const { before, status = MoverStatus.initial } = live
  const objects = objectMetrics(before, status)
  return {
    guarantee: status.guarantee ?? before.guarantee ?? null,
    ...deliveredMetrics(before, status),
    unknownFields: unknownFieldsOf(before, status),
    skippedKeys: status.listing?.changed ?? before.skippedKeys ?? 0,
    ...(live.isOfObjects ? objects : {}),
    warnings: [
      ...status.warnings,
      ...sayNoted(objects.rejectedObjects, "are in the error table whole, by their keys"),
      ...sayNoted(objects.emptyObjects, withoutRow)
    ]
  } satisfies PipeMetrics
}

/** The metrics of a pipe while it moves. */
const movingMetrics = (live: LivePipe): PipeMetrics => {
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
    ...(live.isOfObjects ? { nextList: live.status?.listing?.next ?? null } : {})
  }
}

/** The metrics of a pipe as they are kept, for other servers and later movers. */
export const encodeMetrics = (live: LivePipe): string => JSON.stringify(movingMetrics(live))

/** Asks the source of a pipe for its lag; a source that is away has none. */
export const readLag = Effect.fnUntraced(function* (live: LivePipe) {
  live.lag = yield* (live.source?.lag ?? Effect.succeed(undefined)).pipe(
    Effect.timeout("2 seconds"),
    Effect.catch(() => Effect.succeed(undefined))
  )
})

/** What the status of a pipe shows beside its state. */
export const metricsOf = (live: LivePipe): Effect.Effect<PipeMetrics> =>
  isOver(live) ? Effect.sync(() => countsOf(live)) : Effect.map(readLag(live), () => movingMetrics(live))

const decodeMetrics = Schema.decodeOption(Schema.fromJsonString(PipeMetrics))

/** The metrics that were saved of a pipe. Who moves a pipe and how fast is true only while somebody does. */
const readSavedMetrics = ({ isHeld, metrics: text }: SavedMetrics): PipeMetrics => {
  const metrics: PipeMetrics = Option.getOrElse(decodeMetrics(text), () => ({}))
  if (isHeld) return metrics
  const { bytesPerSecond: _, lag: _lag, mover: _mover, nextList: _list, rowsPerSecond: _rows, ...counts } = metrics
  return counts
}

/**
 * The metrics of pipes as the processes that move them, or last moved them, have kept them. Rows, their bytes and rejected rows are those
 * of the ledger, which counts each range when it is done: what was kept may be some seconds older.
 */
export const readStoredMetrics = Effect.fnUntraced(function* (
  { ledger, metrics }: Pick<MoverStore, "ledger" | "metrics">,
  pipeIds: ReadonlyArray<PipeId>
) {
  const saved = yield* metrics.savedMetrics(pipeIds)
  const delivered = yield* ledger.delivered(pipeIds)
  const metricsOf = (pipeId: PipeId): PipeMetrics => {
    const [said, counted] = [saved.get(pipeId), delivered.get(pipeId)]
    return {
      ...(said === undefined ? {} : readSavedMetrics(said)),
      ...(counted === undefined ? {} : { rows: counted.rows, bytes: counted.bytes, errors: counted.rejected })
    }
  }
  return new Map(pipeIds.map((pipeId) => [pipeId, metricsOf(pipeId)]))
})
