import { type Plan, PositionLost, RangeChanged, type RangeLimits, Source, SourceError } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

/** A partition whose rows are made from their numbers. */
export interface NumberedRows {
  /** The row of a number, always the same one. */
  readonly rowAt: (row: number) => string
  /**
   * The first row that a pipe reads at this moment. A pipe that comes to an older one passes the rows before it, as those that compaction has
   * removed. Those of a range that was planned before are still read.
   */
  readonly first: Effect.Effect<number>
  /** Rows before this one are lost, as by a retention time, and not passed: at most `first`. Absent: none are. */
  readonly lost?: Effect.Effect<number>
  /** The number of the next row that will be there. */
  readonly end: Effect.Effect<number>
  /** Where a new pipe begins, `first` or a later row; by default there. */
  readonly start?: Effect.Effect<number>
}

interface DemoSourceOptions {
  /** Which source it is. */
  readonly identity: Effect.Effect<string>
  readonly partitions: ReadonlyMap<string, NumberedRows>
}

/** The detail of a range that has no rows, because they were passed. */
const passed = "passed"

/** The most rows of a range: a pipe that begins shows its first ones soon. */
const mostRows = 20_000

/** How many rows are made at once when a range is read. */
const rowsAtOnce = 1000

const encoder = new TextEncoder()

function* rowsOf(rowAt: NumberedRows["rowAt"], from: number, to: number) {
  for (let row = from; row < to; row += 1) yield encoder.encode(rowAt(row))
}

type PlannedRange = Omit<Extract<Plan, { readonly _tag: "Planned" }>, "_tag">

/** The rows from a number on, up to the limits of a range. */
const fill = ({ rowAt }: NumberedRows, from: number, end: number, limits: RangeLimits) => {
  let [next, bytes, isFull] = [from, 0, false]
  while (next < end && !isFull) {
    const size = Buffer.byteLength(rowAt(next))
    isFull = next > from && bytes + size > limits.bytes
    if (isFull) break
    bytes += size
    next += 1
    isFull = next - from >= Math.min(limits.rows, mostRows)
  }
  const range: PlannedRange = { to: String(next), rows: next - from, bytes }
  return { range, isFull }
}

/** A source that makes its rows when they are read. It holds no row, and no position but for the lag. */
const make = ({ identity, partitions }: DemoSourceOptions): Source["Service"] => {
  const planning = new Map<string, number>()

  const find = (partition: string): Effect.Effect<NumberedRows, SourceError> =>
    Effect.fromNullishOr(partitions.get(partition)).pipe(
      Effect.mapError(() => new SourceError({ message: `there is no partition ${partition}` }))
    )
  const held = Effect.fnUntraced(function* (partition: string, { first, lost }: NumberedRows, from: number) {
    if (lost === undefined || from >= (yield* lost)) return
    return yield* new PositionLost({ partition, position: String(from), first: String(yield* first) })
  })

  return {
    identity,
    partitions: Effect.forEach(partitions, ([partition, rows]) =>
      Effect.gen(function* () {
        const first = yield* rows.first
        const start = yield* rows.start ?? Effect.succeed(first)
        return { partition, first: String(first), start: String(Math.max(first, start)) }
      })
    ),
    plan: Effect.fn("DemoSource.plan")(function* (partition, position, limits) {
      const rows = yield* find(partition)
      const from = Number(position)
      planning.set(partition, from)
      const found = Effect.gen(function* () {
        yield* held(partition, rows, from)
        const first = yield* rows.first
        if (from >= first || rows.lost !== undefined) return fill(rows, from, yield* rows.end, limits)
        const range: PlannedRange = { to: String(first), rows: 0, bytes: 0, detail: passed }
        return { range, isFull: true }
      })
      const before = yield* found
      const { range } = before.isFull ? before : yield* Effect.andThen(Effect.sleep(limits.wait), found)
      if (Number(range.to) === from) return { _tag: "Nothing" }
      planning.set(partition, Number(range.to))
      return { _tag: "Planned", ...range }
    }),
    read: ({ detail, from, partition, source, to }) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const rows = yield* find(partition)
          const current = yield* identity
          if (source !== current) {
            return yield* new RangeChanged({ message: `the source is ${current}, and not ${source}` })
          }
          yield* held(partition, rows, Number(from))
          return detail === passed
            ? Stream.empty
            : Stream.fromIterable(rowsOf(rows.rowAt, Number(from), Number(to)), { chunkSize: rowsAtOnce })
        })
      ),
    lag: Effect.gen(function* () {
      if (planning.size === 0) return undefined
      const lags = yield* Effect.forEach(planning, ([partition, next]) =>
        Effect.flatMap(find(partition), ({ end }) => Effect.map(end, (last) => Math.max(0, last - next)))
      )
      return lags.reduce((sum, lag) => sum + lag, 0)
    })
  }
}

export const DemoSource = {
  make,
  layer: (options: DemoSourceOptions) => Layer.sync(Source, () => make(options))
}
