import { useEffect, useRef } from "preact/hooks"
import { announce } from "../../data/announce.ts"
import { Polled } from "../../parts/Conditions.tsx"
import { State } from "../../parts/State.tsx"
import { TimeRange } from "../../parts/timeRange/TimeRange.tsx"
import { Title } from "../../parts/Title.tsx"
import { Attention } from "./Attention.tsx"
import { Commands } from "./Commands.tsx"
import { Definition } from "./Definition.tsx"
import { Events } from "./Events.tsx"
import { Facts } from "./Facts.tsx"
import { HistoryCharts } from "./HistoryCharts.tsx"
import { NewestRows } from "./NewestRows.tsx"
import { RejectedRows } from "./RejectedRows.tsx"
import { LeftOut, Tables } from "./Tables.tsx"
import { type PipeAddress, type PipeEvents, type Polls, usePipe } from "./usePipe.ts"

// The same list each time, so that charts without events are not drawn anew.
const noEvents: PipeEvents = []

/** Says a change of the state to those who do not see it. */
const useSaidState = ({ pipe, status }: Polls) => {
  const state = status.value.value?.state
  const before = useRef<string>(undefined)
  useEffect(() => {
    if (state !== undefined && before.current !== undefined && before.current !== state)
      announce(`${pipe.value.peek()?.value.name ?? "The pipe"} is ${state}`)
    before.current = state
  }, [state])
}

/** The page of a pipe: how it goes on, what it did, what it refused, and what can be done with it. */
export const Pipe = (params: PipeAddress) => {
  const polls = usePipe(params)
  const { address, events, pipe, status } = polls
  useSaidState(polls)
  const named = pipe.value.value?.value
  const state = status.value.value?.state ?? named?.state
  return (
    <>
      <div class="row">
        <Title>{named?.name ?? "Pipe"}</Title>
        {state === undefined ? null : <State state={state} />}
      </div>
      <Polled poll={pipe} of="the pipe">
        {({ value: document }) => (
          <>
            <Commands polls={polls} />
            <Polled poll={status} of="the status">
              {(found) => (
                <>
                  <Attention pipe={document} status={found} polls={polls} />
                  <Facts status={found} />
                </>
              )}
            </Polled>
            <section aria-labelledby="history">
              <div class="row section-head">
                <h2 id="history">History</h2>
                <TimeRange />
              </div>
              <HistoryCharts address={address} events={events.value.value ?? noEvents} />
            </section>
            <Events polls={polls} />
            <RejectedRows address={address} />
            <Tables pipe={document} status={status.value.value} />
            <LeftOut status={status.value.value} />
            <NewestRows pipe={document} />
            <Definition pipe={document} />
          </>
        )}
      </Polled>
    </>
  )
}
