import { assert, describe } from "@effect/vitest"
import { type PipeAddress, Pipes, type PipeStateChange } from "@headgate/core"
import { MovedPipes, OrganizationLimits, organizationUsage, PipeMover, PipeSimulation } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type { LawsOptions } from "../LawsOptions.ts"
import { pipeRequests } from "../fixtures/pipeRequests.ts"
import { failsWith } from "../internal/failsWith.ts"
import { create, lawOf } from "../internal/movedPipes.ts"
import { eventsOf, readEvents } from "../internal/pipeEvents.ts"

type Ports = MovedPipes | Pipes | PipeSimulation

const mover = "host-1:4711"
const byMover = { by: "mover", mover } as const
const byCaller = { by: "caller" } as const

/** How many events of a pipe are kept. */
const mostKept = 1000

/**
 * The laws of the events of pipes that are moved: what their movers report is an event of the mover, if the state changes. No call has a
 * key here.
 */
export const movedPipeEventsLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = lawOf(layer)
  const setState = (address: PipeAddress, command: PipeStateChange["command"]) =>
    Pipes.use((pipes) => pipes.setState(address, { command }))
  const versionOf = (address: PipeAddress) =>
    Effect.map(
      MovedPipes.use(({ changes }) => changes()),
      ({ pipes }) => pipes.find((one) => one.address.pipeId === address.pipeId)?.version ?? 0
    )
  const report = Effect.fnUntraced(function* (address: PipeAddress, state: string, message?: string) {
    const version = yield* versionOf(address)
    return yield* MovedPipes.use((moved) => moved.report(address, version, { state, message, mover }))
  })
  const hold = (address: PipeAddress, state: string) => PipeSimulation.use((all) => all.hold(address, state))

  describe(`${name}: laws of the events of MovedPipes`, () => {
    law(
      "a report is an event of its mover if it changes the state; a message alone is none",
      Effect.gen(function* () {
        const { address } = yield* create()
        yield* report(address, "Running")
        yield* report(address, "Degraded", "no broker answers")
        yield* report(address, "Degraded", "no broker answers, twice")
        yield* report(address, "Degraded", "no broker answers, twice")
        yield* setState(address, "stop")
        yield* report(address, "Stopped")
        assert.deepStrictEqual(yield* eventsOf(address), [
          { from: "Stopping", to: "Stopped", ...byMover },
          { from: "Degraded", to: "Stopping", ...byCaller },
          { from: "Running", to: "Degraded", message: "no broker answers", ...byMover },
          { from: "Provisioning", to: "Running", ...byMover },
          { from: null, to: "Provisioning", ...byCaller }
        ])
      })
    )

    law(
      "a report that a caller's change prevents is no event, nor is one of a mover without a name without one",
      Effect.gen(function* () {
        const { address } = yield* create()
        const seen = yield* versionOf(address)
        yield* setState(address, "stop")
        const late = MovedPipes.use((moved) => moved.report(address, seen, { state: "Running", mover }))
        assert.isFalse(yield* late)
        const version = yield* versionOf(address)
        yield* MovedPipes.use((moved) => moved.report(address, version, { state: "Stopped" }))
        assert.deepStrictEqual(yield* eventsOf(address), [
          { from: "Stopping", to: "Stopped", by: "mover" },
          { from: "Provisioning", to: "Stopping", ...byCaller },
          { from: null, to: "Provisioning", ...byCaller }
        ])
      })
    )

    law(
      "a decision that starts a pipe is an event of its caller; that it was carried out is none",
      Effect.gen(function* () {
        const { address } = yield* create()
        yield* report(address, "Failed", "the ledger and the warehouse differ")
        yield* Pipes.use((pipes) => pipes.resume(address, { from: "warehouse" }))
        const version = yield* versionOf(address)
        yield* MovedPipes.use((moved) => moved.decided(address, version))
        assert.deepStrictEqual((yield* eventsOf(address))[0], { from: "Failed", to: "Provisioning", ...byCaller })
      })
    )

    law(
      "a change that is undone, because it would exceed a limit, is no event",
      Effect.gen(function* () {
        const simulated = Effect.provideService(PipeMover, PipeMover.defaultValue())
        const { address } = yield* simulated(create(pipeRequests.postgres))
        yield* hold(address, "Paused")
        const before = yield* eventsOf(address)
        const mapping = pipeRequests.postgres.source.postgres?.tableMappings?.[0]
        const added = {
          ...mapping,
          sourceSchemaName: "public",
          sourceTable: "t".repeat(60),
          targetTable: "t".repeat(60)
        }
        const change = Pipes.use((pipes) =>
          pipes.update(address, { source: { postgres: { tableMappingsToAdd: [added] } } })
        )
        const limits = { ...organizationUsage(100), documentBytes: 10 }
        yield* failsWith(Effect.provideService(simulated(change), OrganizationLimits, limits), "Conflict")
        assert.deepStrictEqual(yield* eventsOf(address), before)
        yield* simulated(change)
        // The step after it may have come.
        const after = (yield* eventsOf(address)).slice(-before.length - 1)
        assert.deepStrictEqual(after, [{ from: "Paused", to: "Modifying", ...byCaller }, ...before])
      })
    )

    law(
      "the last 1,000 events of a pipe are kept, and of no other pipe one goes",
      Effect.gen(function* () {
        const { address } = yield* create()
        const { address: other } = yield* create()
        const states = Array.from({ length: mostKept + 5 }, (_, i) => (i % 2 === 0 ? "Running" : "Degraded"))
        yield* Effect.forEach(states, (state) => hold(address, state))
        const all: Array<string> = []
        for (let before: string | undefined; ;) {
          const page: Effect.Success<ReturnType<typeof readEvents>> = yield* readEvents(
            address,
            before === undefined ? {} : { before }
          )
          if (page.length === 0) break
          all.push(...page.map(({ to }) => to))
          before = page.at(-1)?.position
        }
        assert.deepStrictEqual(all, states.slice(-mostKept).toReversed())
        assert.lengthOf(yield* readEvents(other), 1)
      })
    )
  })
}
