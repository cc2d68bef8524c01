import { assert, it } from "@effect/vitest"
import { OrganizationId, Pipe, PipeId, ServiceId } from "@headgate/core"
import type { MovedPipe, MovedPipes, MoverReport } from "@headgate/core/adapter"
import type { ClickHouse } from "@headgate/mover-clickhouse"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { makeAllowedSources } from "../src/mover/allowedSources.ts"
import { runPipes } from "../src/mover/runPipes.ts"
import { memoryLedger, OpenLedger } from "../src/store/OpenLedger.ts"

const service = {
  organizationId: OrganizationId.make("0a0b0c0d-0000-4000-8000-0000000000aa"),
  serviceId: ServiceId.make("5e000000-0000-4000-8000-0000000000aa")
}
const [damaged, other] = ["1", "2"].map((digit) => PipeId.make(`b1be0000-0000-4000-8000-00000000000${digit}`))
const readPipe = Schema.decodeUnknownSync(Pipe)

const movedPipe = (pipeId: PipeId): MovedPipe => ({
  address: { ...service, pipeId },
  warehouse: "*",
  state: "Provisioning",
  version: 1
})

// It connects to nothing, and no pipe here comes so far.
const engine = {} as ClickHouse["Service"]

it.live("a pipe that cannot be read is Failed, and the others are looked after", () =>
  Effect.gen(function* () {
    const reports = new Map<PipeId, MoverReport>()
    const listed = new Map([damaged, other].flatMap((id) => (id === undefined ? [] : [[id, movedPipe(id)] as const])))
    const moved: MovedPipes["Service"] = {
      list: Effect.sync(() => Array.from(listed.values())),
      read: ({ pipeId }) =>
        pipeId === damaged
          ? Effect.die("the sealed credentials do not open")
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
    const { ledger, notes } = yield* Effect.flatten(Effect.provide(OpenLedger, memoryLedger))
    const options = {
      ledger,
      engines: new Map([["*", engine]]),
      allowed: makeAllowedSources([]),
      giveUp: Duration.minutes(1),
      errorTable: "neutral"
    } as const
    yield* runPipes(moved, options, notes)
    while (listed.size > 0) yield* Effect.sleep("20 millis")
    assert.deepStrictEqual(reports.get(damaged!), {
      state: "Failed",
      message: "the mover failed: the log of the server says why"
    })
    assert.strictEqual(reports.get(other!)?.state, "Failed")
    assert.include(reports.get(other!)?.message ?? "", "are not moved")
  })
)
