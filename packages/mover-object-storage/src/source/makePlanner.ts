import type { ObjectRecord, Plan, RangeLimits } from "@headgate/mover"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { encodeDetail, type PlannedObject } from "./detail.ts"
import { type ListerOptions, makeLister, toDone } from "./makeLister.ts"

/** The most that a range of several objects holds. A larger object is in a range of its own. */
const mostObjects = 1000
const mostBytes = 32_000_000

// One that is forgotten is planned in a group, and leaves it again.
const mostAlone = 10_000

const nothingRead: ObjectRecord = { begin: Effect.void, find: () => Effect.succeed(new Map()), end: Effect.void }

/** Plans ranges of the objects that a record lacks. */
export const makePlanner = (options: ListerOptions & { readonly isContinuous: boolean }) => {
  const lister = makeLister(options)
  /** What was listed and not planned, in its order. */
  let waiting: ReadonlyArray<PlannedObject> = []
  /** The keys of objects that no others are read with. */
  const alone = new Set<string>()
  /** Whether all that was listed is planned, and nobody has asked for more. */
  let isAtEnd = false

  const takeListing = () => {
    const listing = lister.takeListing()
    return listing === undefined ? {} : { listing }
  }

  /** Takes the next objects of a range out of those that wait. */
  const takeGroup = (most: number): ReadonlyArray<PlannedObject> => {
    let bytes = 0
    let count = 0
    for (const { key, size } of waiting) {
      bytes += size
      if (count > 0 && (bytes > mostBytes || count >= most || alone.has(key))) break
      count += 1
      if (alone.has(key)) break
    }
    const group = waiting.slice(0, count)
    waiting = waiting.slice(count)
    return group
  }

  const plan = Effect.fn("ObjectStorage.plan")(function* (
    _: string,
    from: string,
    { objects: limit = mostObjects, wait }: RangeLimits,
    record: ObjectRecord = nothingRead
  ) {
    const until = (yield* Clock.monotonicTimeNanos) + Duration.toNanosUnsafe(wait)
    while (true) {
      const group = takeGroup(Math.min(limit, mostObjects))
      if (group.length > 0) {
        // What was listed long ago, or twice, may be read by now.
        const known = yield* record.find(group.map(toDone))
        const objects = group.filter(({ key }) => !known.has(key))
        if (objects.length === 0) continue
        return {
          ...takeListing(),
          _tag: "Planned",
          to: String(Number(from) + 1),
          rows: 0,
          bytes: objects.reduce((sum, { size }) => sum + size, 0),
          detail: encodeDetail(objects),
          objects: objects.map(toDone)
        } satisfies Plan
      }
      const now = yield* Clock.monotonicTimeNanos
      const next = lister.next()
      if (lister.isOpen() || next === undefined || now >= next) {
        waiting = yield* lister.read(record)
        // Once it has all been read, the next look is made only if somebody asks for it.
        isAtEnd = !lister.isOpen()
        continue
      }
      if (!options.isContinuous && isAtEnd) {
        isAtEnd = false
        return { _tag: "End", ...takeListing() } satisfies Plan
      }
      if (now >= until) return { _tag: "Nothing", ...takeListing() } satisfies Plan
      yield* Effect.sleep(Duration.nanos((next < until ? next : until) - now))
    }
  })

  return {
    plan,
    /** Plans these objects in ranges of their own. */
    planAlone: (objects: ReadonlyArray<PlannedObject>) => {
      for (const { key } of objects) {
        const [oldest = key] = alone
        if (alone.size >= mostAlone) alone.delete(oldest)
        alone.add(key)
      }
      waiting = [...objects, ...waiting]
    },
    reset: () => {
      lister.reset()
      waiting = []
      isAtEnd = false
    }
  }
}
