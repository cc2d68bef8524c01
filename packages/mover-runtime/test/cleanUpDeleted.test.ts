import { assert, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot, pipeRequests } from "@headgate/conformance/fixtures"
import { PipeCreate, Pipes } from "@headgate/core"
import { MovedPipes, PipeMover } from "@headgate/core/adapter"
import { MemoryAdapter } from "@headgate/memory-adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { cleanUpDeleted, makeAllowedSources, type MoverContext } from "../src/index.ts"
import { makeMemoryEngine } from "./support/memoryEngine.ts"

/** An engine that drops what a pipe has staged so. */
const engineOf = (drop: Effect.Effect<void>) => makeMemoryEngine({ dropStagings: () => drop }).engine

/** Cleans up after the deleted pipes of the store. */
const cleanUp = (engines: MoverContext["engines"]) =>
  Effect.flatMap(MovedPipes, (moved) =>
    cleanUpDeleted({ moved, engines, connectors: {}, allowed: makeAllowedSources([]) })
  )

/** Creates a pipe of a warehouse, and deletes it. */
const deleteOne = Effect.fnUntraced(function* (warehouse: string) {
  const service = { organizationId: fixtureIds.organizations.acme, serviceId: fixtureIds.services.ingest }
  const pipes = yield* Pipes
  const request = Schema.decodeUnknownSync(PipeCreate)(pipeRequests.kafka)
  const bound = { ...PipeMover.defaultValue(), checkDestination: () => Effect.succeed(warehouse) }
  const { id } = yield* Effect.provideService(pipes.create(service, request), PipeMover, bound)
  yield* pipes.delete({ ...service, pipeId: id })
  return id
})

const withStore = Effect.provide(
  Layer.unwrap(Effect.map(fixtureSnapshot, (snapshot) => MemoryAdapter.layer({ snapshot })))
)

const seconds = Effect.fnUntraced(function* (count: number) {
  for (let second = 0; second < count; second += 1) {
    yield* TestClock.adjust("1 second")
    // What a tick has started goes on before the next one.
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
})

it.effect("a pipe that is deleted now does not wait for those whose source or warehouse does not answer", () =>
  Effect.gen(function* () {
    const moved = yield* MovedPipes
    let [underway, most] = [0, 0]
    const silent = engineOf(
      Effect.acquireUseRelease(
        Effect.sync(() => (most = Math.max(most, (underway += 1)))),
        () => Effect.never,
        () => Effect.sync(() => (underway -= 1))
      )
    )
    const engines = new Map([
      ["silent", silent],
      ["*", engineOf(Effect.void)]
    ])
    yield* cleanUp(engines)
    const countLeft = Effect.map(moved.deleted(["*"]), ({ length }) => length)
    const cleanedUpWithin = Effect.fnUntraced(function* (limit: number) {
      yield* deleteOne("*")
      yield* seconds(limit)
      assert.strictEqual(yield* countLeft, 0)
    })

    // Never tried, as the next one, but deleted before it.
    yield* Effect.forEach(Array.from({ length: 8 }), () => deleteOne("silent"))
    yield* seconds(4)
    yield* cleanedUpWithin(30)

    // More than can be tried again while they are due: some are still waiting for their second attempt.
    yield* Effect.forEach(Array.from({ length: 92 }), () => deleteOne("silent"))
    yield* seconds(1200)
    yield* cleanedUpWithin(6)
    const attempts = (yield* moved.deleted(["silent"])).map((one) => one.attempts)
    assert.strictEqual(Math.min(...attempts), 1)
    assert.isAbove(Math.max(...attempts), 1)
    assert.strictEqual(most, 8)
  }).pipe(withStore)
)

it.effect("a pipe that another server cleans up is left to it, also when that server ends without a word", () =>
  Effect.gen(function* () {
    const moved = yield* MovedPipes
    let runs = 0
    const answering = engineOf(
      Effect.sync(() => {
        runs += 1
      })
    )
    const pipeId = yield* deleteOne("*")
    yield* moved.claimDeleted(pipeId, Duration.minutes(5))
    yield* cleanUp(new Map([["*", answering]]))
    yield* seconds(290)
    assert.strictEqual(runs, 0)
    assert.strictEqual((yield* moved.findDeleted(pipeId))?.attempts, 0)
    yield* seconds(30)
    assert.isUndefined(yield* moved.findDeleted(pipeId))
    assert.isAbove(runs, 0)
  }).pipe(withStore)
)

it.effect("a server claims a pipe for as long as it cleans up after it, and no longer when it ends", () =>
  Effect.gen(function* () {
    const moved = yield* MovedPipes
    const pipeId = yield* deleteOne("*")
    const silent = engineOf(Effect.never)
    const scope = yield* Scope.make()
    yield* Scope.provide(cleanUp(new Map([["*", silent]])), scope)
    const claim = moved.claimDeleted(pipeId, Duration.seconds(1))
    yield* seconds(6)
    assert.isUndefined(yield* claim)
    // The second attempt may take longer.
    yield* seconds(60)
    assert.isUndefined(yield* claim)
    yield* Scope.close(scope, Exit.void)
    assert.isDefined(yield* claim)
  }).pipe(withStore)
)
