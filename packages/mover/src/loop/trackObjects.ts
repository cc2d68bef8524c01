import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type { Ledger, Owner } from "../port/Ledger.ts"
import type { ObjectRecord } from "../port/Source.ts"
import type { DoneObject, ObjectList } from "../range/DoneObject.ts"

/** The record that a source of objects asks: what the ledger has as done, and the objects of the ranges that an owner delivers. */
export const trackObjects = (ledger: Ledger["Service"], owner: Owner) => {
  const pending = new Map<string, string>()
  let list: ObjectList | undefined
  const begin = Effect.gen(function* () {
    list = yield* ledger.beginList(owner, yield* DateTime.now)
    return list
  })
  const record: ObjectRecord = {
    begin: Effect.asVoid(begin),
    find: Effect.fnUntraced(function* (objects) {
      // Before the ledger is asked: what is done meanwhile is pending in this copy.
      const planned = objects.flatMap(({ etag, key }) => {
        const known = pending.get(key)
        return known === undefined ? [] : [[key, known === etag ? "same" : "another"] as const]
      })
      const done = yield* ledger.doneObjects(owner, list ?? (yield* begin), objects)
      return new Map([...done, ...planned])
    }),
    end: Effect.suspend(() => (list === undefined ? Effect.void : ledger.endList(owner, list)))
  }
  return {
    record,
    /** Objects that a range holds which is recorded. */
    add: (objects: ReadonlyArray<DoneObject>) => {
      for (const { etag, key } of objects) pending.set(key, etag)
    },
    /** Those that the ledger has as done, and those that have left their range. */
    remove: (objects: ReadonlyArray<DoneObject>) => {
      for (const { key } of objects) pending.delete(key)
    }
  }
}
