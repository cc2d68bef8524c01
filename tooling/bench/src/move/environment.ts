// What the contestants of bench:move share: the ClickHouse engine in this process, and a Kafka with topics of events.
import { type KafkaBroker, kafkaMissing, startKafka } from "@headgate/harness/KafkaBroker"
import { ClickHouse } from "@headgate/mover-clickhouse"
import { ProduceAcks, Producer } from "@platformatic/kafka"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { embedded, engineMissing } from "../../../../packages/mover-clickhouse/test/support/engine.ts"
import { makeTopic } from "../../../../packages/mover-kafka/test/support/topics.ts"

/** A column of a table, as ClickHouse writes it. */
export interface Column {
  readonly name: string
  readonly type: string
}

const columns: ReadonlyArray<Column> = [
  { name: "id", type: "UInt64" },
  { name: "user", type: "String" },
  { name: "amount", type: "Decimal(12, 2)" },
  { name: "at", type: "DateTime" }
]
export const structureOf = (columns: ReadonlyArray<Column>) =>
  columns.map(({ name, type }) => `${name} ${type}`).join(", ")

/** Where the contestants read and write. */
export interface Environment {
  readonly engine: ClickHouse["Service"]
  readonly broker: KafkaBroker
  /** An empty folder. */
  readonly folder: string
}

/** Messages of a topic, and the table that takes them. */
export interface Events {
  readonly topic: string
  readonly columns: ReadonlyArray<Column>
  readonly messages: number
  readonly valueOf: (id: number) => string
}

const partitions = 2

/** Messages: `more` is what stands behind the fields of `columns`. */
export const eventsOf = (
  topic: string,
  messages: number,
  more: { readonly columns: ReadonlyArray<Column>; readonly fields: (id: number) => string } = {
    columns: [],
    fields: () => ""
  }
): Events => ({
  topic,
  columns: [...columns, ...more.columns],
  messages,
  valueOf: (id) =>
    `{"id":${id},"user":"user-${id % 10_007}","amount":"${id % 997}.25","at":${1_700_000_000 + id}${more.fields(id)}}`
})

/** Makes a topic and fills it. */
export const produce = Effect.fnUntraced(function* (
  { broker }: Pick<Environment, "broker">,
  { messages, topic, valueOf }: Events
) {
  const options = { clientId: "bench", bootstrapBrokers: [broker.plain] }
  yield* makeTopic(broker, { name: topic, partitions })
  const producer = yield* Effect.acquireRelease(
    Effect.sync(() => new Producer({ ...options, acks: ProduceAcks.ALL })),
    (producer) => Effect.promise(() => producer.close(true))
  )
  for (let first = 0; first < messages; first += 10_000) {
    const batch = Array.from({ length: Math.min(10_000, messages - first) }, (_, index) => ({
      topic,
      partition: (first / 10_000) % partitions,
      key: Buffer.from(`key-${first + index}`),
      value: Buffer.from(valueOf(first + index))
    }))
    yield* Effect.promise(() => producer.send({ messages: batch }))
  }
}, Effect.scoped)

/** Starts the engine and Kafka, which end with the scope. Fails with what is missing on this machine. */
export const makeEnvironment = Effect.gen(function* () {
  const missing = engineMissing() ?? kafkaMissing()
  if (missing !== undefined) return yield* Effect.fail(missing)
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "headgate-bench-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const engine = Context.get(yield* Layer.build(embedded), ClickHouse)
  return { engine, folder, broker: yield* startKafka() } satisfies Environment
})
