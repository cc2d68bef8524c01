import { assert, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { crc32 } from "node:zlib"
import { makeMessageRanges, type MessageReader } from "../src/index.ts"
import { lawPipeId } from "../src/laws/index.ts"

const limits = { bufferBytes: 1000, fetchBytes: 100, leastFetchBytes: 1, messageOverhead: 2 }
const most = { rows: 3, bytes: 100, wait: Duration.seconds(1) }

/** A log of messages by their positions; one fetch finds two of them. */
const makeLog = (...messages: ReadonlyArray<readonly [position: bigint, text: string | undefined]>) => {
  const state = { messages, fetched: 0 }
  const reader: MessageReader<never> = {
    identity: "log",
    fetch: (from) =>
      Effect.sync(() => {
        state.fetched += 1
        const found = state.messages.filter(([position]) => position >= from).slice(0, 2)
        const rows = found.map(([position, text]) => ({
          position,
          content: text === undefined ? undefined : new TextEncoder().encode(text)
        }))
        return { rows, next: (found.at(-1)?.[0] ?? from - 1n) + 1n }
      }),
    arrival: (_, longest) => Effect.as(Effect.sleep(longest), false)
  }
  return { state, reader }
}

const textsOf = <E, R>(rows: Stream.Stream<Uint8Array, E, R>) =>
  Effect.map(Stream.runCollect(rows), (found) => Array.from(found, (row) => new TextDecoder().decode(row)))

const rangeOf = (to: string, detail: string) => ({
  pipeId: lawPipeId,
  generation: 1,
  source: "log",
  partition: "0",
  from: "0",
  to,
  detail
})

it.effect("a range is fetched until it is full, is read without a fetch, and the next one begins after it", () =>
  Effect.gen(function* () {
    const { reader, state } = makeLog([0n, "a"], [2n, "b"], [3n, undefined], [4n, "c"], [7n, "d"])
    const ranges = makeMessageRanges(limits, crc32)
    const plan = yield* ranges.plan("0", 0n, most, reader)
    if (plan._tag !== "Planned") return assert.fail("nothing was planned")
    assert.deepStrictEqual([plan.to, plan.rows, plan.bytes], ["5", 3, 3])
    const { fetched } = state
    assert.deepStrictEqual(yield* textsOf(ranges.read(rangeOf(plan.to, plan.detail ?? ""), reader)), ["a", "b", "c"])
    assert.strictEqual(state.fetched, fetched)
    const rest = yield* Effect.forkChild(ranges.plan("0", 5n, most, reader))
    yield* TestClock.adjust("3 seconds")
    assert.deepInclude(yield* Fiber.join(rest), { _tag: "Planned", to: "8", rows: 1 })
  })
)

it.effect("what was not kept is fetched again, and is another range if its rows are other ones", () =>
  Effect.gen(function* () {
    const { reader, state } = makeLog([0n, "a"], [1n, "b"], [2n, "c"])
    const ranges = makeMessageRanges(limits, crc32)
    const plan = yield* ranges.plan("0", 0n, most, reader)
    if (plan._tag !== "Planned") return assert.fail("nothing was planned")
    yield* ranges.reset
    const again = () => ranges.read(rangeOf(plan.to, plan.detail ?? ""), reader)
    assert.deepStrictEqual(yield* textsOf(again()), ["a", "b", "c"])
    state.messages = [
      [0n, "a"],
      [2n, "c"]
    ]
    assert.strictEqual((yield* Effect.flip(textsOf(again())))._tag, "RangeChanged")
    state.messages = [[0n, "a"]]
    assert.include((yield* Effect.flip(textsOf(again()))).message, "are not there yet")
    const elsewhere = ranges.read(rangeOf("3", ""), { ...reader, identity: "another" })
    assert.strictEqual((yield* Effect.flip(textsOf(elsewhere)))._tag, "RangeChanged")
  })
)

it.effect("a partition that had nothing is fetched from only when something has arrived", () =>
  Effect.gen(function* () {
    const { reader, state } = makeLog()
    const ranges = makeMessageRanges(limits, crc32)
    const plan = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(ranges.plan("0", 5n, most, reader))
      yield* TestClock.adjust("3 seconds")
      return (yield* Fiber.join(fiber))._tag
    })
    assert.strictEqual(yield* plan, "Nothing")
    const { fetched } = state
    assert.strictEqual(yield* plan, "Nothing")
    assert.strictEqual(state.fetched, fetched)
  })
)
