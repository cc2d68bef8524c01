import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { asFailed, type CallFailed } from "../../data/CallFailed.ts"
import { calls } from "../../data/calls.ts"
import { timeIn } from "../../format/times.ts"
import { Failed, Polled } from "../../parts/Conditions.tsx"
import { State } from "../../parts/State.tsx"
import { rangeOfPlace } from "../../parts/timeRange/TimeRange.tsx"
import { joinNewest } from "./joinNewest.ts"
import type { PipeEvents, Polls } from "./usePipe.ts"

type PipeEvent = PipeEvents[number]

/** How many events a page has. */
const most = 50

const byText = ({ by, key, mover }: PipeEvent): string =>
  [by, key?.name ?? key?.id ?? mover ?? ""].filter((part) => part !== "").join(" ")

const Row = ({ event, zone }: { readonly event: PipeEvent; readonly zone: string }) => (
  <tr>
    <td>{timeIn(event.at, zone)}</td>
    <td>
      {event.from === null ? "Created" : event.from} <span aria-label="to">→</span> <State state={event.to} />
    </td>
    <td>
      <bdi>{byText(event)}</bdi>
    </td>
    <td class="wrapped">
      <bdi>{event.message ?? ""}</bdi>
    </td>
  </tr>
)

interface OlderProps {
  readonly polls: Polls
  readonly last: PipeEvent
  readonly onRead: (page: PipeEvents) => void
}

/** Reads the events before the last one that is shown. */
const Older = ({ last, onRead, polls }: OlderProps) => {
  const failed = useSignal<CallFailed | undefined>(undefined)
  const read = async () => {
    failed.value = undefined
    try {
      onRead(await calls.pipe.events({ ...polls.address, before: last.position, limit: most }))
    } catch (error) {
      failed.value = asFailed(error)
    }
  }
  return (
    <>
      {failed.value === undefined ? null : <Failed failed={failed.value} />}
      <button type="button" onClick={() => void read()}>
        Older
      </button>
    </>
  )
}

const Listed = ({ events, zone }: { readonly events: PipeEvents; readonly zone: string }) => (
  <div class="scroll" tabIndex={0} role="region" aria-label="List of the events">
    <table>
      <thead>
        <tr>
          <th scope="col">Time ({zone})</th>
          <th scope="col">State</th>
          <th scope="col">By</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <Row key={event.position} event={event} zone={zone} />
        ))}
      </tbody>
    </table>
  </div>
)

/** The changes of the pipe's state, with who made them and why. */
export const Events = ({ polls }: { readonly polls: Polls }) => {
  const { zone } = rangeOfPlace()
  const known = useRef<PipeEvents>([])
  const isEnd = useSignal(false)
  const read = useSignal(0)
  const newest = polls.events.value.value
  if (newest !== undefined) known.current = joinNewest(known.current, newest)
  const all = known.current
  const last = all.at(-1)
  const add = (page: PipeEvents) => {
    known.current = [...known.current, ...page]
    isEnd.value = page.length < most
    read.value += 1
  }
  return (
    <section aria-labelledby="events">
      <h2 id="events">Events</h2>
      <Polled poll={polls.events} of="the events">
        {() => (all.length === 0 ? <p class="quiet">No events are kept.</p> : <Listed events={all} zone={zone} />)}
      </Polled>
      {last === undefined || isEnd.value || (read.value === 0 && all.length < most) ? null : (
        <Older polls={polls} last={last} onRead={add} />
      )}
    </section>
  )
}
