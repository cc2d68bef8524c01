import { assert, it } from "@effect/vitest"
import { Ledger, movePipe, type MoverStatus, Warehouse } from "@headgate/mover"
import { MemoryLedger, MemoryWarehouse } from "@headgate/mover/memory"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type KafkaOptions, KafkaSource } from "../src/index.ts"
import { describeKafka, type TestKafka } from "./support/describeKafka.ts"
import { pipeId } from "./support/readTopic.ts"
import { deleteBefore, makeAdmin, makeTopic, newName, optionsFor, produce, recreate } from "./support/topics.ts"

const rows = (count: number, first = 0): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `{"n":${first + index}}`)

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** A pipe from a topic to a warehouse in memory. */
const makePipe = (kafka: TestKafka, topic: string, options: Partial<KafkaOptions> = {}) => {
  const warehouse = MemoryWarehouse.make({ rejects: (text) => (Option.isSome(parse(text)) ? undefined : "no object") })
  const ledger = MemoryLedger.make()
  const reports: Array<MoverStatus> = []
  const layer = Layer.mergeAll(
    KafkaSource.layer(optionsFor(kafka, topic, options)),
    Layer.succeed(Warehouse, warehouse.warehouse),
    Layer.succeed(Ledger, ledger.ledger)
  )
  const move = movePipe({
    pipeId,
    limits: { rows: 50, bytes: 1_000_000, wait: Duration.millis(200) },
    inFlight: 2,
    partsPerInsert: 1,
    pipesOnTable: 1,
    report: (status) => Effect.sync(() => void reports.push(status))
  }).pipe(Effect.provide(layer))
  const texts = Effect.map(warehouse.rows, (rows) => rows.map(({ text }) => text))
  return { ledger, move, reports, texts, warehouse }
}
type Pipe = ReturnType<typeof makePipe>

/** Waits until something holds. The test's timeout ends what never does. */
const until = <E>(holds: Effect.Effect<boolean, E>): Effect.Effect<void, E> =>
  Effect.flatMap(holds, (does) => (does ? Effect.void : Effect.andThen(Effect.sleep("50 millis"), until(holds))))

const untilRows = (pipe: Pipe, count: number) => until(Effect.map(pipe.texts, ({ length }) => length >= count))
const untilState = (pipe: Pipe, state: MoverStatus["state"]) =>
  until(Effect.sync(() => pipe.reports.at(-1)?.state === state))

/** Adds a second partition to a topic. */
const addPartition = Effect.fnUntraced(function* (kafka: TestKafka, topic: string) {
  const admin = yield* makeAdmin(kafka)
  yield* Effect.promise(() =>
    admin.createPartitions({ topics: [{ name: topic, count: 2, assignments: [{ brokerIds: [1] }] }] })
  )
}, Effect.scoped)

describeKafka("a pipe", (kafka) => {
  it.live("moves each message once while the broker is killed and started again", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker, { partitions: 2 })
      yield* produce(broker, topic, rows(300), 0)
      yield* produce(broker, topic, rows(300, 300), 1)
      const pipe = makePipe(broker, topic)
      const fiber = yield* Effect.forkChild(pipe.move)
      yield* untilRows(pipe, 100)
      yield* broker.stop
      yield* untilState(pipe, "Degraded")
      assert.include(pipe.reports.at(-1)?.message ?? "", "broker 127.0.0.1:")
      yield* broker.start
      yield* produce(broker, topic, rows(100, 600), 0)
      yield* untilRows(pipe, 700)
      yield* untilState(pipe, "Running")
      yield* Fiber.interrupt(fiber)
      assert.sameMembers([...(yield* pipe.texts)], [...rows(700)])
    })
  )

  it.live("is Degraded while the broker hangs, and goes on", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker)
      yield* produce(broker, topic, rows(10))
      const pipe = makePipe(broker, topic)
      const fiber = yield* Effect.forkChild(pipe.move)
      yield* untilRows(pipe, 10)
      // A request waits 30 seconds for its answer.
      yield* broker.whileFrozen(untilState(pipe, "Degraded"))
      yield* produce(broker, topic, rows(10, 10))
      yield* untilRows(pipe, 20)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* pipe.texts, rows(20))
    })
  )

  it.live("is Failed when the topic is deleted and made again, and reads none of the new one's messages", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker)
      yield* produce(broker, topic, rows(10))
      const pipe = makePipe(broker, topic)
      const fiber = yield* Effect.forkChild(pipe.move)
      yield* untilRows(pipe, 10)
      yield* recreate(broker, topic)
      yield* produce(broker, topic, rows(20, 100))
      const end = yield* Fiber.join(fiber)
      assert.strictEqual(end._tag, "Failed")
      assert.include(end.message ?? "", "the source is another one")
      assert.deepStrictEqual(yield* pipe.texts, rows(10))
    })
  )

  it.live("reads partitions that are added, and messages that are no rows go to the error table", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker)
      yield* produce(broker, topic, [...rows(3), `{"a":1}{"a":2}`, ...rows(3, 3)])
      const pipe = makePipe(broker, topic)
      const fiber = yield* Effect.forkChild(pipe.move)
      yield* untilRows(pipe, 6)
      yield* addPartition(broker, topic)
      yield* produce(broker, topic, rows(4, 6), 1)
      yield* untilRows(pipe, 10)
      yield* Fiber.interrupt(fiber)
      assert.sameMembers([...(yield* pipe.texts)], [...rows(10)])
      const bad = (yield* pipe.warehouse.rejectedRows).map(({ content }) => new TextDecoder().decode(content))
      assert.deepStrictEqual(bad, [`{"a":1}{"a":2}`])
    })
  )

  for (const start of ["latest", DateTime.makeUnsafe("2100-01-01T00:00:00Z")] as const) {
    const named = start === "latest" ? start : "a time"
    it.live(`that begins at ${named} reads a partition that is added while it is stopped from its first message`, () =>
      Effect.gen(function* () {
        const broker = yield* kafka
        const topic = yield* makeTopic(broker)
        yield* produce(broker, topic, rows(3))
        const pipe = makePipe(broker, topic, { start })
        const first = yield* Effect.forkChild(pipe.move)
        yield* untilState(pipe, "Running")
        yield* Fiber.interrupt(first)
        yield* addPartition(broker, topic)
        yield* produce(broker, topic, rows(4, 3), 1)
        yield* produce(broker, topic, rows(2, 7), 0)
        const second = yield* Effect.forkChild(pipe.move)
        yield* untilRows(pipe, 6)
        yield* Fiber.interrupt(second)
        assert.sameMembers([...(yield* pipe.texts)], [...rows(6, 3)])
      })
    )
  }

  it.live("is Failed with the lost offsets when retention was faster", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker)
      yield* produce(broker, topic, rows(10))
      const pipe = makePipe(broker, topic)
      const first = yield* Effect.forkChild(pipe.move)
      yield* untilRows(pipe, 10)
      yield* Fiber.interrupt(first)
      yield* produce(broker, topic, rows(30, 10))
      yield* deleteBefore(broker, topic, 25n)
      const end = yield* pipe.move
      assert.strictEqual(end._tag, "Failed")
      assert.include(end.message ?? "", "no longer holds 10, its first position is 25")
      assert.deepStrictEqual(yield* pipe.texts, rows(10))
    })
  )

  it.live("moves a compacted topic: the offsets that compaction removed are passed over", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const configs = { "cleanup.policy": "compact", "segment.ms": "100", "min.cleanable.dirty.ratio": "0.01" }
      const topic = yield* makeTopic(broker, { configs })
      const message = (n: number) => ({ key: `k${n % 3}`, value: `{"n":${n}}` })
      yield* produce(
        broker,
        topic,
        Array.from({ length: 60 }, (_, n) => message(n))
      )
      let n = 60
      // Each attempt closes a segment. What is left at the end are the last value of each key, and what came since.
      const attempt = Effect.gen(function* () {
        yield* Effect.sleep("200 millis")
        yield* produce(broker, topic, [{ key: "the last", value: `{"n":${(n += 1)}}` }])
        const pipe = makePipe(broker, topic)
        const fiber = yield* Effect.forkChild(pipe.move)
        yield* until(Effect.map(pipe.texts, (texts) => texts.includes(`{"n":${n}}`)))
        yield* Fiber.interrupt(fiber)
        const texts = yield* pipe.texts
        return texts.includes(`{"n":5}`) ? yield* Effect.fail("not compacted yet") : texts
      })
      const texts = yield* Effect.retry(attempt, { times: 200 })
      assert.isBelow(texts.length, 40)
      for (const last of [57, 58, 59, n]) assert.include(texts, `{"n":${last}}`)
      assert.strictEqual(new Set(texts).size, texts.length)
    })
  )

  it.live("commits offsets to the group, for tools that show the lag, and reads none back", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker)
      const group = newName()
      yield* produce(broker, topic, rows(10))
      const pipe = makePipe(broker, topic, { group })
      const fiber = yield* Effect.forkChild(pipe.move)
      yield* untilRows(pipe, 10)
      const committed = Effect.gen(function* () {
        const admin = yield* makeAdmin(broker)
        const groups = [{ groupId: group, topics: [{ name: topic, partitionIndexes: [0] }] }]
        const found = yield* Effect.promise(() => admin.listConsumerGroupOffsets({ groups }))
        return found[0]?.topics[0]?.partitions[0]?.committedOffset === 10n
      }).pipe(Effect.scoped)
      yield* until(committed)
      yield* Fiber.interrupt(fiber)
      const another = makePipe(broker, topic, { group })
      const second = yield* Effect.forkChild(another.move)
      yield* untilRows(another, 10)
      yield* Fiber.interrupt(second)
      assert.deepStrictEqual(yield* another.texts, rows(10))
    })
  )

  it.live("moves on when it is stopped and started at any time", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker, { partitions: 2 })
      yield* produce(broker, topic, rows(500), 0)
      yield* produce(broker, topic, rows(500, 500), 1)
      const pipe = makePipe(broker, topic)
      for (const pause of [5, 20, 60, 120, 40, 90]) {
        const fiber = yield* Effect.forkChild(pipe.move)
        yield* Effect.sleep(Duration.millis(pause))
        yield* Fiber.interrupt(fiber)
      }
      const fiber = yield* Effect.forkChild(pipe.move)
      yield* untilRows(pipe, 1000)
      yield* Fiber.interrupt(fiber)
      assert.sameMembers([...(yield* pipe.texts)], [...rows(1000)])
    })
  )
})
