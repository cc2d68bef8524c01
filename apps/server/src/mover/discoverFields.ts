import { type DiscoveredSchema, PipeId, PipeSource, ServerError } from "@headgate/core"
import { Source } from "@headgate/mover"
import { type ClickHouse, inferColumns } from "@headgate/mover-clickhouse"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { AllowedSources } from "./allowedSources.ts"
import { type RangesKind, type ReadSource, SourceRefused } from "./SourceKind.ts"

/** No pipe has this id: a range of a sample belongs to none. */
const samplePipe = PipeId.make("00000000-0000-4000-8000-000000000000")

/** What is read of each partition, and how many partitions there are. */
const limits = { rows: 100, bytes: 100 * 1024, wait: Duration.seconds(1) }
const partitions = 8
const longest = Duration.seconds(15)

/** The first rows of the first partitions. */
const sample = Effect.fnUntraced(function* (kind: RangesKind, read: ReadSource, allowed: AllowedSources) {
  const source = Context.get(yield* Layer.build(kind.layer(read, allowed)), Source)
  const identity = yield* source.identity
  const found = (yield* source.partitions).slice(0, partitions)
  const rows = yield* Effect.forEach(
    found,
    Effect.fnUntraced(function* ({ partition, start: from }) {
      const plan = yield* source.plan(partition, from, limits)
      if (plan._tag !== "Planned") return []
      const { detail, to } = plan
      const range = { pipeId: samplePipe, generation: 1, source: identity, partition, from, to }
      return yield* Stream.runCollect(source.read(detail === undefined ? range : { ...range, detail }))
    }),
    { concurrency: partitions }
  )
  return rows.flat()
}, Effect.scoped)

/** The fields of a source, from a sample of its rows; the types are those that the engine of the warehouse finds. */
export const discoverFields = Effect.fn("discoverFields")(function* (
  engine: ClickHouse["Service"],
  kind: RangesKind,
  read: ReadSource,
  allowed: AllowedSources
) {
  const path = `source.${PipeSource.kind(read.source)}`
  if (kind.fromStart === undefined) {
    return yield* new SourceRefused({ path, message: "the fields of this kind of source are not discovered yet" })
  }
  const rows = yield* sample(kind, kind.fromStart(read), allowed).pipe(
    Effect.timeoutOption(longest),
    Effect.catch((error) =>
      Effect.fail(error._tag === "SourceRefused" ? error : new SourceRefused({ path, message: error.message }))
    )
  )
  if (Option.isNone(rows)) {
    const message = `the source did not answer within ${Duration.format(longest)}`
    return yield* new SourceRefused({ path, message })
  }
  const columns = yield* inferColumns(engine, rows.value).pipe(
    Effect.mapError(({ message }) => new ServerError({ message: `the warehouse: ${message}` }))
  )
  if (columns.length === 0) {
    return yield* new SourceRefused({ path, message: "the source has no rows yet that are JSON objects" })
  }
  const found: DiscoveredSchema = {
    fields: columns.map(({ isOptional, name, type }) => ({ name, type, optional: isOptional }))
  }
  return found
})
