import * as Effect from "effect/Effect"
import { compareKeys, isAbove } from "../key/Bucket.ts"
import type { StoredObject } from "../storage/objectReference.ts"
import type { Storage } from "../storage/Storage.ts"
import type { PlannedObject } from "./detail.ts"

const requestsAtOnce = 8
/** A list of 1,000 keys costs about as much as this many descriptions of an object. */
const fewest = 10

const isSame = (planned: PlannedObject, found: StoredObject | undefined): boolean =>
  found !== undefined && found.etag === planned.etag && found.size === planned.size

/**
 * The keys of the objects that are not as they were planned, or are gone. Each is asked for, or a list is read that has many of them:
 * small objects are planned by the thousand.
 */
export const findChanged = Effect.fnUntraced(function* (
  storage: Storage,
  prefix: string,
  planned: ReadonlyArray<PlannedObject>
) {
  const changed = new Set<string>()
  const describe = Effect.fnUntraced(function* (object: PlannedObject) {
    if (!isSame(object, yield* storage.find(object.key))) changed.add(object.key)
  })
  let rest = planned.toSorted((one, other) => compareKeys(one.key, other.key))
  for (let first = rest[0]; first !== undefined && rest.length >= fewest; first = rest[0]) {
    yield* describe(first)
    const { isTruncated, objects } = yield* storage.list(prefix, first.key)
    const last = objects.at(-1)
    const found = new Map(objects.map((object) => [object.key, object]))
    const covered = rest.slice(1).filter(({ key }) => !isTruncated || (last !== undefined && !isAbove(key, last.key)))
    for (const object of covered) if (!isSame(object, found.get(object.key))) changed.add(object.key)
    rest = rest.slice(1 + covered.length)
    if (covered.length < fewest) break
  }
  yield* Effect.forEach(rest, describe, { concurrency: requestsAtOnce, discard: true })
  return changed
})
