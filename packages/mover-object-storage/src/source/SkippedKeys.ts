import * as Effect from "effect/Effect"
import { isAbove } from "../key/Bucket.ts"
import type { StoredObject } from "../storage/objectReference.ts"
import type { Storage } from "../storage/Storage.ts"

// A key and its ETag take about 200 bytes.
const mostKeys = 100_000

/**
 * Counts objects that will not be read: those that appear below the position, and those that have changed since they were
 * read. It knows what this process has seen, of the first 100,000 keys: what happens while no process runs is not counted.
 */
export const makeSkippedKeys = (storage: Storage, prefix: string, matches: (key: string) => boolean, start: string) => {
  const known = new Map<string, string>()
  let hasRead = false

  const add = ({ etag, key }: StoredObject): void => {
    if (known.size < mostKeys || known.has(key)) known.set(key, etag)
  }

  return {
    /** Notes an object that is read. */
    add,
    /** Reads the keys up to a position, and counts those that are new there or have changed. */
    count: Effect.fnUntraced(function* (position: string) {
      let skipped = 0
      let after = start
      for (let keys = 0; keys < mostKeys;) {
        const { isTruncated, objects } = yield* storage.list(prefix, after)
        for (const object of objects) {
          const { etag, key } = object
          if (isAbove(key, position) || !matches(key)) continue
          if (hasRead && known.get(key) !== etag && (known.has(key) || known.size < mostKeys)) {
            skipped += 1
            const what = known.has(key) ? "has changed since it was read" : "sorts below the last one that was read"
            yield* Effect.logWarning(`object ${key} ${what}: it is not read`)
          }
          add(object)
        }
        const last = objects.at(-1)
        keys += objects.length
        if (last === undefined || !isTruncated || isAbove(last.key, position)) break
        after = last.key
      }
      hasRead = true
      return skipped
    })
  }
}
