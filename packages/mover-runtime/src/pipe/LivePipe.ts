import type { MoverReport, PipeRecord, PipeMetrics } from "@headgate/core/adapter"
import type { MoverEnd, MoverStatus, Owner, Source } from "@headgate/mover"
import type * as Fiber from "effect/Fiber"
import { averageLoad, type PipeLoad, type Sample } from "./pipeLoad.ts"

/**
 * The end of a mover. `Broken` is a defect, which is logged. `Unable`: this process has run out of something, as the reason says, and
 * another one may move the pipe.
 */
export type PipeEnd =
  | MoverEnd
  | { readonly _tag: "Broken"; readonly message: string }
  | { readonly _tag: "Unable"; readonly message: string; readonly reason: string }

/** A pipe that this process moves. Its fiber writes it, and the loop of the pipes reads it. */
export interface LivePipe {
  /** The pipe as it is moved. */
  readonly record: PipeRecord
  readonly fiber: Fiber.Fiber<void>
  /** The session that has its lease. */
  readonly session: string
  /** The version up to which changes of users are known. */
  version: number
  /** What earlier movers have counted. */
  readonly before: PipeMetrics
  /** As it has taken the pipe last. */
  owner: Owner | undefined
  status: MoverStatus | undefined
  source: Source["Service"] | undefined
  /** Whether its source is read by objects. */
  isOfObjects: boolean
  end: PipeEnd | undefined
  /** When a mover was seen to be unable to go on, in milliseconds of the monotonic clock. */
  unableAt: number | undefined
  /** The last report that was stored. */
  reported: MoverReport | undefined
  /** Rows and bytes at times, of the last seconds, oldest first. */
  samples: ReadonlyArray<Sample>
  load: PipeLoad | undefined
  /** The lag that the source last said. */
  lag: number | undefined
  /** Its metrics as they were last saved, and when it was last seen whether they are to be saved. */
  kept: { readonly metrics: string; readonly at: number } | undefined
}

/** Over how many milliseconds rates are counted. */
const rateWindow = 10_000

/** Keeps what rates and loads are counted from. `at`: now, in milliseconds of the monotonic clock. */
export const sample = (live: LivePipe, at: number): void => {
  if (live.end?._tag === "Unable") live.unableAt ??= at
  live.load = averageLoad(live.load, live.samples, at)
  if (live.status === undefined) return
  const { bytes, rows } = live.status
  live.samples = [...live.samples.filter((one) => one.at > at - rateWindow), { at, rows, bytes }]
}

/** Whether a mover has come to its end. Its fiber may still close what it has opened. */
export const isOver = ({ end, status }: Pick<LivePipe, "end" | "status">): boolean =>
  end !== undefined || status?.state === "Failed" || status?.state === "Completed"
