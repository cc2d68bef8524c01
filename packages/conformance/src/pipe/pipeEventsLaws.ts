import { assert, describe, it } from "@effect/vitest"
import {
  ApiKeys,
  IfMatch,
  type PipeAddress,
  type PipeEvent,
  Pipes,
  type PipeStateChange,
  Snapshots
} from "@headgate/core"
import { CallingKey, PipeSimulation, StepLength } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"
import { create, service } from "../internal/movedPipes.ts"
import { type EventOf, eventOf, eventsOf, readEvents } from "../internal/pipeEvents.ts"

type Ports = ApiKeys | Pipes | PipeSimulation | Snapshots

const { keys, organizations, pipes: pipeIds, services } = fixtureIds

/** So long that no step comes by itself while a law runs. */
const stepLength = Duration.hours(1)

const setState = (address: PipeAddress, command: PipeStateChange["command"]) =>
  Pipes.use((pipes) => pipes.setState(address, { command }))
const oneStep = PipeSimulation.use(({ forward }) => forward(stepLength))
const hold = (address: PipeAddress, state: string, message?: string) =>
  PipeSimulation.use((simulation) => simulation.hold(address, state, message))

const byCaller = { by: "caller", key: { id: keys.admin, name: "admin" } } as const
const bySimulation = { by: "simulation" } as const

/** The events of a new pipe that has come to run, newest first. */
const created: ReadonlyArray<EventOf> = [
  { from: "Provisioning", to: "Running", ...bySimulation },
  { from: null, to: "Provisioning", ...byCaller }
]

/** A new pipe that runs. */
const running = Effect.gen(function* () {
  const { address } = yield* create()
  yield* oneStep
  return address
})

/**
 * The laws of the events of pipes that are simulated: each change of a state is one, with what changed it, and nothing else is.
 * `layer` also provides the store's `PipeSimulation`. Contract: docs/wire-contract.md#change-a-pipes-state-size-and-settings.
 */
export const pipeEventsLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, Ports>) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot, organizations.acme))).pipe(
        Effect.provideService(StepLength, stepLength),
        // Over a network, the fixture's admin key makes all calls.
        Effect.provideService(CallingKey, keys.admin)
      )
    )

  describe(`${name}: laws of the events of Pipes`, () => {
    law(
      "each change of a state is an event, the newest first: commands of callers with their key, and steps by time",
      Effect.gen(function* () {
        const address = yield* running
        assert.deepStrictEqual(yield* eventsOf(address), created)
        yield* setState(address, "stop")
        yield* oneStep
        yield* hold(address, "Failed", "the broker does not answer")
        yield* setState(address, "start")
        assert.deepStrictEqual(yield* eventsOf(address), [
          { from: "Failed", to: "Provisioning", ...byCaller },
          { from: "Stopped", to: "Failed", message: "the broker does not answer", ...bySimulation },
          { from: "Stopping", to: "Stopped", ...bySimulation },
          { from: "Running", to: "Stopping", ...byCaller },
          ...created
        ])
      })
    )

    law(
      "the event of a step has the time when the step was due, also if it is read later",
      Effect.gen(function* () {
        const address = yield* running
        // Two steps at once: it was to stop an hour ago.
        yield* setState(address, "stop")
        yield* PipeSimulation.use(({ forward }) => forward(Duration.hours(2)))
        const { since } = yield* Pipes.use((pipes) => pipes.status(address))
        const [stopped, stopping] = yield* readEvents(address)
        assert.deepStrictEqual([stopped?.at.toString(), stopped?.to], [String(since), "Stopped"])
        const late = (stopping?.at.epochMilliseconds ?? 0) - (stopped?.at.epochMilliseconds ?? 0)
        assert.approximately(late, Duration.toMillis(stepLength), 60_000)
      })
    )

    law(
      "a change that is refused, that changes another field or that changes nothing is no event",
      Effect.gen(function* () {
        const address = yield* running
        yield* failsWith(setState(address, "start"), "InvalidRequest")
        yield* failsWith(Effect.provideService(setState(address, "stop"), IfMatch, 99), "PreconditionFailed")
        yield* Pipes.use((pipes) => pipes.update(address, { name: "renamed" }))
        yield* Pipes.use((pipes) => pipes.scale(address, { replicas: 2 }))
        yield* Pipes.use((pipes) => pipes.updateSettings(address, {}))
        yield* failsWith(
          Pipes.use((pipes) => pipes.resume(address, { from: "start" })),
          "Conflict"
        )
        assert.deepStrictEqual(yield* eventsOf(address), created)
        yield* setState(address, "stop")
        yield* setState(address, "stop")
        assert.deepStrictEqual(yield* eventsOf(address), [{ from: "Running", to: "Stopping", ...byCaller }, ...created])
      })
    )

    law(
      "the key has the name that it had at that time",
      Effect.gen(function* () {
        const { address } = yield* create()
        const key = { organizationId: organizations.acme, keyId: keys.admin }
        yield* ApiKeys.use((all) => all.update(key, { name: "renamed" }))
        yield* setState(address, "stop")
        const names = (yield* readEvents(address)).map((event) => event.key?.name)
        assert.deepStrictEqual(names, ["renamed", "admin"])
      })
    )

    law(
      "pages go on below a position, whatever has happened meanwhile; what no page can be is an InvalidRequest",
      Effect.gen(function* () {
        const { address } = yield* create()
        const states = ["Running", "Degraded", "Running", "Failed"]
        yield* Effect.forEach(states, (state) => hold(address, state))
        const first = yield* readEvents(address, { limit: 2 })
        assert.deepStrictEqual(
          first.map(({ to }) => to),
          ["Failed", "Running"]
        )
        yield* hold(address, "InternalError")
        const before = first.at(-1)?.position ?? ""
        const second = yield* readEvents(address, { limit: 2, before })
        const third = yield* readEvents(address, { limit: 2, before: second.at(-1)?.position ?? "" })
        assert.deepStrictEqual(
          [...second, ...third].map(({ to }) => to),
          ["Degraded", "Running", "Provisioning"]
        )
        assert.deepStrictEqual(yield* readEvents(address, { before: third.at(-1)?.position ?? "" }), [])
        for (const query of [{ limit: 0 }, { limit: 201 }, { limit: 1.5 }, { before: "x" }, { before: "-1" }]) {
          yield* failsWith(readEvents(address, query), "InvalidRequest")
        }
      })
    )

    law(
      "changes at the same time leave a chain: each event begins where the one before has ended",
      Effect.gen(function* () {
        const address = yield* running
        const changes = ["stop", "start", "stop", "start"] as const
        yield* Effect.all(
          [
            ...changes.map((command) => Effect.ignore(setState(address, command))),
            ...["Stopped", "Failed", "Stopped", "Running"].map((state) => hold(address, state))
          ],
          { concurrency: "unbounded" }
        )
        const events = yield* readEvents(address)
        const { state } = yield* Pipes.use((pipes) => pipes.get(address))
        assert.strictEqual(events[0]?.to, state)
        for (const [i, event] of events.entries()) assert.strictEqual(event.from, events[i + 1]?.to ?? null)
        assert.lengthOf(new Set(events.map(({ position }) => position)), events.length)
      })
    )

    law(
      "an imported pipe has no events, and begins with its next change; they go with the pipe",
      Effect.gen(function* () {
        const address: PipeAddress = { ...service, pipeId: pipeIds.kafka }
        const imported: ReadonlyArray<PipeEvent> = yield* readEvents(address)
        assert.deepStrictEqual(imported, [])
        const { state } = yield* Pipes.use((pipes) => pipes.get(address))
        yield* hold(address, "InternalError")
        const held: EventOf = { from: state, to: "InternalError", ...bySimulation }
        assert.deepStrictEqual((yield* readEvents(address)).map(eventOf), [held])
        yield* Pipes.use((pipes) => pipes.delete(address))
        yield* failsWith(readEvents(address), "PipeNotFound")
        yield* Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.import))
        assert.deepStrictEqual(yield* readEvents(address), [])
      })
    )

    law(
      "a pipe that is not at the address has none to read",
      Effect.gen(function* () {
        const address = yield* running
        for (const wrong of [
          { ...address, pipeId: pipeIds.unknown },
          { ...address, serviceId: services.archive },
          { ...address, pipeId: pipeIds.globex }
        ]) {
          yield* failsWith(readEvents(wrong), "PipeNotFound")
        }
      })
    )
  })
}
