import { assert, describe, it } from "@effect/vitest"
import {
  IfMatch,
  type Pipe,
  type PipeAddress,
  PipeId,
  Pipes,
  pipeStates,
  type PipeStateChange,
  Snapshots,
  type Snapshot,
  versionOf
} from "@headgate/core"
import {
  forwardSteps,
  OrganizationLimits,
  organizationUsage,
  pipeLifecycle,
  type PipeRecord,
  PipeSimulation,
  StepLength
} from "@headgate/core/adapter"
import * as Arbitrary from "effect/Arbitrary"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"

const { organizations, services } = fixtureIds

/** So long that no step comes by itself while a law runs: only `PipeSimulation.forward` moves pipes. */
const stepLength = Duration.hours(1)
const start = { now: 0, stepLength }

/** A source of each kind of pipe. */
const sources: { readonly [name: string]: NonNullable<Pipe["source"]> } = {
  streaming: { kafka: { topics: "orders" } },
  oneShot: { objectStorage: { url: "https://bucket.example.com/a.json" } },
  cdc: { postgres: { host: "db.example.com" } },
  snapshot: { bigquery: {} }
}

const service = { organizationId: organizations.acme, serviceId: services.ingest }
const address: PipeAddress = { ...service, pipeId: PipeId.make("5a5a5a5a-0000-4000-8000-000000000001") }

const pipeOf = (state: string, source: Pipe["source"]): Pipe => ({
  id: address.pipeId,
  serviceId: address.serviceId,
  name: "moving",
  state,
  source: source ?? null
})

/** The fixture with this pipe alone in its service. */
const holding = (pipe: Pipe) =>
  Effect.map(fixtureSnapshot, ({ organizations: [acme, ...others] }): Snapshot => ({
    organizations:
      acme === undefined
        ? []
        : [{ ...acme, services: [{ id: service.serviceId, name: "ingest", pipes: [pipe] }] }, ...others]
  }))

/** A command, or `forward`: the time of one step passes. */
const Action = Schema.Literals(["start", "stop", "resync", "forward"])
type Action = typeof Action.Type

const anyRun = Arbitrary.all({
  source: Arbitrary.schema(Schema.Literals(Object.keys(sources))),
  state: Arbitrary.schema(Schema.Literals([...pipeStates, "Hibernating"])),
  actions: Arbitrary.schema(Schema.Array(Action).check(Schema.isMinLength(1), Schema.isMaxLength(12)))
})

/** What a command does to the model: the answer of the port as text, and the pipe afterwards. */
const modelOf = (held: PipeRecord, command: PipeStateChange["command"]) => {
  const result = pipeLifecycle.userChange<{ readonly _tag: string }>((moving, at) =>
    pipeLifecycle.act(moving, command, at)
  )(held, start)
  return Result.isSuccess(result)
    ? { answer: result.success.pipe.state, held: result.success }
    : { answer: result.failure._tag, held }
}

/**
 * The laws of the states of pipes: what a pipe does after any commands, in the time of steps, is what the state machine
 * of core says. `layer` also provides the store's `PipeSimulation`, which lets time pass, and its `Snapshots`. The
 * steps have the length that the reference `StepLength` has while the layer is built. Contract:
 * docs/wire-contract.md#change-a-pipes-state-size-and-settings.
 */
export const pipeStatesLaws = ({ layer, name }: LawsOptions<Pipes | PipeSimulation | Snapshots>): void => {
  const over = <A, E>(pipe: Pipe, body: Effect.Effect<A, E, Pipes | PipeSimulation | Snapshots>) =>
    Effect.flatMap(holding(pipe), (snapshot) => Effect.provide(body, layer(snapshot, organizations.acme))).pipe(
      Effect.provideService(StepLength, stepLength)
    )

  const law = (title: string, pipe: Pipe, body: Effect.Effect<void, unknown, Pipes | PipeSimulation | Snapshots>) =>
    it.live(title, () => over(pipe, body))

  const forward = (steps: number) =>
    PipeSimulation.use((simulation) => simulation.forward(Duration.times(stepLength, steps)))

  const stateOf = Effect.map(
    Pipes.use((pipes) => pipes.get(address)),
    ({ state }) => state
  )

  describe(`${name}: laws of the states of Pipes`, () => {
    it.live.prop(
      "any commands, at any time, lead to the states of the state machine",
      [anyRun],
      ([{ actions, source, state }]) =>
        over(
          pipeOf(state, sources[source]),
          Effect.gen(function* () {
            const pipes = yield* Pipes
            let held = pipeLifecycle.resume(pipeOf(state, sources[source]), start)
            for (const [index, action] of actions.entries()) {
              const sofar = `${source} in ${state}, then ${actions.slice(0, index + 1).join(", ")}`
              if (action === "forward") {
                yield* forward(1)
                held = pipeLifecycle.advance(forwardSteps(held, Duration.toMillis(stepLength)), start.now)
              } else {
                const before = versionOf(yield* pipes.get(address))
                const expected = modelOf(held, action)
                const outcome = yield* Effect.match(pipes.setState(address, { command: action }), {
                  onFailure: ({ _tag }) => ({ answer: _tag, version: before }),
                  onSuccess: (pipe) => ({ answer: pipe.state, version: versionOf(pipe) })
                })
                assert.strictEqual(outcome.answer, expected.answer, sofar)
                if (before !== undefined) {
                  assert.strictEqual(outcome.version, expected.held === held ? before : before + 1, sofar)
                }
                held = expected.held
              }
              const [listed] = yield* pipes.list(service)
              const { next, simulated, state: current } = yield* pipes.status(address)
              assert.deepStrictEqual(
                [yield* stateOf, listed?.state, current, next, simulated],
                [held.pipe.state, held.pipe.state, held.pipe.state, held.progress?.steps[0]?.next ?? null, true],
                sofar
              )
            }
          })
        ),
      { arbitrary: { runs: 20 } }
    )

    law(
      "steps that were due while nobody read are all applied, also in an export",
      pipeOf("Provisioning", sources["cdc"]),
      Effect.gen(function* () {
        yield* forward(2)
        const exported = yield* Effect.flatMap(Snapshots, ({ export: content }) => content)
        assert.strictEqual(exported.organizations[0]?.services?.[0]?.pipes?.[0]?.state, "Snapshot")
        assert.strictEqual(yield* stateOf, "Snapshot")
        yield* forward(5)
        const [listed] = yield* Pipes.use((pipes) => pipes.list(service))
        assert.strictEqual(listed?.state, "Running")
      })
    )

    law(
      "a step changes the state alone: no version, no updatedAt",
      pipeOf("Stopped", sources["streaming"]),
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const started = yield* pipes.setState(address, { command: "start" })
        yield* forward(1)
        const running = yield* pipes.get(address)
        assert.deepStrictEqual({ ...running, state: started.state }, started)
        assert.strictEqual(versionOf(running), versionOf(started))
        assert.isDefined(running.updatedAt)
      })
    )

    law(
      "the refusals have the words that clients look for",
      pipeOf("Running", sources["streaming"]),
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const running = yield* failsWith(pipes.setState(address, { command: "start" }), "InvalidRequest")
        assert.match(running.message, /\b(?:Click)?[Pp]ipe is already running/)
        yield* failsWith(pipes.setState(address, { command: "resync" }), "InvalidRequest")
      })
    )

    law(
      "of many stops at once, each succeeds and one counts",
      pipeOf("Running", sources["cdc"]),
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const before = versionOf(yield* pipes.get(address))
        const stops = Array.from({ length: 10 }, () => pipes.setState(address, { command: "stop" }))
        const stopped = yield* Effect.all(stops, { concurrency: "unbounded" })
        assert.isTrue(stopped.every(({ state }) => state === "Pausing"))
        if (before !== undefined) assert.strictEqual(versionOf(yield* pipes.get(address)), before + 1)
      })
    )

    law(
      "a pipe that is held stays with its message until the next command, which is no change of a caller",
      pipeOf("Provisioning", sources["streaming"]),
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const simulation = yield* PipeSimulation
        const before = versionOf(yield* pipes.get(address))
        yield* simulation.hold(address, "Failed", "x".repeat(5000))
        yield* forward(9)
        const { due, message, next, state } = yield* pipes.status(address)
        assert.deepStrictEqual([state, message, next, due], ["Failed", "x".repeat(4096), null, null])
        assert.strictEqual(versionOf(yield* pipes.get(address)), before)
        yield* pipes.setState(address, { command: "start" })
        assert.isNull((yield* pipes.status(address)).message)
        yield* forward(1)
        assert.strictEqual(yield* stateOf, "Running")
        yield* failsWith(simulation.hold({ ...address, pipeId: fixtureIds.pipes.unknown }, "Failed"), "PipeNotFound")
      })
    )

    law(
      "the statuses of a service are those of its pipes, and of no others",
      pipeOf("Provisioning", sources["streaming"]),
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const statuses = yield* pipes.statuses(service)
        assert.deepStrictEqual(statuses, [{ id: address.pipeId, ...(yield* pipes.status(address)) }])
        yield* failsWith(pipes.statuses({ ...service, serviceId: services.unknown }), "ServiceNotFound")
        yield* failsWith(pipes.statuses({ ...service, serviceId: services.globex }), "ServiceNotFound")
      })
    )

    law(
      "a pipe between states can be scaled, tuned and deleted",
      pipeOf("Provisioning", sources["cdc"]),
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const scaled = yield* pipes.scale(address, { replicas: 2, concurrency: null })
        assert.deepStrictEqual([scaled.state, scaled.scaling], ["Provisioning", { replicas: 2 }])
        const { scaling } = yield* pipes.scale(address, {
          replicaMemoryGb: 0.5,
          replicaCpuMillicores: 125,
          concurrency: 34
        })
        assert.deepStrictEqual(scaling, {
          replicas: 2,
          replicaMemoryGb: 0.5,
          replicaCpuMillicores: 125,
          concurrency: 34
        })
        yield* forward(1)
        assert.strictEqual(yield* stateOf, "Setup")
        yield* pipes.delete(address)
        for (const call of [
          pipes.setState(address, { command: "stop" }),
          pipes.scale(address, {}),
          pipes.settings(address),
          pipes.updateSettings(address, {}),
          pipes.status(address)
        ]) {
          const error = yield* failsWith<unknown, Effect.Error<typeof call>, never, "PipeNotFound">(
            call,
            "PipeNotFound"
          )
          assert.deepStrictEqual(error.address, address)
        }
      })
    )

    law(
      "a size out of bounds is refused with the names of the fields, and nothing changes",
      pipeOf("Running", sources["streaming"]),
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const before = yield* pipes.get(address)
        const wrong = { replicas: 41, replicaCpuMillicores: 124, replicaMemoryGb: 8.5, concurrency: 35 }
        const { message } = yield* failsWith(pipes.scale(address, wrong), "InvalidRequest")
        for (const field of Object.keys(wrong)) assert.include(message, `${field}: Expected `)
        const same = yield* pipes.scale(address, {})
        assert.deepStrictEqual([same, versionOf(same)], [before, versionOf(before)])
      })
    )

    law(
      "settings are replaced; null is the default; unknown ones are kept; wrong ones are named",
      { ...pipeOf("Running", sources["streaming"]), settings: { db_max_threads: 4 } },
      Effect.gen(function* () {
        const pipes = yield* Pipes
        assert.deepStrictEqual(yield* pipes.settings(address), { db_max_threads: 4, kafka_read_committed: false })
        const settings = { db_max_insert_threads: 2, kafka_read_committed: true, db_future: "kept" }
        const replaced = yield* pipes.updateSettings(address, { ...settings, db_max_threads: null })
        assert.deepStrictEqual(replaced, settings)
        assert.deepStrictEqual(yield* pipes.settings(address), settings)
        assert.deepStrictEqual((yield* pipes.get(address)).settings, settings)
        const wrong = { db_max_threads: 65, streaming_max_insert_wait_ms: 499 }
        const { message } = yield* failsWith(pipes.updateSettings(address, wrong), "InvalidRequest")
        assert.include(message, "max_threads: Expected a whole number from 0 to 64")
        assert.include(message, "streaming_max_insert_wait_ms: Expected a whole number from 500 to 60000")
        assert.deepStrictEqual(yield* pipes.settings(address), settings)
      })
    )

    law(
      "a change that requires another version is refused",
      pipeOf("Running", sources["streaming"]),
      Effect.gen(function* () {
        const pipes = yield* Pipes
        const version = versionOf(yield* pipes.get(address)) ?? 1
        const stop = pipes.setState(address, { command: "stop" })
        for (const call of [stop, pipes.scale(address, { replicas: 2 })]) {
          yield* failsWith(Effect.provideService(call, IfMatch, version + 1), "PreconditionFailed")
        }
        const stopping = yield* Effect.provideService(stop, IfMatch, version)
        assert.strictEqual(stopping.state, "Stopping")
      })
    )

    it.live("at the limit of an organization's documents no pipe grows, but every command works", () =>
      over(
        pipeOf("Running", sources["streaming"]),
        Effect.gen(function* () {
          const pipes = yield* Pipes
          const before = yield* pipes.get(address)
          yield* failsWith(pipes.updateSettings(address, { db_max_threads: 2 }), "Conflict")
          yield* failsWith(pipes.scale(address, { replicas: 2 }), "Conflict")
          assert.deepStrictEqual(yield* pipes.get(address), before)
          yield* pipes.setState(address, { command: "stop" })
          yield* forward(1)
          assert.strictEqual(yield* stateOf, "Stopped")
        })
      ).pipe(Effect.provideService(OrganizationLimits, { ...organizationUsage(Infinity), documentBytes: 1 }))
    )

    law(
      "the context of a service is an object; an unknown service has none",
      pipeOf("Running", sources["streaming"]),
      Effect.gen(function* () {
        const pipes = yield* Pipes
        assert.isObject(yield* pipes.context(service))
        yield* failsWith(pipes.context({ ...service, serviceId: services.unknown }), "ServiceNotFound")
      })
    )
  })
}
