import { assert, describe, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot } from "@headgate/conformance/fixtures"
import {
  ConnectionError,
  Dashboards,
  InvalidRequest,
  type PipeAddress,
  PipeNotFound,
  Pipes,
  ServerError,
  Snapshots,
  TimeoutError
} from "@headgate/core"
import { OrganizationDashboards } from "@headgate/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { type Fault, Faulty, MemoryAdapter } from "../src/index.ts"

const address: PipeAddress = {
  organizationId: fixtureIds.organizations.acme,
  serviceId: fixtureIds.services.ingest,
  pipeId: fixtureIds.pipes.kafka
}

const serverError = new ServerError({ message: "the service failed" })
const connectionError = new ConnectionError({ message: "the connection was reset" })
const timeoutError = new TimeoutError({ message: "no answer in 60 seconds" })

const get = Pipes.use((pipes) => pipes.get(address))
const remove = Pipes.use((pipes) => pipes.delete(address))

/** How a call ended: `ok`, or the tag of its error. */
const outcome = <A, E extends { readonly _tag: string }, R>(call: Effect.Effect<A, E, R>) =>
  Effect.match(call, { onSuccess: () => "ok", onFailure: ({ _tag }) => _tag })

/** Runs `body` over the pipes of the fixture with these faults. */
const overFaulty = <A, E>(faults: ReadonlyArray<Fault<Pipes["Service"]>>, body: Effect.Effect<A, E, Pipes>) =>
  Effect.gen(function* () {
    const memory = MemoryAdapter.layer({ snapshot: yield* fixtureSnapshot })
    return yield* Effect.provide(body, Layer.provide(Faulty.layer(Pipes, faults), memory))
  })

/** How these calls end, one after the other. */
const outcomes = <E extends { readonly _tag: string }>(
  faults: ReadonlyArray<Fault<Pipes["Service"]>>,
  ...calls: ReadonlyArray<Effect.Effect<unknown, E, Pipes>>
) => overFaulty(faults, Effect.forEach(calls, outcome))

/** How a call ends that is to wait for a second. */
const outcomeAfterOneSecond = Effect.fnUntraced(function* <E extends { readonly _tag: string }>(
  call: Effect.Effect<unknown, E, Pipes>
) {
  const fiber = yield* Effect.forkChild(outcome(call))
  yield* TestClock.adjust("999 millis")
  assert.isUndefined(fiber.pollUnsafe())
  yield* TestClock.adjust("1 millis")
  return yield* Fiber.join(fiber)
})

describe("which calls a fault applies to", () => {
  it.effect("without faults, none", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* outcomes([], get, remove, get), ["ok", "ok", "PipeNotFound"])
    })
  )

  it.effect("every call of every method", () =>
    Effect.gen(function* () {
      const ends = yield* outcomes([{ fail: serverError }], get, remove, get)
      assert.deepStrictEqual(ends, ["ServerError", "ServerError", "ServerError"])
    })
  )

  it.effect("every call of one method", () =>
    Effect.gen(function* () {
      const ends = yield* outcomes([{ method: "get", fail: serverError }], get, remove, get)
      assert.deepStrictEqual(ends, ["ServerError", "ok", "ServerError"])
    })
  )

  it.effect("one call of one method", () =>
    Effect.gen(function* () {
      const ends = yield* outcomes([{ method: "get", call: 2, fail: serverError }], get, remove, get, get)
      assert.deepStrictEqual(ends, ["ok", "ok", "ServerError", "PipeNotFound"])
    })
  )

  it.effect("one call of any method", () =>
    Effect.gen(function* () {
      const ends = yield* outcomes([{ call: 2, fail: serverError }], get, remove, get)
      assert.deepStrictEqual(ends, ["ok", "ServerError", "ok"])
    })
  )

  it.effect("a retry is a call of its own", () =>
    Effect.gen(function* () {
      const faults = [{ method: "get", call: 1, fail: serverError }] as const
      assert.deepStrictEqual(yield* outcomes(faults, Effect.retry(get, { times: 1 })), ["ok"])
      const sameEffect = Pipes.use((pipes) => Effect.retry(pipes.get(address), { times: 1 }))
      assert.deepStrictEqual(yield* outcomes(faults, sameEffect), ["ok"])
    })
  )

  it.effect("each build of the layer counts from 1", () =>
    Effect.gen(function* () {
      const memory = MemoryAdapter.layer({ snapshot: yield* fixtureSnapshot })
      const layer = Layer.provide(Faulty.layer(Pipes, [{ call: 1, fail: serverError }]), memory)
      const ends = Effect.forEach([get, get], outcome)
      assert.deepStrictEqual(yield* Effect.provide(ends, layer), ["ServerError", "ok"])
      assert.deepStrictEqual(yield* Effect.provide(ends, layer), ["ServerError", "ok"])
    })
  )

  it.effect("of calls at once, exactly one is the second", () =>
    Effect.gen(function* () {
      const memory = MemoryAdapter.layer({ snapshot: yield* fixtureSnapshot })
      const layer = Layer.provide(Faulty.layer(Pipes, [{ method: "get", call: 2, fail: serverError }]), memory)
      const ends = Effect.forEach([get, get, get, get], outcome, { concurrency: "unbounded" })
      assert.sameMembers([...(yield* Effect.provide(ends, layer))], ["ok", "ok", "ok", "ServerError"])
    })
  )
})

describe("what a fault does", () => {
  it.effect("fail: the error is the very one, and a write does not take effect", () =>
    Effect.gen(function* () {
      const gone = new PipeNotFound({ message: "gone", address, attempts: 2 })
      const memory = MemoryAdapter.layer({ snapshot: yield* fixtureSnapshot })
      const layer = Layer.provide(Faulty.layer(Pipes, [{ method: "delete", fail: gone }]), memory)
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* Effect.flip(remove), gone)
        assert.strictEqual((yield* get).id, address.pipeId)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("loseAnswer: a write takes effect, and its caller gets the error", () =>
    Effect.gen(function* () {
      const ends = yield* outcomes([{ method: "delete", call: 1, loseAnswer: connectionError }], remove, get, remove)
      assert.deepStrictEqual(ends, ["ConnectionError", "PipeNotFound", "PipeNotFound"])
    })
  )

  it.effect("loseAnswer: an error of the call is lost, too", () =>
    Effect.gen(function* () {
      const ends = yield* outcomes([{ method: "delete", call: 2, loseAnswer: timeoutError }], remove, remove, remove)
      assert.deepStrictEqual(ends, ["ok", "TimeoutError", "PipeNotFound"])
    })
  )

  it.effect("loseAnswer: a defect of the call is not lost", () =>
    Effect.gen(function* () {
      const die = () => Effect.die("broken")
      const broken = Layer.mock(Pipes, { get: die })
      const layer = Layer.provide(Faulty.layer(Pipes, [{ loseAnswer: connectionError }]), broken)
      const defect = yield* get.pipe(Effect.provide(layer), Effect.catchDefect(Effect.succeed))
      assert.strictEqual(defect, "broken")
    })
  )

  it.effect("delay: the call is made after that time, not before", () =>
    Effect.gen(function* () {
      const memory = MemoryAdapter.layer({ snapshot: yield* fixtureSnapshot })
      const layer = Faulty.layer(Dashboards, [{ method: "create", delay: "2 seconds" }]).pipe(
        Layer.provideMerge(memory)
      )
      yield* Effect.gen(function* () {
        const all = OrganizationDashboards.use((dashboards) => dashboards.of(address.organizationId).list())
        const before = (yield* all).length
        const fiber = yield* Effect.forkChild(Dashboards.use((dashboards) => dashboards.create({ name: "late" })))
        yield* TestClock.adjust("1999 millis")
        assert.isUndefined(fiber.pollUnsafe())
        assert.strictEqual((yield* all).length, before)
        yield* TestClock.adjust("1 millis")
        assert.strictEqual((yield* Fiber.join(fiber)).name, "late")
        assert.strictEqual((yield* all).length, before + 1)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("delay: a call that never returns runs into the caller's timeout", () =>
    Effect.gen(function* () {
      const limited = Effect.timeoutOrElse(get, { duration: "1 second", orElse: () => Effect.fail(timeoutError) })
      const end = overFaulty([{ method: "get", delay: "Infinity" }], outcomeAfterOneSecond(limited))
      assert.strictEqual(yield* end, "TimeoutError")
    })
  )

  it.effect("delay and fail: the error comes after that time", () =>
    Effect.gen(function* () {
      const end = overFaulty([{ delay: "1 second", fail: timeoutError }], outcomeAfterOneSecond(get))
      assert.strictEqual(yield* end, "TimeoutError")
    })
  )

  it.effect("of several faults of one call, the first is outermost", () =>
    Effect.gen(function* () {
      const atOnce = [{ fail: serverError }, { delay: "Infinity" }, { fail: timeoutError }] as const
      assert.deepStrictEqual(yield* outcomes(atOnce, get), ["ServerError"])
      const lost = [{ loseAnswer: connectionError }, { fail: serverError }] as const
      assert.deepStrictEqual(yield* outcomes(lost, get), ["ConnectionError"])
      const late = overFaulty([{ delay: "1 second" }, { fail: serverError }], outcomeAfterOneSecond(get))
      assert.strictEqual(yield* late, "ServerError")
    })
  )
})

describe("which ports it works for", () => {
  it.effect("a member that is an effect and no method", () =>
    Effect.gen(function* () {
      const layer = Faulty.layer(Snapshots, [
        { method: "import", fail: new InvalidRequest({ message: "refused", issues: [] }) },
        { method: "export", call: 1, delay: "1 minute" }
      ]).pipe(Layer.provide(MemoryAdapter.layer()))
      yield* Effect.gen(function* () {
        const snapshots = yield* Snapshots
        assert.strictEqual(yield* outcome(snapshots.import({ organizations: [] })), "InvalidRequest")
        const first = yield* Effect.forkChild(snapshots.export)
        yield* Effect.yieldNow
        assert.deepStrictEqual(yield* snapshots.export, { organizations: [] })
        assert.isUndefined(first.pollUnsafe())
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* Fiber.join(first), { organizations: [] })
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("a port of one's own, with methods of a class", () =>
    Effect.gen(function* () {
      const layer = Layer.provide(
        Faulty.layer(Counter, [{ method: "next", call: 2, loseAnswer: "lost" }]),
        Layer.sync(Counter, () => new CounterFromZero())
      )
      const numbers = Effect.gen(function* () {
        const counter = yield* Counter
        const next = Effect.match(counter.next(2), { onSuccess: String, onFailure: (error) => error })
        return [yield* next, yield* next, yield* next, counter.label]
      })
      assert.deepStrictEqual(yield* Effect.provide(numbers, layer), ["2", "lost", "6", "counter"])
    })
  )

  it("takes only methods of the port and errors of the method", () => {
    const notFound = new PipeNotFound({ message: "", address })
    const layers = [
      Faulty.layer(Pipes, [{ method: "delete", fail: notFound }]),
      // @ts-expect-error -- Pipes has no such method
      Faulty.layer(Pipes, [{ method: "rename", fail: serverError }]),
      // @ts-expect-error -- no method of Dashboards fails with PipeNotFound
      Faulty.layer(Dashboards, [{ method: "list", fail: notFound }]),
      // @ts-expect-error -- `of` does not return an effect
      Faulty.layer(OrganizationDashboards, [{ method: "of", delay: "1 second" }]),
      // @ts-expect-error -- an export cannot fail, so there is no error that every method may fail with
      Faulty.layer(Snapshots, [{ fail: serverError }])
    ]
    assert.isTrue(layers.every(Layer.isLayer))
  })
})

class Counter extends Context.Service<
  Counter,
  { readonly label: string; readonly next: (by: number) => Effect.Effect<number, string> }
>()("test/Counter") {}

class CounterFromZero {
  readonly label = "counter"
  #value = 0
  next(by: number) {
    return Effect.sync(() => (this.#value += by))
  }
}
