import { assert, it } from "@effect/vitest"
import { OrganizationId, Pipe, PipeId, ServerError, ServiceId } from "@headgate/core"
import type { PipeAssignment, MovedPipes, MoverReport } from "@headgate/core/adapter"
import { MemoryLeases, MemoryLedger } from "@headgate/mover/memory"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { hostname } from "node:os"
import { makeAllowedSources, runPipes } from "../src/index.ts"
import { makeMemoryEngine } from "./support/memoryEngine.ts"

const service = {
  organizationId: OrganizationId.make("0a0b0c0d-0000-4000-8000-0000000000aa"),
  serviceId: ServiceId.make("5e000000-0000-4000-8000-0000000000aa")
}
const [damaged, other] = ["1", "2"].map((digit) => PipeId.make(`b1be0000-0000-4000-8000-00000000000${digit}`))
const readPipe = Schema.decodeUnknownSync(Pipe)

const movedPipe = (pipeId: PipeId): PipeAssignment => ({
  address: { ...service, pipeId },
  warehouse: "*",
  state: "Provisioning",
  version: 1
})

/** Runs two pipes, of which the first dies with a defect whenever it is read. Returns what is reported until `isOver`. */
const reportsOf = (defect: unknown, isOver: (reports: ReadonlyMap<PipeId, MoverReport>, reads: number) => boolean) =>
  Effect.gen(function* () {
    const reports = new Map<PipeId, MoverReport>()
    const listed = new Map([damaged, other].flatMap((id) => (id === undefined ? [] : [[id, movedPipe(id)] as const])))
    let reads = 0
    const moved: MovedPipes["Service"] = {
      changes: () =>
        Effect.sync(() => ({ isWhole: true, pipes: Array.from(listed.values()), deleted: [], cursor: "" })),
      read: ({ pipeId }) =>
        pipeId === damaged
          ? Effect.suspend(() => {
              reads++
              return Effect.die(defect)
            })
          : Effect.succeed({
              pipe: readPipe({ id: pipeId, serviceId: service.serviceId, name: "x", state: "Running" })
            }),
      organizationsOf: () => Effect.succeed(new Map()),
      naming: () => Effect.succeed([]),
      deleted: () => Effect.succeed([]),
      findDeleted: () => Effect.succeed(undefined),
      claimDeleted: () => Effect.succeed(undefined),
      markCleanupFailed: () => Effect.void,
      forget: () => Effect.void,
      report: ({ pipeId }, _, report) =>
        Effect.sync(() => {
          reports.set(pipeId, report)
          return listed.delete(pipeId)
        }),
      decided: () => Effect.succeed(true)
    }
    yield* runPipes({
      moved,
      store: { ledger: MemoryLedger.make().ledger, metrics: MemoryLeases.make() },
      engines: new Map([["*", makeMemoryEngine().engine]]),
      connectors: {},
      allowed: makeAllowedSources([]),
      retryTimeout: Duration.minutes(1)
    })
    while (!isOver(reports, reads)) yield* Effect.sleep("20 millis")
    return reports
  }).pipe(Effect.scoped)

it.live("a pipe that cannot be read is Failed, and the others are reconciled", () =>
  Effect.gen(function* () {
    const reports = yield* reportsOf("the sealed credentials do not open", ({ size }) => size === 2)
    assert.deepStrictEqual(reports.get(damaged!), {
      state: "Failed",
      message: "the mover failed: the log of the server says why",
      // This process, as its lease and the status of its pipes name it.
      mover: `${hostname()}:${process.pid}`
    })
    assert.strictEqual(reports.get(other!)?.state, "Failed")
    assert.include(reports.get(other!)?.message ?? "", "are not moved")
  })
)

it.live("a pipe of a store that was sealed with another key waits for a server with that key", () =>
  Effect.gen(function* () {
    const resealed = new ServerError({ message: "the store was sealed with another key" })
    const clock = yield* Clock.Clock
    const fast: Clock.Clock = Object.assign(Object.create(clock), {
      sleep: (duration: Duration.Duration) => clock.sleep(Duration.divideUnsafe(duration, 20))
    })
    // It is read again after a pause.
    const reports = yield* reportsOf(resealed, ({ size }, reads) => size === 2 || reads === 2).pipe(
      Effect.provideService(Clock.Clock, fast)
    )
    assert.isUndefined(reports.get(damaged!))
    assert.include(reports.get(other!)?.message ?? "", "are not moved")
  })
)
