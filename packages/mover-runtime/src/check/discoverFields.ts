import { type DiscoveredSchema, ServerError } from "@headgate/core"
import { noPipe, type ObjectSample, type RangesReader, type RowSample, Source, SourceRefused } from "@headgate/mover"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { InferredFields, WarehouseEngine } from "../warehouse/WarehouseEngine.ts"

/** What is read of each partition, and how many partitions there are. */
const limits = { rows: 100, bytes: 100 * 1024, wait: Duration.seconds(1) }
const partitions = 8
const longest = Duration.seconds(15)

/** How many rows are answered, and how many bytes they may have as JSON. */
const answered = { rows: 20, bytes: 64 * 1024 }

const utf8 = new TextEncoder()

/** The first rows that fit in an answer, each of them whole. */
const fitting = (samples: InferredFields["samples"]): InferredFields["samples"] => {
  const first = samples.slice(0, answered.rows)
  let bytes = 0
  const end = first.findIndex((row) => (bytes += utf8.encode(JSON.stringify(row)).length) > answered.bytes)
  return end === -1 ? first : first.slice(0, end)
}

/** The columns of the first rows of the first partitions. */
const columnsOfRows = Effect.fnUntraced(function* (engine: WarehouseEngine, { layer }: RowSample) {
  const source = Context.get(yield* Layer.build(layer), Source)
  const identity = yield* source.identity
  const found = (yield* source.partitions).slice(0, partitions)
  const rows = yield* Effect.forEach(
    found,
    Effect.fnUntraced(function* ({ partition, start: from }) {
      const plan = yield* source.plan(partition, from, limits)
      if (plan._tag !== "Planned") return []
      const { detail, to } = plan
      const range = { pipeId: noPipe, generation: 1, source: identity, partition, from, to }
      return yield* Stream.runCollect(source.read(detail === undefined ? range : { ...range, detail }))
    }),
    { concurrency: partitions }
  )
  return yield* engine.inferColumns(rows.flat())
}, Effect.scoped)

const refuse = (path: string, message: string) => Effect.fail(new SourceRefused({ path, message }))

/** The columns of the first object. */
const columnsOfObject = Effect.fnUntraced(function* (
  engine: WarehouseEngine,
  path: string,
  { first, formatField }: ObjectSample
) {
  return yield* Effect.flatMap(first, engine.describeObject).pipe(
    Effect.catchTag("ObjectRejected", ({ reason }) =>
      refuse(`${path}.${formatField}`, `the first object cannot be read: ${reason}`)
    )
  )
})

const columnsOf = Effect.fnUntraced(function* (
  engine: WarehouseEngine,
  path: string,
  sample: RowSample | ObjectSample
) {
  return sample._tag === "Rows" ? yield* columnsOfRows(engine, sample) : yield* columnsOfObject(engine, path, sample)
})

/** The fields of a source, from a sample of its rows; the types are those that the engine of the warehouse finds. */
export const discoverFields = Effect.fn("discoverFields")(function* (
  engine: WarehouseEngine,
  { sample }: RangesReader,
  kind: string
) {
  const path = `source.${kind}`
  const inferred = yield* columnsOf(engine, path, sample).pipe(
    Effect.timeoutOption(longest),
    Effect.mapError((error) => {
      switch (error._tag) {
        case "SourceRefused":
          return error
        case "WarehouseError":
        case "WarehouseRefused":
          return new ServerError({ message: `the warehouse: ${error.message}` })
        case "SourceError":
          return new SourceRefused({
            path: error.field === undefined ? path : `${path}.${error.field}`,
            message: error.message
          })
        default:
          return new SourceRefused({ path, message: error.message })
      }
    })
  )
  if (Option.isNone(inferred)) {
    return yield* refuse(path, `the source did not answer within ${Duration.format(longest)}`)
  }
  const { columns, samples } = inferred.value
  if (columns.length === 0) return yield* refuse(path, "the source has no rows yet that are JSON objects")
  const fields = columns.map(({ isOptional, name, type }) => ({ name, type, optional: isOptional }))
  const shown = fitting(samples)
  const found: DiscoveredSchema = shown.length === 0 ? { fields } : { fields, samples: shown }
  return found
})
