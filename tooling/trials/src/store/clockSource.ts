// A source whose rows arrive by the clock: every process that reads a pipe sees the same rows, and nobody has to produce them.
import { PositionLost, Source, type RangesReader } from "@headgate/mover"
import { filledPipeIndex } from "@headgate/harness/fillPipes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

/** When rows arrive. Times are milliseconds since 1970. */
export interface Arrivals {
  readonly begin: number
  /** So often a pipe gets `rowsEach` rows, in milliseconds. */
  readonly every: number
  readonly rowsEach: number
}

/** How long a file is not read again that says when the last rows arrive. */
const known = 1000

/** How many rows of the pipe with this number have arrived by a time. The pipes get theirs one after the other. */
const arrivedBy = ({ begin, every, rowsEach }: Arrivals, index: number, at: number): number => {
  const first = begin + ((index * 7919) % every)
  return at < first ? 0 : (Math.floor((at - first) / every) + 1) * rowsEach
}

const rowOf = (index: number, row: number): string =>
  `${index} ${row} ${createHash("md5").update(`${index}/${row}`).digest("hex")}`

/** `endFile`: a file that holds the time at which the last rows arrive, once that is decided. */
export const makeClockSource = (arrivals: Arrivals, endFile: string) => {
  const end = { at: 0, time: Infinity }
  const arrived = (index: number): number => {
    const now = Date.now()
    if (now - end.at > known) {
      end.at = now
      try {
        end.time = Number(readFileSync(endFile, "utf8"))
      } catch {
        // It is not decided yet.
      }
    }
    return arrivedBy(arrivals, index, Math.min(now, end.time))
  }
  return (pipeId: string): RangesReader => {
    const index = filledPipeIndex(pipeId)
    const planned = { to: 0 }
    const source: Source["Service"] = {
      identity: Effect.succeed("clock"),
      partitions: Effect.succeed([{ partition: "0", first: "0", start: "0" }]),
      plan: Effect.fnUntraced(function* (_, from, { wait }) {
        const look = Effect.sync(() => arrived(index) - Number(from))
        const found = yield* look
        if (found <= 0) yield* Effect.sleep(wait)
        const rows = found > 0 ? found : yield* look
        if (rows <= 0) return { _tag: "Nothing" as const }
        planned.to = Number(from) + rows
        return { _tag: "Planned" as const, to: String(planned.to), rows, bytes: rows * 50 }
      }),
      read: ({ from, to }): Stream.Stream<Uint8Array, PositionLost> =>
        Stream.fromIterable(
          Array.from({ length: Number(to) - Number(from) }, (__, row) => Buffer.from(rowOf(index, Number(from) + row)))
        ),
      lag: Effect.sync(() => Math.max(0, arrived(index) - planned.to))
    }
    const layer = Layer.succeed(Source, source)
    return { _tag: "Ranges", probe: Effect.succeed([]), layer, sample: { _tag: "Rows", layer } }
  }
}

/** The settings of the pipes: how long a range waits for rows. */
export const settingsOf = ({ every }: Arrivals) => ({
  streaming_max_insert_wait_ms: Math.max(500, Math.min(every / 4, 5000))
})
