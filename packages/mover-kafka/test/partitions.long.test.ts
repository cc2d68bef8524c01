import { assert, it } from "@effect/vitest"
import { socketsOf } from "@headgate/harness/processUsage"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { pid } from "node:process"
import { KafkaSource } from "../src/index.ts"
import { describeKafka } from "./support/describeKafka.ts"
import { pipeId, readRange } from "./support/readTopic.ts"
import { makeTopic, optionsFor, produce } from "./support/topics.ts"

const partitions = Array.from({ length: 60 }, (_, partition) => partition)

describeKafka("many partitions", (kafka) => {
  it.live("wait over a few connections, and each wakes when it has a message", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker, { partitions: partitions.length })
      const before = socketsOf(pid) ?? 0
      const source = yield* KafkaSource.make(optionsFor(broker, topic))
      yield* source.partitions
      // Each waits for one row, longer than the test may take.
      const within = { rows: 1, bytes: 1000, wait: Duration.hours(1) }
      const plans = yield* Effect.forEach(partitions, (partition) =>
        Effect.forkChild(source.plan(`${topic}/${partition}`, "0", within))
      )
      yield* Effect.sleep("3 seconds")
      // Four that fetch, one that waits, one that asked for the topic.
      if (before > 0) assert.isAtMost((socketsOf(pid) ?? 0) - before, 8)
      for (const partition of [37, 5, 59]) {
        yield* produce(broker, topic, [`{"n":${partition}}`], partition)
        const plan = yield* Fiber.join(plans[partition] ?? assert.fail("there is no such partition"))
        assert.deepInclude(plan, { _tag: "Planned", rows: 1, to: "1" })
      }
      assert.lengthOf(
        plans.filter((plan) => plan.pollUnsafe() === undefined),
        partitions.length - 3
      )
      yield* Effect.forEach(plans, Fiber.interrupt)
    }).pipe(Effect.scoped)
  )

  it.live("that are idle wait for longer, and plan at once what arrives then", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker)
      const source = yield* KafkaSource.make(optionsFor(broker, topic))
      const within = { rows: 1000, bytes: 1_000_000, wait: Duration.millis(200) }
      assert.deepStrictEqual(yield* source.plan(`${topic}/0`, "0", within), { _tag: "Nothing" })
      const plan = yield* Effect.forkChild(
        source.plan(`${topic}/0`, "0", { ...within, idleTimeout: Duration.hours(1) })
      )
      yield* Effect.sleep("1 second")
      assert.isUndefined(plan.pollUnsafe())
      yield* produce(broker, topic, ['{"n":1}'])
      assert.deepInclude(yield* Fiber.join(plan), { _tag: "Planned", rows: 1, to: "1" })
    }).pipe(Effect.scoped)
  )

  it.live("are asked again when a pipe begins again, and not only waited for", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker)
      const source = yield* KafkaSource.make(optionsFor(broker, topic))
      const within = { rows: 1000, bytes: 1_000_000, wait: Duration.zero }
      yield* source.identity
      assert.deepStrictEqual(yield* source.plan(`${topic}/0`, "0", within), { _tag: "Nothing" })
      yield* produce(broker, topic, ['{"n":1}'])
      // A leader that refuses to answer must fail the first plan of an attempt, or the attempt counts as one that works.
      yield* source.identity
      assert.deepInclude(yield* source.plan(`${topic}/0`, "0", within), { _tag: "Planned", rows: 1, to: "1" })
    }).pipe(Effect.scoped)
  )

  it.live("that are planned at the same time are kept within the limit, and read all the same", () =>
    Effect.gen(function* () {
      const broker = yield* kafka
      const topic = yield* makeTopic(broker, { partitions: 6 })
      const row = `{"x":"${"x".repeat(100_000)}"}`
      for (let partition = 0; partition < 6; partition += 1) {
        yield* produce(
          broker,
          topic,
          Array.from({ length: 5 }, () => row),
          partition
        )
      }
      // Two of the six ranges fit, and the others are fetched again.
      const source = yield* KafkaSource.make(optionsFor(broker, topic, { bufferBytes: 1_100_000 }))
      const identity = yield* source.identity
      const within = { rows: 5, bytes: 10_000_000, wait: Duration.hours(1) }
      const names = (yield* source.partitions).map(({ partition }) => partition)
      const plans = yield* Effect.forEach(names, (name) => source.plan(name, "0", within), { concurrency: "unbounded" })
      for (const [index, partition] of names.entries()) {
        const plan = plans[index]
        if (plan?._tag !== "Planned") return assert.fail("nothing was planned")
        const range = { pipeId, generation: 1, source: identity, partition, from: "0", to: plan.to }
        const read = yield* readRange(source, plan.detail === undefined ? range : { ...range, detail: plan.detail })
        assert.deepStrictEqual(
          read,
          Array.from({ length: 5 }, () => row)
        )
      }
    }).pipe(Effect.scoped)
  )
})
