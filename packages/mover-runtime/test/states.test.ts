import { assert, it } from "@effect/vitest"
import { MemoryLeases } from "@headgate/mover/memory"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { makeShared, seconds, startProcess, withStore } from "./support/processes.ts"

it.effect(
  "a pipe moves from where it was stopped, and the fields of its source are those that the warehouse finds",
  () =>
    Effect.gen(function* () {
      const { context, source, texts } = yield* makeShared()
      const { create, discover, setState, state, status } = yield* startProcess(context)
      yield* source.append("0", "one", "two")
      const discovery = yield* Effect.forkChild(discover)
      yield* seconds(2)
      // The warehouse in memory shows no rows.
      assert.deepStrictEqual(yield* Fiber.join(discovery), {
        fields: [{ name: "n", type: "Int64", optional: false }]
      })
      const pipe = yield* create
      assert.strictEqual(yield* state(pipe), "Provisioning")
      yield* seconds(10)
      assert.strictEqual(yield* state(pipe), "Running")
      assert.deepStrictEqual(yield* texts, ["one", "two"])
      assert.strictEqual((yield* status(pipe)).rows, 2)

      yield* setState(pipe, "stop")
      yield* seconds(2)
      assert.strictEqual(yield* state(pipe), "Stopped")
      yield* source.append("0", "three")
      yield* seconds(10)
      assert.deepStrictEqual(yield* texts, ["one", "two"])

      yield* setState(pipe, "start")
      yield* seconds(10)
      assert.strictEqual(yield* state(pipe), "Running")
      assert.deepStrictEqual(yield* texts, ["one", "two", "three"])
    }).pipe(Effect.scoped, withStore)
)

it.effect("a source that is away makes a pipe Degraded, then Failed with the reason, and a start tries again", () =>
  Effect.gen(function* () {
    const { context, source, texts } = yield* makeShared()
    const { create, setState, state, status } = yield* startProcess(context)
    const pipe = yield* create
    yield* seconds(10)
    yield* source.down("no broker answers")
    yield* seconds(60)
    assert.strictEqual(yield* state(pipe), "Degraded")
    assert.include((yield* status(pipe)).message ?? "", "no broker answers")
    yield* seconds(180)
    assert.strictEqual(yield* state(pipe), "Failed")
    assert.include((yield* status(pipe)).message ?? "", "no broker answers")

    yield* source.down(undefined)
    yield* source.append("0", "one")
    yield* seconds(60)
    assert.deepStrictEqual(yield* texts, [])
    yield* setState(pipe, "start")
    yield* seconds(20)
    assert.strictEqual(yield* state(pipe), "Running")
    assert.deepStrictEqual(yield* texts, ["one"])
  }).pipe(Effect.scoped, withStore)
)

it.effect("another name leaves a mover alone, and another setting makes a new one", () =>
  Effect.gen(function* () {
    const { context, source } = yield* makeShared()
    const { create, running, settings, state, update } = yield* startProcess(context)
    const pipe = yield* create
    yield* seconds(10)
    const first = running.get(pipe.pipeId)
    assert.isDefined(first)
    yield* update(pipe, { name: "renamed" })
    yield* seconds(5)
    assert.strictEqual(running.get(pipe.pipeId), first)
    const configured = yield* source.configured
    yield* settings(pipe, { streaming_max_insert_wait_ms: 700 })
    yield* seconds(10)
    assert.notStrictEqual(running.get(pipe.pipeId), first)
    assert.isAbove(yield* source.configured, configured)
    assert.strictEqual(yield* state(pipe), "Running")
  }).pipe(Effect.scoped, withStore)
)

it.effect("two processes share the pipes of a store, and the one takes those of the other when it ends", () =>
  Effect.gen(function* () {
    const { context, source, texts } = yield* makeShared(MemoryLeases.make())
    const one = yield* startProcess(context)
    const scope = yield* Scope.make()
    const other = yield* Scope.provide(startProcess(context), scope)
    const pipes = [yield* one.create, yield* one.create]
    yield* seconds(20)
    assert.deepStrictEqual([one.running.size, other.running.size], [1, 1])
    assert.deepStrictEqual(
      [...one.running.keys(), ...other.running.keys()].toSorted(),
      pipes.map(({ pipeId }) => pipeId).toSorted()
    )
    yield* source.append("0", "a row")
    yield* seconds(10)
    const moved = pipes.find(({ pipeId }) => other.running.has(pipeId))!
    // What the other process has kept of it.
    assert.strictEqual((yield* one.status(moved)).rows, 1)
    assert.isString((yield* one.status(moved)).mover)
    yield* Scope.close(scope, Exit.void)
    yield* seconds(10)
    assert.strictEqual(one.running.size, 2)
    assert.strictEqual((yield* one.status(moved)).rows, 1)
    // Two pipes into one table: each has moved it once.
    assert.deepStrictEqual(yield* texts, ["a row", "a row"])
  }).pipe(Effect.scoped, withStore)
)

it.effect("the pipes of a process that is gone without a word are another's when its leases have ended", () =>
  Effect.gen(function* () {
    const leases = MemoryLeases.make()
    const { context } = yield* makeShared(leases)
    const { create, running } = yield* startProcess(context)
    const pipe = yield* create
    const serves = "*"
    // It has taken the pipe before this process asked for it.
    yield* leases.share({ id: "gone", serves }, new Set([pipe.pipeId]))
    yield* seconds(8)
    assert.strictEqual(running.size, 0)
    yield* seconds(4)
    assert.strictEqual(running.size, 1)
  }).pipe(Effect.scoped, withStore)
)
