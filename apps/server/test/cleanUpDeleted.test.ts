import { assert, it } from "@effect/vitest"
import { OrganizationId, Pipe, PipeId, ServiceId } from "@headgate/core"
import { type DeletedPipe, MovedPipes } from "@headgate/core/adapter"
import type { ClickHouse } from "@headgate/mover-clickhouse"
import { MemoryAdapter } from "@headgate/memory-adapter"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { makeAllowedSources } from "../src/mover/allowedSources.ts"
import { cleanUpDeleted } from "../src/mover/cleanUpDeleted.ts"

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
