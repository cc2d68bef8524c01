import type { SourceError } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Cluster } from "../protocol/Cluster.ts"

interface GroupOffset {
  readonly topic: string
  readonly partition: number
  readonly offset: bigint
}

const interval = "5 seconds"

/**
 * Commits the offsets that have changed to a consumer group, every few seconds and when the scope closes. Only tools that show
 * the lag read them, so a commit that fails stops nothing: it is tried again with the next one. Only failures that last are
 * logged, once: a group's first request makes its coordinator, and fails.
 */
export const makeGroupOffsets = Effect.fnUntraced(function* (cluster: Cluster, group: string) {
  const offsets = new Map<string, GroupOffset>()
  const committed = new Map<string, bigint>()
  let failures = 0

  const warn = (error: SourceError) =>
    Effect.suspend(() => {
      failures += 1
      if (failures !== 2) return Effect.void
      return Effect.logWarning(`no offsets are committed to the group ${group}: ${error.message}`)
    })
  const commit = Effect.gen(function* () {
    const changed = Array.from(offsets).filter(([partition, { offset }]) => committed.get(partition) !== offset)
    if (changed.length === 0) return
    yield* cluster.commit(
      group,
      changed.map(([, offset]) => offset)
    )
    failures = 0
    for (const [partition, { offset }] of changed) committed.set(partition, offset)
  }).pipe(Effect.catch(warn))

  yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(commit, "2 seconds")))
  yield* Effect.forkScoped(Effect.repeat(commit, Schedule.spaced(interval)))
  return (offset: GroupOffset) =>
    Effect.sync(() => {
      offsets.set(`${offset.topic}/${offset.partition}`, offset)
    })
})
