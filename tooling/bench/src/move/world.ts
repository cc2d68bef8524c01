// What the contestants of bench:move share: a Kafka with one topic, and the ClickHouse engine in this process.
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

/** The columns of every contestant's table, as ClickHouse writes them. */
export const columns = [
  { name: "id", type: "UInt64" },
  { name: "user", type: "String" },
  { name: "amount", type: "Decimal(12, 2)" },
  { name: "at", type: "DateTime" }
]
export const columnsText = columns.map(({ name, type }) => `${name} ${type}`).join(", ")

export const topic = "events"
export const partitions = 2

/** Where the contestants write. */
export interface World {
  readonly engine: ClickHouse["Service"]
  /** An empty folder. */
  readonly folder: string
}

/** A topic with so many messages beside it. */
export interface TopicWorld extends World {
  readonly broker: KafkaBroker
  readonly messages: number
}

const messageOf = (id: number) =>
  Buffer.from(`{"id":${id},"user":"user-${id % 10_007}","amount":"${id % 997}.25","at":${1_700_000_000 + id}}`)

const produce = Effect.fnUntraced(function* (broker: KafkaBroker, messages: number) {
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
      value: messageOf(first + index)
    }))
    yield* Effect.promise(() => producer.send({ messages: batch }))
  }
}, Effect.scoped)

/** Starts the engine, which ends with the scope. Fails with what is missing on this machine. */
export const makeWorld = Effect.gen(function* () {
  const missing = engineMissing()
  if (missing !== undefined) return yield* Effect.fail(missing)
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "headgate-bench-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  return { engine: Context.get(yield* Layer.build(embedded), ClickHouse), folder } satisfies World
})

/** Starts Kafka and fills the topic. It ends with the scope. Fails with what is missing on this machine. */
export const makeTopicWorld = Effect.fnUntraced(function* (world: World, messages: number) {
  const missing = kafkaMissing()
  if (missing !== undefined) return yield* Effect.fail(missing)
  const broker = yield* startKafka()
  yield* produce(broker, messages)
  return { ...world, broker, messages } satisfies TopicWorld
})
