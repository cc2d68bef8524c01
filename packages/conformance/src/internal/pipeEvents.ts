import { type BeforeQuery, type PipeAddress, type PipeEvent, Pipes } from "@headgate/core"
import * as Effect from "effect/Effect"

/** An event without its position and its time. */
export interface EventOf {
  readonly from: string | null
  readonly to: string
  readonly by: string
  readonly message?: string
  readonly key?: { readonly id: string; readonly name: string }
  readonly mover?: string
}

/** The members of an event that have a value. */
export const eventOf = ({ by, from, key, message, mover, to }: PipeEvent): EventOf => ({
  from,
  to,
  ...(typeof message === "string" ? { message } : {}),
  by,
  ...(key ? { key: { id: key.id, name: key.name ?? "" } } : {}),
  ...(typeof mover === "string" ? { mover } : {})
})

/** The events of a pipe, newest first. */
export const readEvents = (address: PipeAddress, query: BeforeQuery = {}) =>
  Pipes.use((pipes) => pipes.events(address, query))

export const eventsOf = (address: PipeAddress) => Effect.map(readEvents(address), (events) => events.map(eventOf))
