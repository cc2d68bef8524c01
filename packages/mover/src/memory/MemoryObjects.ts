import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { ObjectRecord, Plan, RangeObject, Source } from "../port/Source.ts"
import type { DoneObject } from "../range/DoneObject.ts"
import { SourceError } from "../range/MoveError.ts"
import type { ObjectReference } from "../range/ObjectReference.ts"
import type { Range } from "../range/Range.ts"

interface StoredObject {
  readonly version: string
  readonly rows: ReadonlyArray<string>
}

const referenceTo = (key: string): ObjectReference => ({
  key,
  format: "JSONEachRow",
  compression: "none",
  address: Effect.succeed({ _tag: "S3", url: `https://memory.test/${encodeURIComponent(key)}` })
})

const nothingRead: ObjectRecord = { begin: Effect.void, find: () => Effect.succeed(new Map()), end: Effect.void }

const Detail = Schema.fromJsonString(Schema.Array(Schema.Struct({ key: Schema.String, etag: Schema.String })))
const [decodeDetail, encodeDetail] = [Schema.decodeSync(Detail), Schema.encodeSync(Detail)]

const objectsOf = ({ detail = "[]" }: Range): ReadonlyArray<DoneObject> => decodeDetail(detail)

/**
 * Objects in memory as a source. Each range is one of them in the order of their keys, or `together` of them. `refuses` says why an
 * object is not taken.
 */
const make = (options: { readonly refuses?: (key: string) => string | undefined; readonly together?: number } = {}) => {
  const { refuses = () => undefined, together = 1 } = options
  const objects = new Map<string, StoredObject>()
  const state = { versions: 0, ended: false }
  const alone = new Set<string>()
  const sizeOf = (key: string): number => objects.get(key)?.rows.join("\n").length ?? 0

  /** The next objects that the record lacks, and how many it has in another version. */
  const findNext = Effect.fnUntraced(function* (record: ObjectRecord, most: number) {
    yield* record.begin
    const listed = Array.from(objects, ([key, { version }]) => ({ key, etag: version })).toSorted((one, other) =>
      one.key < other.key ? -1 : 1
    )
    const known = yield* record.find(listed)
    yield* record.end
    const found = listed.filter(({ key }) => !known.has(key))
    const end = found.findIndex(({ key }) => alone.has(key))
    return {
      next: found.slice(0, Math.min(most, end < 0 ? Infinity : Math.max(1, end))),
      changed: listed.filter(({ key }) => known.get(key) === "another").length
    }
  })

  const source: Source["Service"] = {
    identity: Effect.succeed("memory"),
    partitions: Effect.succeed([{ partition: "objects", first: "0", start: "0" }]),
    plan: Effect.fn("MemoryObjects.plan")(function* (_, from, limits, record = nothingRead) {
      const find = findNext(record, Math.min(together, limits.objects ?? Infinity))
      let found = yield* find
      if (found.next.length === 0 && !state.ended) {
        yield* Effect.sleep(limits.wait)
        found = yield* find
      }
      const { changed, next } = found
      const listing = { changed, duration: Duration.zero }
      if (next.length === 0) return { _tag: state.ended ? "End" : "Nothing", listing } satisfies Plan
      const bytes = next.reduce((sum, { key }) => sum + sizeOf(key), 0)
      const detail = encodeDetail(next)
      const to = String(Number(from) + 1)
      return { _tag: "Planned", to, rows: 0, bytes, detail, objects: next, listing } satisfies Plan
    }),
    read: () => Stream.fail(new SourceError({ message: "the warehouse reads these ranges" })),
    objects: {
      reference: (range) =>
        Effect.sync(() =>
          objectsOf(range).map((one): RangeObject => {
            const [reason, size] = [refuses(one.key), sizeOf(one.key)]
            return reason === undefined
              ? { ...one, size, _tag: "Read", object: referenceTo(one.key) }
              : { ...one, size, _tag: "Refused", reason }
          })
        ),
      changed: (range) =>
        Effect.sync(
          () => new Set(objectsOf(range).flatMap(({ etag, key }) => (objects.get(key)?.version === etag ? [] : [key])))
        ),
      leave: (range, keys, isAlone) =>
        Effect.sync(() => {
          if (isAlone) for (const key of keys) alone.add(key)
          return encodeDetail(objectsOf(range).filter(({ key }) => !keys.has(key)))
        })
    }
  }

  return {
    source,
    /** What {@link MemoryWarehouseOptions} asks for. */
    objects: (key: string): ReadonlyArray<string> | undefined => objects.get(key)?.rows,
    /** Writes an object, in the place of one that has its key. */
    put: (key: string, ...rows: ReadonlyArray<string>) =>
      Effect.sync(() => {
        state.versions += 1
        objects.set(key, { version: String(state.versions), rows })
      }),
    remove: (key: string) => Effect.sync(() => void objects.delete(key)),
    /** Says that no more objects come: a pipe that has read all is Completed. */
    end: Effect.sync(() => {
      state.ended = true
    })
  }
}

/**
 * Objects in memory as a source, for tests. A `MemoryWarehouse` reads them if it is made with `objects`.
 *
 * @example
 * ```ts
 * import { Source, Warehouse } from "@headgate/mover"
 * import { MemoryObjects, MemoryWarehouse } from "@headgate/mover/memory"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const memory = MemoryObjects.make()
 * const { warehouse } = MemoryWarehouse.make({ objects: memory.objects })
 * export const TestParts = Layer.mergeAll(
 *   Layer.effect(Source, Effect.as(memory.put("logs/1.json", '{"n":1}'), memory.source)),
 *   Layer.succeed(Warehouse, warehouse)
 * )
 * ```
 */
export const MemoryObjects = { make }
