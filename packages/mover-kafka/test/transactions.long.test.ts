import { assert, it } from "@effect/vitest"
import type { Producer } from "@platformatic/kafka"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { KafkaSource } from "../src/index.ts"
import { describeKafka, type TestKafka } from "./support/describeKafka.ts"
import { planAll, readRange, readTopic } from "./support/readTopic.ts"
import { makeProducer, makeTopic, messagesOf, newName, optionsFor, waitForEnd } from "./support/topics.ts"

/** Sends batches in a transaction, each batch as one request, and ends it. */
const transact = Effect.fnUntraced(function* (
  producer: Producer,
  topic: string,
  end: "commit" | "abort",
  batches: ReadonlyArray<ReadonlyArray<string>>
) {
  yield* Effect.promise(async () => {
    const transaction = await producer.beginTransaction()
    for (const batch of batches) await transaction.send({ messages: messagesOf(topic, batch) })
    await transaction[end]()
  })
})

const committedSource = (kafka: TestKafka, topic: string, bufferBytes?: number) =>
  KafkaSource.make(
    optionsFor(kafka, topic, { isReadCommitted: true, ...(bufferBytes === undefined ? {} : { bufferBytes }) })
  )

describeKafka("transactions", (kafka) => {
  it.live("of several transactions of one producer in a fetch, the committed ones are read", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker)
      const producer = yield* makeProducer(broker, newName())
      const expected: Array<string> = []
      for (let round = 0; round < 4; round += 1) {
        yield* transact(producer, topic, "abort", [[`{"aborted":${round}}`], [`{"aborted":"${round}, again"}`]])
        const row = `{"committed":${round}}`
        yield* transact(producer, topic, "commit", [[row]])
        expected.push(row)
      }
      yield* waitForEnd(broker, topic, 20n)
      const source = yield* committedSource(broker, topic)
      const { ranges, texts } = yield* readTopic(source)
      assert.deepStrictEqual(texts, expected)
      // All of it came in one fetch: four transactions of the producer were aborted in it.
      assert.lengthOf(ranges, 1)

      const all = yield* readTopic(yield* KafkaSource.make(optionsFor(broker, topic)))
      assert.lengthOf(all.texts, 12)
    }).pipe(Effect.scoped)
  )

  it.live("an aborted transaction that spans fetches is left out of each of them", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker)
      const [one, two] = [yield* makeProducer(broker, newName()), yield* makeProducer(broker, newName())]
      const large = "x".repeat(60_000)
      yield* transact(one, topic, "commit", [[`{"n":0}`]])
      // The second producer commits in the middle of the first one's transaction.
      yield* Effect.promise(async () => {
        const aborted = await one.beginTransaction()
        for (let part = 0; part < 6; part += 1) {
          await aborted.send({ messages: messagesOf(topic, [`{"aborted":"${large}"}`]) })
          const committed = await two.beginTransaction()
          await committed.send({ messages: messagesOf(topic, [`{"n":${part + 1},"x":"${large}"}`]) })
          await committed.commit()
        }
        await aborted.abort()
      })
      yield* transact(one, topic, "commit", [[`{"n":7}`]])
      yield* waitForEnd(broker, topic, 23n)

      // A range of 64 KiB is one fetch, so the transaction is in six of them or more.
      const within = { rows: 1000, bytes: 64 * 1024, wait: Duration.millis(200) }
      const source = yield* committedSource(broker, topic, 0)
      const { ranges, texts } = yield* readTopic(source, within)
      assert.isAtLeast(ranges.length, 6)
      assert.deepStrictEqual(
        texts.map((text) => Number(/^\{"n":(\d)/u.exec(text)?.[1])),
        [0, 1, 2, 3, 4, 5, 6, 7]
      )
    }).pipe(Effect.scoped)
  )

  it.live("an open transaction holds back what follows it, until it ends", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker)
      const [open, other] = [yield* makeProducer(broker, newName()), yield* makeProducer(broker, newName())]
      yield* transact(other, topic, "commit", [[`{"n":0}`]])
      yield* waitForEnd(broker, topic, 2n)
      const transaction = yield* Effect.promise(async () => {
        const transaction = await open.beginTransaction()
        await transaction.send({ messages: messagesOf(topic, [`{"n":1}`]) })
        return transaction
      })
      yield* transact(other, topic, "commit", [[`{"n":2}`]])
      const source = yield* committedSource(broker, topic)
      const { ranges, texts } = yield* readTopic(source)
      assert.deepStrictEqual(texts, [`{"n":0}`])
      yield* Effect.promise(() => transaction.commit())
      yield* waitForEnd(broker, topic, 6n)
      const rest = yield* planAll(source, `${topic}/0`, ranges.at(-1)?.to ?? "0")
      const more = yield* Effect.forEach(rest, (range) => readRange(source, range))
      assert.deepStrictEqual(more.flat(), [`{"n":1}`, `{"n":2}`])
    }).pipe(Effect.scoped)
  )

  it.live("aborted messages alone are positions without rows: the range is planned, and has none", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker)
      yield* transact(yield* makeProducer(broker, newName()), topic, "abort", [[`{"n":0}`, `{"n":1}`]])
      yield* waitForEnd(broker, topic, 3n)
      const source = yield* committedSource(broker, topic)
      const plan = yield* source.plan(`${topic}/0`, "0", { rows: 10, bytes: 1000, wait: Duration.millis(100) })
      assert.deepInclude(plan, { _tag: "Planned", rows: 0, to: "3" })
    }).pipe(Effect.scoped)
  )
})
