import { Admin, type AdminOptions, FetchIsolationLevels, Producer, ProduceAcks } from "@platformatic/kafka"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { KafkaOptions } from "../../src/index.ts"
import type { KafkaBroker } from "@headgate/harness/KafkaBroker"

const text = new TextEncoder()

const optionsOf = ({ plain }: KafkaBroker): AdminOptions => ({
  clientId: "test",
  bootstrapBrokers: [plain],
  retries: 20
})

/** An admin client, and what tests do with it. */
export const makeAdmin = Effect.fnUntraced(function* (kafka: KafkaBroker) {
  return yield* Effect.acquireRelease(
    Effect.sync(() => new Admin(optionsOf(kafka))),
    (admin) => Effect.promise(() => admin.close())
  )
})

/** A producer, of transactions if it has an id. It is closed with the scope. */
export const makeProducer = Effect.fnUntraced(function* (kafka: KafkaBroker, transactionalId?: string) {
  const transactional = transactionalId === undefined ? {} : { transactionalId, idempotent: true }
  return yield* Effect.acquireRelease(
    Effect.sync(() => new Producer({ ...optionsOf(kafka), acks: ProduceAcks.ALL, ...transactional })),
    (producer) => Effect.promise(() => producer.close(true))
  )
})

let names = 0

/** The name of a topic that no other test has. */
export const newName = (): string => `topic-${(names += 1)}`

/** A new topic; configuration as `retention.ms` has it. */
export const makeTopic = Effect.fnUntraced(function* (
  kafka: KafkaBroker,
  options: {
    readonly name?: string
    readonly partitions?: number
    readonly configs?: Readonly<Record<string, string>>
  } = {}
) {
  const { name = newName(), partitions = 1 } = options
  const configs = Object.entries(options.configs ?? {}).map(([name, value]) => ({ name, value }))
  const admin = yield* makeAdmin(kafka)
  yield* Effect.promise(() => admin.createTopics({ topics: [name], partitions, replicas: 1, configs }))
  // The broker answers before it leads the partitions.
  const first = Array.from({ length: partitions }, (_, partitionIndex) => ({ partitionIndex, timestamp: -1n }))
  yield* Effect.retry(
    Effect.tryPromise(() => admin.listOffsets({ topics: [{ name, partitions: first }] })),
    Schedule.spaced("50 millis")
  )
  return name
}, Effect.scoped)

/** A message: its value, with a key if compaction is to find it; `null` is a tombstone. */
export interface TestMessage {
  readonly value: string | Uint8Array | null
  readonly key?: string
  readonly timestamp?: bigint
  readonly headers?: Readonly<Record<string, string>>
}

const bufferOf = (value: string | Uint8Array): Buffer =>
  Buffer.from(typeof value === "string" ? text.encode(value) : value)

/** The messages as the producer takes them. */
export const messagesOf = (topic: string, messages: ReadonlyArray<TestMessage | string>, partition = 0) =>
  messages.map((message) => {
    const { headers, key, timestamp, value }: TestMessage = typeof message === "string" ? { value: message } : message
    return {
      topic,
      partition,
      // A producer sends no value as one of `undefined`, which its type does not allow.
      ...(value === null ? ({} as { value: Buffer }) : { value: bufferOf(value) }),
      ...(key === undefined ? {} : { key: bufferOf(key) }),
      ...(headers === undefined
        ? {}
        : { headers: new Map(Object.entries(headers).map(([name, text]) => [bufferOf(name), bufferOf(text)])) }),
      ...(timestamp === undefined ? {} : { timestamp })
    }
  })

/** Appends messages to a partition. */
export const produce = Effect.fnUntraced(function* (
  kafka: KafkaBroker,
  topic: string,
  messages: ReadonlyArray<TestMessage | string>,
  partition = 0
) {
  const producer = yield* makeProducer(kafka)
  yield* Effect.promise(() => producer.send({ messages: messagesOf(topic, messages, partition) }))
}, Effect.scoped)

/**
 * Waits until all transactions before this offset of the first partition have ended. A broker answers the end of a transaction
 * before it writes the mark that ends it.
 */
export const waitForEnd = Effect.fnUntraced(function* (kafka: KafkaBroker, topic: string, offset: bigint) {
  const admin = yield* makeAdmin(kafka)
  const partitions = [{ partitionIndex: 0, timestamp: -1n }]
  const isolationLevel = FetchIsolationLevels.READ_COMMITTED
  yield* Effect.promise(() => admin.listOffsets({ topics: [{ name: topic, partitions }], isolationLevel })).pipe(
    Effect.repeat({
      until: ([answer]) => (answer?.partitions[0]?.offset ?? 0n) >= offset,
      schedule: Schedule.spaced("20 millis")
    })
  )
}, Effect.scoped)

/** Removes the messages below an offset, as retention does. */
export const deleteBefore = Effect.fnUntraced(function* (
  kafka: KafkaBroker,
  topic: string,
  offset: bigint,
  partition = 0
) {
  const admin = yield* makeAdmin(kafka)
  yield* Effect.promise(() => admin.deleteRecords({ topics: [{ name: topic, partitions: [{ partition, offset }] }] }))
}, Effect.scoped)

/** Deletes a topic and makes another one of its name. */
export const recreate = Effect.fnUntraced(function* (kafka: KafkaBroker, topic: string) {
  const admin = yield* makeAdmin(kafka)
  yield* Effect.promise(() => admin.deleteTopics({ topics: [topic] }))
  yield* makeTopic(kafka, { name: topic })
}, Effect.scoped)

/** The options of a source that reads one topic from its start. */
export const optionsFor = (kafka: KafkaBroker, topic: string, options: Partial<KafkaOptions> = {}): KafkaOptions => ({
  brokers: [kafka.plain],
  topics: [topic],
  start: "earliest",
  isReadCommitted: false,
  ...options
})
