import { SourceError } from "@headgate/mover"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type { Cluster, PartitionOffset } from "../protocol/Cluster.ts"

interface Waiting extends PartitionOffset {
  readonly arrived: Deferred.Deferred<void, SourceError>
}

/** How long a broker waits for a message. Who begins to wait meanwhile is not in that request, and may wait so long more. */
const longestWait = 1000

/** How long it waits if all partitions that it leads are in the request: only one that is added to the topic is not. */
const longestCommonWait = 20_000

/**
 * Waits for messages of partitions. There is one request to each broker for all partitions that wait, so that many idle
 * partitions cost little. `ledBy` is how many partitions a broker leads.
 */
export const makeLongPoll = Effect.fnUntraced(function* (cluster: Cluster, ledBy: (broker: string) => number) {
  const scope = yield* Scope.Scope
  const waiting = new Map<string, Set<Waiting>>()

  const ask = Effect.fnUntraced(function* (broker: string, waiting: ReadonlyArray<Waiting>) {
    const longest = waiting.length === ledBy(broker) ? longestCommonWait : longestWait
    const arrived = yield* Effect.exit(cluster.wait(waiting, longest))
    for (const one of waiting) {
      if (arrived._tag === "Failure") yield* Deferred.done(one.arrived, arrived)
      else if (arrived.value.has(one)) yield* Deferred.succeed(one.arrived, undefined)
    }
  })

  /** Asks a broker for as long as anyone waits. */
  const askFor = (broker: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const all = Array.from(waiting.get(broker) ?? [])
      if (all.length > 0) return Effect.andThen(ask(broker, all), askFor(broker))
      waiting.delete(broker)
      return Effect.void
    })

  /**
   * Waits until a partition has messages from an offset on, or something else that a fetch will tell. Returns whether it has,
   * in the time.
   */
  return Effect.fnUntraced(function* (place: PartitionOffset, longest: Duration.Duration) {
    const one: Waiting = { ...place, arrived: yield* Deferred.make<void, SourceError>() }
    const broker = yield* cluster.brokerOf(place)
    const others = waiting.get(broker)
    if (others === undefined) {
      waiting.set(broker, new Set([one]))
      yield* Effect.forkIn(askFor(broker), scope)
    } else {
      others.add(one)
    }
    const arrived = yield* Effect.timeoutOption(Deferred.await(one.arrived), longest).pipe(
      Effect.ensuring(Effect.sync(() => waiting.get(broker)?.delete(one)))
    )
    return Option.isSome(arrived)
  })
})
