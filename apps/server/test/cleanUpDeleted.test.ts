import { assert, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot, pipeRequests } from "@headgate/conformance/fixtures"
import { OrganizationId, Pipe, PipeCreate, PipeId, Pipes, ServiceId } from "@headgate/core"
import { type DeletedPipe, MovedPipes, PipeMover } from "@headgate/core/adapter"
import type { ClickHouse } from "@headgate/mover-clickhouse"
import { MemoryAdapter } from "@headgate/memory-adapter"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { makeAllowedSources } from "../src/mover/allowedSources.ts"
import { cleanUpDeleted } from "../src/mover/cleanUpDeleted.ts"
import { loadTables } from "../src/mover/sourceKinds.ts"

const organizationId = OrganizationId.make("0a0b0c0d-0000-4000-8000-0000000000aa")
const serviceId = ServiceId.make("5e000000-0000-4000-8000-0000000000aa")
const [first, second, third] = ["1", "2", "3"].map((digit) =>
  PipeId.make(`b1be0000-0000-4000-8000-00000000000${digit}`)
)
const readPipe = Schema.decodeUnknownSync(Pipe)

const deletedPipe = (pipeId: PipeId): DeletedPipe => ({
  address: { organizationId, serviceId, pipeId },
  warehouse: "*",
  moving: { pipe: readPipe({ id: pipeId, serviceId, name: "x", state: "Running" }) },
  deletedAt: 0,
  attempts: 0
})

// It connects to nothing: each use is a defect.
const engine = {} as ClickHouse["Service"]

it.effect("touches nothing of a pipe that another server has cleaned up since it was listed", () =>
  Effect.gen(function* () {
    const failed = yield* Deferred.make<PipeId>()
    const looked = new Map<PipeId, number>()
    const moved: MovedPipes["Service"] = {
      ...(yield* MovedPipes),
      deleted: () =>
        Effect.succeed([third!, first!, second!].map((pipeId) => ({ pipeId, warehouse: "*", attempts: 0 }))),
      findDeleted: (pipeId) => {
        const looks = (looked.get(pipeId) ?? 0) + 1
        looked.set(pipeId, looks)
        // The first is gone before the first step, and the third before the second, which would use the engine.
        const isGone = pipeId === first || (pipeId === third && looks > 1)
        return Effect.succeed(isGone ? undefined : deletedPipe(pipeId))
      },
      markCleanupFailed: (pipeId) => Effect.asVoid(Deferred.succeed(failed, pipeId))
    }
    yield* cleanUpDeleted(moved, new Map([["*", engine]]), makeAllowedSources([]))
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* Deferred.await(failed), second)
    assert.strictEqual(looked.get(third!), 2)
  }).pipe(Effect.provide(MemoryAdapter.layer()))
)

/** Creates a pipe of a warehouse, and deletes it. */
const deleteOne = Effect.fnUntraced(function* (warehouse: string) {
  const service = { organizationId: fixtureIds.organizations.acme, serviceId: fixtureIds.services.ingest }
  const pipes = yield* Pipes
  const request = Schema.decodeUnknownSync(PipeCreate)(pipeRequests.kafka)
  const bound = { ...PipeMover.defaultValue(), warehouseOf: () => Effect.succeed(warehouse) }
  const { id } = yield* Effect.provideService(pipes.create(service, request), PipeMover, bound)
  yield* pipes.delete({ ...service, pipeId: id })
})

const seconds = Effect.fnUntraced(function* (count: number) {
  for (let second = 0; second < count; second += 1) {
    yield* TestClock.adjust("1 second")
    // The kind of a source is imported, which the clock of the test does not wait for.
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
})

it.effect("a pipe that is deleted now does not wait for those whose source or warehouse does not answer", () =>
  Effect.gen(function* () {
    yield* loadTables("kafka")
    const moved = yield* MovedPipes
    let [underway, most] = [0, 0]
    const silent: ClickHouse["Service"] = {
      ...engine,
      database: "default",
      run: () =>
        Effect.acquireUseRelease(
          Effect.sync(() => (most = Math.max(most, (underway += 1)))),
          () => Effect.never,
          () => Effect.sync(() => (underway -= 1))
        )
    }
    const answering: ClickHouse["Service"] = { ...silent, run: () => Effect.succeed("") }
    const engines = new Map([
      ["silent", silent],
      ["*", answering]
    ])
    yield* cleanUpDeleted(moved, engines, makeAllowedSources([]))
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
  }).pipe(Effect.provide(Layer.unwrap(Effect.map(fixtureSnapshot, (snapshot) => MemoryAdapter.layer({ snapshot })))))
)
