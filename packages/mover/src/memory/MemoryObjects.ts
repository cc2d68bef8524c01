import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Plan, RangeObject, Source } from "../port/Source.ts"
import { RangeChanged, SourceError } from "../range/MoveError.ts"
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

/**
 * Objects in memory as a source: each range is one of them, in the order of their keys. `refuses` says why an object is not
 * taken.
 */
const make = (options: { readonly refuses?: (key: string) => string | undefined } = {}) => {
  const { refuses = () => undefined } = options
  const objects = new Map<string, StoredObject>()
  const state = { versions: 0, ended: false }

  const verify = ({ detail, to }: Range) =>
    Effect.suspend(() =>
      objects.get(to)?.version === detail
        ? Effect.void
        : Effect.fail(new RangeChanged({ message: `object ${to} has changed since it was planned` }))
    )

  const source: Source["Service"] = {
    identity: Effect.succeed("memory"),
    partitions: Effect.succeed([{ partition: "objects", first: "", start: "" }]),
    plan: Effect.fn("MemoryObjects.plan")(function* (_, from, limits) {
      const find = Effect.sync(() =>
        Array.from(objects.keys())
          .toSorted()
          .find((key) => key > from)
      )
      let key = yield* find
      if (key === undefined && !state.ended) {
        yield* Effect.sleep(limits.wait)
        key = yield* find
      }
      const object = key === undefined ? undefined : objects.get(key)
      if (key === undefined || object === undefined) return { _tag: state.ended ? "End" : "Nothing" } satisfies Plan
      const bytes = object.rows.join("\n").length
      return { _tag: "Planned", to: key, rows: 0, bytes, detail: object.version } satisfies Plan
    }),
    read: () => Stream.fail(new SourceError({ message: "the warehouse reads these ranges" })),
    objects: {
      reference: (range) =>
        Effect.map(verify(range), (): ReadonlyArray<RangeObject> => {
          const [done, reason] = [{ key: range.to, etag: range.detail ?? "" }, refuses(range.to)]
          if (reason !== undefined) return [{ ...done, _tag: "Refused", reason }]
          return [{ ...done, _tag: "Read", object: referenceTo(range.to) }]
        }),
      verify
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
