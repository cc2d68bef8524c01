import { assert, describe, it } from "@effect/vitest"
import { MemoryLeases } from "@headgate/mover/memory"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { checkProcess, ownFailure } from "../src/pipe/ownFailure.ts"
import { makeShared, seconds, startProcess, withStore } from "./support/processes.ts"

/** As Node fails when a process has too many files open. */
const tooManyFiles = Object.assign(new Error("EMFILE: too many open files, open 'connector.js'"), { code: "EMFILE" })

it.effect(
  "a server that has run out of files leaves its pipes to another one, and takes them again when it is well",
  () =>
    Effect.gen(function* () {
      const leases = MemoryLeases.make()
      const { context } = yield* makeShared(leases)
      let isWell = true
      const sick = {
        ...context,
        connectors: {
          kinesis: {
            load: () =>
              isWell
                ? (context.connectors["kinesis"]?.load() ?? Promise.reject(new Error("no connector")))
                : Promise.reject(new Error("the connector was not loaded", { cause: tooManyFiles }))
          }
        }
      }
      const one = yield* startProcess(sick)
      const other = yield* startProcess(context)
      isWell = false
      const pipes = [yield* other.create, yield* other.create, yield* other.create, yield* other.create]
      yield* seconds(20)
      assert.deepStrictEqual([one.running.size, other.running.size], [0, 4])
      for (const pipe of pipes) assert.strictEqual(yield* one.state(pipe), "Running")
      // It tries again one time, and rests again.
      yield* seconds(60)
      assert.strictEqual(one.running.size + other.running.size, 4)
      isWell = true
      yield* seconds(200)
      assert.deepStrictEqual([one.running.size, other.running.size], [2, 2])
      for (const pipe of pipes) assert.strictEqual(yield* one.state(pipe), "Running")
    }).pipe(Effect.scoped, withStore)
)

it.effect("a server that is alone keeps its pipes, and starts them again", () =>
  Effect.gen(function* () {
    const { context, source, texts } = yield* makeShared(MemoryLeases.make())
    let isWell = false
    const load = () =>
      isWell
        ? (context.connectors["kinesis"]?.load() ?? Promise.reject(new Error("none")))
        : Promise.reject(tooManyFiles)
    const { create, running, state } = yield* startProcess({ ...context, connectors: { kinesis: { load } } })
    isWell = true
    const pipe = yield* create
    isWell = false
    yield* seconds(15)
    assert.strictEqual(yield* state(pipe), "Degraded")
    assert.strictEqual(running.get(pipe.pipeId)?.end?._tag, "Unable")
    isWell = true
    yield* source.append("0", "a row")
    yield* seconds(30)
    assert.strictEqual(yield* state(pipe), "Running")
    assert.deepStrictEqual(yield* texts, ["a row"])
  }).pipe(Effect.scoped, withStore)
)

it.effect("a source that is away is no reason of a server's own: its pipes stay", () =>
  Effect.gen(function* () {
    const { context, source } = yield* makeShared(MemoryLeases.make())
    const one = yield* startProcess(context)
    const other = yield* startProcess(context)
    for (let count = 0; count < 4; count += 1) yield* one.create
    yield* source.down("no broker answers")
    yield* seconds(60)
    assert.deepStrictEqual([one.running.size, other.running.size], [2, 2])
  }).pipe(Effect.scoped, withStore)
)

describe("what a process has run out of", () => {
  it("is found in the causes of an error, and nothing is found in another one", () => {
    assert.strictEqual(ownFailure(Cause.die(new Error("load", { cause: tooManyFiles }))), "EMFILE")
    assert.strictEqual(ownFailure(Cause.fail(tooManyFiles)), "EMFILE")
    assert.isUndefined(ownFailure(Cause.die(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }))))
    assert.isUndefined(ownFailure(Cause.die("EMFILE")))
  })

  it.live("is nothing for a process that is well", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* checkProcess)
    })
  )
})
