import { useMemo, useRef } from "preact/hooks"
import { calls } from "../../data/calls.ts"
import { now } from "../../data/clock.ts"
import { usePoll } from "../../data/poll.ts"
import { bytes, number, rate, shortNumber } from "../../format/numbers.ts"
import { span } from "../../format/times.ts"
import { Chart } from "../../parts/chart/Chart.tsx"
import { Polled } from "../../parts/Conditions.tsx"
import { rangeOfPlace } from "../../parts/timeRange/TimeRange.tsx"
import { boundsOf, lengths, type TimeRange } from "../../parts/timeRange/timeRange.ts"
import { type History, joinHistory, linesOf, readAgainFrom, stepText } from "./history.ts"
import type { PipeAddress, PipeEvents } from "./usePipe.ts"

const day = 86_400_000

/** How often a history is read: a step of ten minutes changes more slowly. One that has ended is read once. */
const intervalOf = (range: TimeRange, at: number): number | undefined => {
  if (range.kind === "absolute") return range.to < at ? undefined : 10_000
  return lengths[range.length].milliseconds > day ? 60_000 : 10_000
}

interface Read {
  readonly history: History
  /** When it was read. */
  readonly at: number
}

/** Polls the history of the range: after the first answer only its last steps. */
const useHistory = (address: PipeAddress, range: TimeRange) => {
  const known = useRef<{ readonly key: string; readonly history: History }>(undefined)
  const key = JSON.stringify([address, range])
  const read = async (signal: AbortSignal): Promise<Read> => {
    const at = now()
    const { from, to } = boundsOf(range, at)
    const before = known.current?.key === key ? known.current.history : undefined
    const part =
      before === undefined
        ? { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
        : {
            from: new Date(Math.max(readAgainFrom(before), from)).toISOString(),
            to: new Date(to).toISOString(),
            step: stepText(before.stepSeconds)
          }
    const answer = await calls.pipe.history({ ...address, ...part }, { signal })
    const history = before === undefined ? answer : joinHistory(before, answer, from)
    known.current = { key, history }
    return { history, at }
  }
  return usePoll(read, intervalOf(range, now()), [key])
}

const bytesASecond = (value: number) => `${bytes(value)}/s`
const rows = (value: number) => `${number(value)} rows`

interface ChartsProps {
  readonly read: Read
  readonly zone: string
  readonly events: PipeEvents
}

const Charts = ({ events, read, zone }: ChartsProps) => {
  const { data, lines } = useMemo(() => {
    const lines = linesOf(read.history, read.at)
    // Events begin with the newest, marks with the oldest.
    const marks = events.toReversed().map(({ at, from, to }) => ({
      at: Date.parse(at),
      text: from === null ? `created, ${to}` : `${from} to ${to}`
    }))
    const { from, isRunning, times, to } = lines
    const shared = { from, isRunning, marks, times, to }
    const of = (name: string, values: ReadonlyArray<number | null>) => ({ ...shared, series: [{ name, values }] })
    return {
      lines,
      data: {
        rows: of("Rows", lines.rows),
        bytes: of("Bytes", lines.bytes),
        lag: of("Lag", lines.lag),
        errors: of("Rejected", lines.errors)
      }
    }
  }, [read, events])
  if (lines.errors.every((value) => value === null)) return <p class="quiet">No mover ran the pipe in this range.</p>
  const isLagKnown = lines.lag.some((value) => value !== null)
  const step = `in ${span(read.history.stepSeconds * 1000)}`
  return (
    <>
      <div class="charts">
        <Chart name="Rows a second" data={data.rows} zone={zone} text={rate} tick={shortNumber} />
        {isLagKnown ? <Chart name="Lag in rows" data={data.lag} zone={zone} text={rows} tick={shortNumber} /> : null}
        <Chart name={`Rejected rows ${step}`} data={data.errors} zone={zone} text={rows} tick={shortNumber} />
        <Chart name="Bytes a second" data={data.bytes} zone={zone} text={bytesASecond} tick={bytes} />
      </div>
      {isLagKnown ? null : (
        <p class="quiet">No lag is drawn: the source did not say how many rows it holds that are not read.</p>
      )}
    </>
  )
}

interface HistoryChartsProps {
  readonly address: PipeAddress
  readonly events: PipeEvents
}

/** What the pipe delivered in the range of the page, with its lag and its rejected rows. */
export const HistoryCharts = ({ address, events }: HistoryChartsProps) => {
  const { range, zone } = rangeOfPlace()
  const poll = useHistory(address, range)
  return (
    <Polled poll={poll} of="the history">
      {(read) => <Charts read={read} zone={zone} events={events} />}
    </Polled>
  )
}
