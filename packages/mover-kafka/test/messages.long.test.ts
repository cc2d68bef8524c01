import { assert, it } from "@effect/vitest"
import { SourceError } from "@headgate/mover"
import { CompressionAlgorithms } from "@platformatic/kafka"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { KafkaSource, virtualColumns } from "../src/index.ts"
import { describeKafka } from "./support/describeKafka.ts"
import { pipeId, planAll, readRange, readTopic } from "./support/readTopic.ts"
import {
  deleteBefore,
  makeAdmin,
  makeProducer,
  makeTopic,
  messagesOf,
  optionsFor,
  produce,
  recreate,
  type TestMessage
} from "./support/topics.ts"

const rows = (count: number, first = 0): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `{"n":${first + index}}`)

describeKafka("messages", (kafka) => {
  const subject = Effect.fnUntraced(function* (
    messages: ReadonlyArray<TestMessage | string>,
    options: Parameters<typeof optionsFor>[2] = {}
  ) {
    const broker = yield* kafka
    const topic = yield* makeTopic(broker)
    if (messages.length > 0) yield* produce(broker, topic, messages)
    return { broker, topic, source: yield* KafkaSource.make(optionsFor(broker, topic, options)) }
  })

  it.live("are one row each, whatever they hold, and none joins with its neighbour", () =>
    Effect.gen(function* () {
      const pretty = `{\n  "a": 1,\n  "b": [\n    2\n  ]\n}`
      const values = [pretty, `\uFEFF{"a":2}`, `{"a":3}\n{"a":4}`, `{"a":"open`, `"}`, ``, `not JSON`, `{"a":5}`]
      const { source } = yield* subject(values)
      const { texts } = yield* readTopic(source)
      const objects = values.map((value) => (value.startsWith("\uFEFF") ? value.slice(1) : value))
      assert.deepStrictEqual(texts, objects)
    }).pipe(Effect.scoped)
  )

  it.live("that are not one object are their bytes, without virtual columns", () =>
    Effect.gen(function* () {
      const { source } = yield* subject([`{"a":1}{"a":2}`, ` {"a":"cut`, `"text"`, `{"a":3}`], {
        virtualColumns: ["_partition"]
      })
      const { texts } = yield* readTopic(source)
      assert.deepStrictEqual(texts, [`{"a":1}{"a":2}`, ` {"a":"cut`, `"text"`, `{"_partition":0,"a":3}`])
    }).pipe(Effect.scoped)
  )

  for (const [tombstones, expected] of [
    [undefined, [`{"n":0}`, `{"n":1}`]],
    ["row", [`{"n":0}`, `{}`, `{"n":1}`, `{}`]]
  ] as const) {
    it.live(
      `without a value are ${tombstones === undefined ? "no rows" : "rows without fields, if the option says so"}`,
      () =>
        Effect.gen(function* () {
          const messages = [
            { value: `{"n":0}` },
            { value: null, key: "k" },
            { value: `{"n":1}` },
            { value: null, key: "k" }
          ]
          const { source } = yield* subject(messages, tombstones === undefined ? {} : { tombstones })
          const { ranges, texts } = yield* readTopic(source)
          assert.deepStrictEqual(texts, [...expected])
          assert.strictEqual(ranges.at(-1)?.to, "4")
        }).pipe(Effect.scoped)
    )
  }

  for (const compression of Object.values(CompressionAlgorithms)) {
    it.live(`compressed with ${compression} are read as they were sent`, () =>
      Effect.gen(function* () {
        const { broker, source, topic } = yield* subject([])
        const producer = yield* makeProducer(broker)
        yield* Effect.promise(() => producer.send({ messages: messagesOf(topic, rows(500)), compression }))
        assert.deepStrictEqual((yield* readTopic(source)).texts, rows(500))
      }).pipe(Effect.scoped)
    )
  }

  it.live("have their key, time, place and headers beside their fields, and are read again as they were", () =>
    Effect.gen(function* () {
      const headers = { trace: "1", é: "ü" }
      const messages = [{ value: `{"n": 1}`, key: "k", timestamp: 1_700_000_000_123n, headers }, { value: `{"n": 2}` }]
      const { broker, source, topic } = yield* subject(messages, { virtualColumns })
      const { ranges, texts } = yield* readTopic(source)
      const [first, second] = texts.map((text) => JSON.parse(text))
      assert.deepStrictEqual(first, {
        _key: "k",
        _timestamp: "2023-11-14 22:13:20.123",
        _topic: topic,
        _partition: 0,
        _offset: "0",
        _header_keys: ["trace", "é"],
        _header_values: ["1", "ü"],
        _raw_message: `{"n": 1}`,
        n: 1
      })
      assert.deepInclude(second, { _key: null, _offset: "1", _header_keys: [], n: 2 })
      const [range] = ranges
      const again = yield* KafkaSource.make(optionsFor(broker, topic, { virtualColumns }))
      assert.deepStrictEqual(range === undefined ? [] : yield* readRange(again, range), texts)
    }).pipe(Effect.scoped)
  )

  it.live("of 20 MB are read, alone, between small ones", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker, { configs: { "max.message.bytes": "33554432" } })
      const large = `{"large":"${"x".repeat(20_000_000)}"}`
      for (const message of [`{"n":0}`, large, `{"n":1}`]) yield* produce(broker, topic, [message])
      for (const bufferBytes of [64 * 1024 * 1024, 0]) {
        const source = yield* KafkaSource.make(optionsFor(broker, topic, { bufferBytes }))
        const { ranges, texts } = yield* readTopic(source, { rows: 100, bytes: 1_000_000, wait: Duration.millis(200) })
        assert.deepStrictEqual(
          texts.map(({ length }) => length),
          [7, large.length, 7]
        )
        assert.isTrue(texts[1] === large)
        assert.deepStrictEqual(
          ranges.map(({ from, to }) => [from, to]),
          [
            ["0", "1"],
            ["1", "2"],
            ["2", "3"]
          ]
        )
      }
    }).pipe(Effect.scoped)
  )

  it.live("begin at the first one, the next one, or the first of a time", () =>
    Effect.gen(function* () {
      const at = (time: number): bigint => BigInt(Date.UTC(2026, 0, 1, 0, time))
      const broker = yield* kafka
      // Retention counts by the timestamps.
      const topic = yield* makeTopic(broker, { configs: { "retention.ms": "-1" } })
      const messages = [0, 1, 2].map((n) => ({ value: `{"n":${n}}`, timestamp: at(n) }))
      yield* produce(broker, topic, messages)
      const time = (minute: number) => DateTime.makeUnsafe(Number(at(minute)))
      const starts = [
        ["earliest", "0"],
        ["latest", "3"],
        [time(1), "1"],
        [time(-5), "0"],
        // No message is as late: what comes next.
        [time(9), "3"]
      ] as const
      for (const [start, expected] of starts) {
        const source = yield* KafkaSource.make(optionsFor(broker, topic, { start }))
        assert.deepStrictEqual(yield* source.partitions, [{ partition: `${topic}/0`, first: "0", start: expected }])
      }
    }).pipe(Effect.scoped)
  )

  it.live("that arrive while nothing is planned are not passed over by a source that begins at the next one", () =>
    Effect.gen(function* () {
      const { broker, source, topic } = yield* subject(rows(3), { start: "latest" })
      assert.deepStrictEqual(yield* source.partitions, [{ partition: `${topic}/0`, first: "0", start: "3" }])
      yield* produce(broker, topic, rows(2, 3))
      assert.deepStrictEqual((yield* readTopic(source)).texts, rows(2, 3))
    }).pipe(Effect.scoped)
  )

  it.live("begin at the first one that retention has left", () =>
    Effect.gen(function* () {
      const { broker, topic } = yield* subject(rows(5))
      yield* deleteBefore(broker, topic, 2n)
      for (const [start, expected] of [
        ["earliest", "2"],
        ["latest", "5"]
      ] as const) {
        const source = yield* KafkaSource.make(optionsFor(broker, topic, { start }))
        assert.deepStrictEqual(yield* source.partitions, [{ partition: `${topic}/0`, first: "2", start: expected }])
      }
    }).pipe(Effect.scoped)
  )

  it.live("of a partition that is added later can be read from the first one, whatever the start is", () =>
    Effect.gen(function* () {
      const { broker, source, topic } = yield* subject(rows(3), { start: "latest" })
      yield* source.partitions
      const admin = yield* makeAdmin(broker)
      yield* Effect.promise(() =>
        admin.createPartitions({ topics: [{ name: topic, count: 2, assignments: [{ brokerIds: [1] }] }] })
      )
      yield* produce(broker, topic, [`{"late":true}`], 1)
      assert.deepStrictEqual(yield* source.partitions, [
        { partition: `${topic}/0`, first: "0", start: "3" },
        { partition: `${topic}/1`, first: "0", start: "1" }
      ])
      const [range] = yield* planAll(source, `${topic}/1`, "0")
      assert.isDefined(range)
      if (range !== undefined) assert.deepStrictEqual(yield* readRange(source, range), [`{"late":true}`])
    }).pipe(Effect.scoped)
  )

  it.live("of several topics are those of their partitions", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const [one, two] = [yield* makeTopic(broker), yield* makeTopic(broker, { partitions: 2 })]
      yield* produce(broker, two, [`{"two":1}`], 1)
      const source = yield* KafkaSource.make({ ...optionsFor(broker, one), topics: [two, one, two] })
      const partitions = (yield* source.partitions).map(({ partition }) => partition)
      assert.sameMembers(partitions, [`${one}/0`, `${two}/0`, `${two}/1`])
      const [range] = yield* planAll(source, `${two}/1`, "0")
      assert.isDefined(range)
      if (range !== undefined) assert.deepStrictEqual(yield* readRange(source, range), [`{"two":1}`])
    }).pipe(Effect.scoped)
  )

  it.live("that compaction removes from a recorded range are RangeChanged", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const configs = {
        "cleanup.policy": "compact",
        "segment.ms": "100",
        "min.cleanable.dirty.ratio": "0.01",
        "max.compaction.lag.ms": "100"
      }
      const topic = yield* makeTopic(broker, { configs })
      const message = (n: number) => ({ key: `k${n % 2}`, value: `{"n":${n}}` })
      yield* produce(
        broker,
        topic,
        Array.from({ length: 10 }, (_, n) => message(n))
      )
      const source = yield* KafkaSource.make(optionsFor(broker, topic, { bufferBytes: 0 }))
      const [range] = yield* planAll(source, `${topic}/0`, "0")
      if (range === undefined) return assert.fail("nothing was planned")
      assert.lengthOf(yield* readRange(source, range), 10)

      // A segment is closed by the first message that comes after its time, and compacted some time later.
      const compacted = Effect.gen(function* () {
        yield* Effect.sleep("100 millis")
        yield* produce(broker, topic, [message(10)])
        return yield* Effect.flip(readRange(source, range))
      })
      const error = yield* Effect.retry(compacted, { times: 1000 })
      assert.strictEqual(error._tag, "RangeChanged")
      assert.include(error.message, "had 10 rows and has")
    }).pipe(Effect.scoped)
  )

  it.live("of a topic that is deleted and made again in the middle are not read as those of the first one", () =>
    Effect.gen(function* () {
      const { broker, source, topic } = yield* subject(rows(3), { bufferBytes: 0 })
      const [range] = yield* planAll(source, `${topic}/0`, "0")
      if (range === undefined) return assert.fail("nothing was planned")
      yield* recreate(broker, topic)
      yield* produce(broker, topic, rows(3, 100))
      // Nobody has asked for the identity since: the requests name the id of the topic.
      const calls: ReadonlyArray<Effect.Effect<void, unknown>> = [
        Effect.asVoid(readRange(source, range)),
        Effect.asVoid(source.partitions),
        Effect.asVoid(source.plan(`${topic}/0`, "0", { rows: 1, bytes: 1, wait: Duration.zero }))
      ]
      for (const call of calls) {
        assert.instanceOf(yield* Effect.flip(call), SourceError)
      }
    }).pipe(Effect.scoped)
  )

  it.live(
    "below the first offset and beyond the end are PositionLost, and a topic that is not there is a SourceError that names it",
    () =>
      Effect.gen(function* () {
        const { broker, source, topic } = yield* subject(rows(5))
        yield* deleteBefore(broker, topic, 2n)
        // What is held after a position: the rows of a log that lost its end were read.
        for (const [position, first] of [
          ["1", "2"],
          ["99", "5"]
        ] as const) {
          const lost = yield* Effect.flip(
            source.plan(`${topic}/0`, position, { rows: 1, bytes: 1, wait: Duration.zero })
          )
          assert.deepInclude(lost, { _tag: "PositionLost", position, first })
        }
        const missing = yield* KafkaSource.make(optionsFor(broker, "no-such-topic"))
        assert.include(
          (yield* Effect.flip(missing.identity)).message,
          "topic no-such-topic: UNKNOWN_TOPIC_OR_PARTITION"
        )
      }).pipe(Effect.scoped)
  )

  it.live("are fetched as they are read, part by part", () =>
    Effect.gen(function* () {
      const { broker, source, topic } = yield* subject([], { bufferBytes: 0 })
      const row = `{"x":"${"x".repeat(100_000)}"}`
      for (let batch = 0; batch < 20; batch += 1)
        yield* produce(
          broker,
          topic,
          Array.from({ length: 8 }, () => row)
        )
      const within = { rows: 160, bytes: 32 * 1024 * 1024, wait: Duration.minutes(1) }
      const plan = yield* source.plan(`${topic}/0`, "0", within)
      if (plan._tag !== "Planned") return assert.fail("nothing was planned")
      const identity = yield* source.identity
      const range = { pipeId, generation: 1, source: identity, partition: `${topic}/0`, from: "0", to: plan.to }
      // 16 MB come in parts of 4 MiB: whoever takes one row has not fetched the others.
      const parts = yield* Stream.runCollect(Stream.chunks(source.read(range)))
      assert.isAtLeast(parts.length, 3)
      const largest = Math.max(...parts.map((part) => part.reduce((sum, { length }) => sum + length, 0)))
      assert.isAtMost(largest, 5 * 1024 * 1024)
    }).pipe(Effect.scoped)
  )
})
