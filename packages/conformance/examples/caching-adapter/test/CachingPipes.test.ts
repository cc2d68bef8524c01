import { assert, it } from "@effect/vitest"
import { fixtureIds } from "@headgate/conformance/fixtures"
import { ConnectionError, Pipe, type PipeAddress, Pipes, TimeoutError } from "@headgate/core"
import { notFound } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { CachingPipes, type CachingPipesOptions } from "../src/CachingPipes.ts"

const address: PipeAddress = {
  organizationId: fixtureIds.organizations.acme,
  serviceId: fixtureIds.services.ingest,
  pipeId: fixtureIds.pipes.kafka
}

const pipe = Schema.decodeUnknownSync(Pipe)({
  id: address.pipeId,
  serviceId: address.serviceId,
  name: "orders",
  state: "Running"
})

type Reads = Array<PipeAddress>

/** A cache over a store that holds a pipe at every address and notes who is read, but for what `store` says of it. */
const over = (reads: Reads, store: Partial<Pipes["Service"]> = {}, options: Partial<CachingPipesOptions> = {}) => {
  const { delete: remove = () => Effect.void, get = () => Effect.succeed(pipe) } = store
  const noted = Layer.mock(Pipes, {
    list: () => Effect.succeed([pipe]),
    get: (asked) =>
      Effect.suspend(() => {
        reads.push(asked)
        return get(asked)
      }),
    delete: remove
  })
  return CachingPipes.layer({ timeToLive: "10 seconds", ...options }).pipe(Layer.provide(noted))
}

const get = (asked: PipeAddress = address) => Pipes.use((pipes) => pipes.get(asked))

const remove = Pipes.use((pipes) => pipes.delete(address))

it.effect("a pipe is read again when its time is over", () => {
  const reads: Reads = []
  return Effect.gen(function* () {
    yield* get()
    yield* TestClock.adjust("9999 millis")
    assert.deepStrictEqual(yield* get(), pipe)
    assert.strictEqual(reads.length, 1)
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(yield* get(), pipe)
    assert.strictEqual(reads.length, 2)
  }).pipe(Effect.provide(over(reads)))
})

it.effect("reads at once are one read", () => {
  const reads: Reads = []
  const slow = () => Effect.delay(Effect.succeed(pipe), "1 second")
  return Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(Effect.all([get(), get(), get()], { concurrency: "unbounded" }))
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* Fiber.join(fiber), [pipe, pipe, pipe])
    assert.strictEqual(reads.length, 1)
  }).pipe(Effect.provide(over(reads, { get: slow })))
})

it.effect("a read that nobody waits for any longer is ended", () => {
  const reads: Reads = []
  let ended = 0
  const endless = () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => ended++))
  return Effect.gen(function* () {
    const fibers = yield* Effect.forEach([get(), get()], (read) => Effect.forkChild(read, { startImmediately: true }))
    yield* Fiber.interruptAll(fibers)
    assert.deepStrictEqual([reads.length, ended], [1, 1])
  }).pipe(Effect.provide(over(reads, { get: endless })))
})

for (const [what, failure] of [
  ["a pipe that was not found", notFound("PipeNotFound", address)],
  ["a service that was away", new ConnectionError({ message: "connection refused" })]
] as const) {
  it.effect(`${what} is asked for again`, () => {
    const reads: Reads = []
    const once = () => (reads.length === 1 ? Effect.fail(failure) : Effect.succeed(pipe))
    return Effect.gen(function* () {
      assert.strictEqual(yield* Effect.flip(get()), failure)
      assert.deepStrictEqual(yield* get(), pipe)
    }).pipe(Effect.provide(over(reads, { get: once })))
  })
}

for (const [what, ending] of [
  ["that succeeded", Effect.void],
  ["that found nothing", Effect.fail(notFound("PipeNotFound", address))],
  ["that timed out", Effect.fail(new TimeoutError({ message: "no answer in time" }))],
  ["that was interrupted", Effect.interrupt]
] as const) {
  it.effect(`after a delete ${what}, the store is asked`, () => {
    const reads: Reads = []
    return Effect.gen(function* () {
      yield* get()
      yield* Effect.exit(remove)
      yield* get()
      assert.strictEqual(reads.length, 2)
    }).pipe(Effect.provide(over(reads, { delete: () => ending })))
  })
}

it.effect("the same address in another object is the same pipe", () => {
  const reads: Reads = []
  return Effect.gen(function* () {
    yield* get()
    const written = { note: "from a list", ...address }
    yield* get(written)
    assert.deepStrictEqual(reads, [address])
  }).pipe(Effect.provide(over(reads)))
})

it.effect("the pipe that was not asked for the longest makes room", () => {
  const reads: Reads = []
  const [first, second, third] = [fixtureIds.pipes.kafka, fixtureIds.pipes.kinesis, fixtureIds.pipes.postgres]
  return Effect.gen(function* () {
    for (const pipeId of [first, second, first, third, first, second]) yield* get({ ...address, pipeId })
    assert.deepStrictEqual(
      reads.map(({ pipeId }) => pipeId),
      [first, second, third, second]
    )
  }).pipe(Effect.provide(over(reads, {}, { capacity: 2 })))
})
