import { ReceivedElements } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"

/** Calls a list of a port: `received` holds its elements as the service sent them, those that cannot be read, too. */
export const listReceived = Effect.fnUntraced(function* <A, E, R>(list: Effect.Effect<A, E, R>) {
  const received = MutableRef.make<ReadonlyArray<unknown>>([])
  const elements = yield* Effect.provideService(list, ReceivedElements, received)
  return { elements, received: MutableRef.get(received) }
})
