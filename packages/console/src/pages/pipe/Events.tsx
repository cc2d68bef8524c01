import { useSignal } from "@preact/signals"
import { CallFailed } from "../../data/CallFailed.ts"
import { calls } from "../../data/calls.ts"
import { timeIn } from "../../format/times.ts"
import { Failed, Polled } from "../../parts/Conditions.tsx"
import { State } from "../../parts/State.tsx"
import { rangeOfPlace } from "../../parts/timeRange/TimeRange.tsx"
import type { PipeEvents, Polls } from "./usePipe.ts"

type PipeEvent = PipeEvents[number]

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

const Older = ({ after, polls, zone }: { readonly after: PipeEvent; readonly polls: Polls; readonly zone: string }) => {
  const older = useSignal<PipeEvents>([])
  const isEnd = useSignal(false)
  const failed = useSignal<CallFailed | undefined>(undefined)
  const read = async () => {
    const before = (older.value.at(-1) ?? after).position
    failed.value = undefined
    try {
      const page = await calls.pipe.events({ ...polls.address, before, limit: 50 })
      older.value = [...older.value, ...page]
      isEnd.value = page.length < 50
    } catch (error) {
      failed.value = error instanceof CallFailed ? error : new CallFailed(String(error))
    }
  }
  return (
    <>
      {older.value.map((event) => (
        <Row key={event.position} event={event} zone={zone} />
      ))}
      {isEnd.value ? null : (
        <tr>
          <td colSpan={4}>
            {failed.value === undefined ? null : <Failed failed={failed.value} />}
            <button type="button" onClick={() => void read()}>
              Older
            </button>
          </td>
        </tr>
      )}
    </>
  )
}

/** The changes of the pipe's state, with who made them and why. */
export const Events = ({ polls }: { readonly polls: Polls }) => {
  const { zone } = rangeOfPlace()
  // Older pages follow the first page that was read: what comes in later does not move them.
  const first = useSignal<PipeEvent | undefined>(undefined)
  return (
    <section aria-labelledby="events">
      <h2 id="events">Events</h2>
      <Polled poll={polls.events} of="the events">
        {(events) => {
          const last = events.at(-1)
          if (first.value === undefined && events.length === 50 && last !== undefined) first.value = last
          const anchor = first.value
          const shown = anchor === undefined ? events : events.filter((event) => event.at >= anchor.at)
          return events.length === 0 ? (
            <p class="quiet">No events are kept.</p>
          ) : (
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
                  {shown.map((event) => (
                    <Row key={event.position} event={event} zone={zone} />
                  ))}
                  {anchor === undefined ? null : <Older after={anchor} polls={polls} zone={zone} />}
                </tbody>
              </table>
            </div>
          )
        }}
      </Polled>
    </section>
  )
}
