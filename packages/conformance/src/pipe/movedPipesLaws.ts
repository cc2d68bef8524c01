import { assert, describe } from "@effect/vitest"
import {
  IfMatch,
  type PipeAddress,
  type PipeResume,
  Pipes,
  type PipeStateChange,
  type PipeUpdate,
  Snapshots,
  versionOf
} from "@headgate/core"
import { invalidRequest, MovedPipes, PipeMover, PipeSimulation } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { pipeRequests, secretMark } from "../fixtures/pipeRequests.ts"
import { failsWith } from "../internal/failsWith.ts"
import { bound, create, decodeRequest, lawOf, statusOf } from "../internal/movedPipes.ts"

type Ports = MovedPipes | Pipes | PipeSimulation | Snapshots

/**
 * The laws of `MovedPipes`: a pipe that is bound to a warehouse is moved by reports alone, and no report overrides a caller.
 */
export const movedPipesLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = lawOf(layer)
  const listed = (address: PipeAddress) =>
    Effect.map(
      MovedPipes.use(({ changes }) => changes()),
      ({ pipes }) => pipes.find((one) => one.address.pipeId === address.pipeId)
    )
  const setState = (address: PipeAddress, command: PipeStateChange["command"]) =>
    Pipes.use((pipes) => pipes.setState(address, { command }))
  /** Reports a state of a pipe as it is at this moment. */
  const report = Effect.fnUntraced(function* (address: PipeAddress, state: string, message?: string) {
    const { version } = (yield* listed(address)) ?? { version: 0 }
    return yield* MovedPipes.use((moved) => moved.report(address, version, { state, message }))
  })
  const resume = (address: PipeAddress, request: PipeResume) => Pipes.use((pipes) => pipes.resume(address, request))
  const decisionOf = (address: PipeAddress) =>
    Effect.map(
      MovedPipes.use((moved) => moved.read(address)),
      ({ progress }) => progress?.decision
    )
  /** A pipe that has failed. */
  const createFailed = Effect.fnUntraced(function* (request?: unknown) {
    const { address } = yield* create(request)
    yield* report(address, "Failed", "the ledger and the warehouse differ")
    return address
  })
  const stateOf = (address: PipeAddress) =>
    Effect.map(
      Pipes.use((pipes) => pipes.get(address)),
      ({ state }) => state
    )

  describe(`${name}: laws of MovedPipes`, () => {
    law(
      "a bound pipe stays in its first state until a mover reports another one",
      Effect.gen(function* () {
        const { address, pipe } = yield* create()
        assert.strictEqual(pipe.state, "Provisioning")
        yield* Effect.sleep("5 millis")
        yield* PipeSimulation.use((simulation) => simulation.forward(Duration.hours(1)))
        assert.strictEqual(yield* stateOf(address), "Provisioning")
        const { due, next, simulated, warehouse } = yield* statusOf(address)
        assert.deepStrictEqual([due, next, simulated, warehouse], [null, "Running", false, "events"])
        const found = yield* listed(address)
        assert.deepStrictEqual(found, {
          address,
          warehouse: "events",
          state: "Provisioning",
          goal: "Running",
          version: versionOf(pipe) ?? 0
        })
        assert.isTrue(yield* report(address, "Running"))
        assert.strictEqual(yield* stateOf(address), "Running")
      })
    )

    law(
      "a pipe that no warehouse is named for is simulated, and no mover sees it",
      Effect.gen(function* () {
        const { address } = yield* Effect.provideService(create(), PipeMover, PipeMover.defaultValue())
        assert.isUndefined(yield* listed(address))
        const { simulated, warehouse } = yield* statusOf(address)
        assert.deepStrictEqual([simulated, warehouse], [true, undefined])
        yield* PipeSimulation.use((simulation) => simulation.forward(Duration.hours(1)))
        assert.strictEqual(yield* stateOf(address), "Running")
      })
    )

    law(
      "a report is no change of a caller",
      Effect.gen(function* () {
        const { address, pipe } = yield* create()
        yield* report(address, "Degraded", "x".repeat(5000))
        const after = yield* Pipes.use((pipes) => pipes.get(address))
        assert.deepStrictEqual([versionOf(after), after.updatedAt], [versionOf(pipe), pipe.updatedAt])
        assert.strictEqual((yield* statusOf(address)).message, "x".repeat(4096))
        yield* report(address, "Running")
        assert.isNull((yield* statusOf(address)).message)
      })
    )

    law(
      "a message is kept without NUL and halves of characters, which not every store reads; every pipe is still listed",
      Effect.gen(function* () {
        const { address } = yield* create()
        const messageAfter = Effect.fnUntraced(function* (message: string) {
          yield* report(address, "Degraded", message)
          assert.isDefined(yield* listed(address))
          return (yield* statusOf(address)).message
        })
        const hostile = "\0<script>\u001b[31m ünïcode 😀 \ud800"
        assert.strictEqual(yield* messageAfter(hostile), "\ufffd<script>\u001b[31m ünïcode 😀 \ufffd")
        // The cut is in the middle of the character.
        assert.strictEqual(yield* messageAfter(`${"x".repeat(4095)}😀`), `${"x".repeat(4095)}\ufffd`)
        yield* PipeSimulation.use((simulation) => simulation.hold(address, "Degraded", hostile))
        assert.isDefined(yield* listed(address))
      })
    )

    law(
      "a report overrides no command that the mover has not seen",
      Effect.gen(function* () {
        const { address } = yield* create()
        yield* report(address, "Running")
        const seen = yield* listed(address)
        yield* setState(address, "stop")
        const late = MovedPipes.use((moved) => moved.report(address, seen?.version ?? 0, { state: "Running" }))
        assert.isFalse(yield* late)
        assert.strictEqual(yield* stateOf(address), "Stopping")
        yield* Pipes.use((pipes) => pipes.delete(address))
        assert.isFalse(yield* late)
      })
    )

    law(
      "commands say where a pipe is to end; a pipe at rest is not listed, and has no next state",
      Effect.gen(function* () {
        const { address } = yield* create({ ...pipeRequests.kafka, startPaused: true })
        assert.strictEqual((yield* listed(address))?.goal, "Stopped")
        yield* report(address, "Stopped")
        assert.isUndefined(yield* listed(address))
        yield* setState(address, "start")
        assert.strictEqual((yield* listed(address))?.goal, "Running")
        yield* report(address, "Running")
        assert.strictEqual((yield* listed(address))?.goal, "Running")
        yield* setState(address, "stop")
        const stopping = yield* listed(address)
        assert.deepStrictEqual([stopping?.state, stopping?.goal], ["Stopping", "Stopped"])
        yield* report(address, "Stopped")
        yield* setState(address, "start")
        yield* report(address, "Failed", "the topic is gone")
        assert.isUndefined(yield* listed(address))
        const { message, next } = yield* statusOf(address)
        assert.deepStrictEqual([message, next], ["the topic is gone", null])
        yield* setState(address, "start")
        assert.isNull((yield* statusOf(address)).message)
      })
    )

    law(
      "a pipe whose warehouse is not served here can be stopped, and not started",
      Effect.gen(function* () {
        const { address } = yield* create()
        const elsewhere = Effect.provideService(PipeMover, PipeMover.defaultValue())
        yield* elsewhere(setState(address, "stop"))
        yield* report(address, "Stopped")
        const { message } = yield* failsWith(elsewhere(setState(address, "start")), "Conflict")
        assert.include(message, '"events"')
        assert.strictEqual(yield* stateOf(address), "Stopped")
      })
    )

    law(
      "a decision starts a failed or stopped pipe as a caller's change, and stays until its mover has carried it out",
      Effect.gen(function* () {
        const address = yield* createFailed()
        const before = yield* Pipes.use((pipes) => pipes.get(address))
        // Times are in milliseconds.
        yield* Effect.sleep("2 millis")
        const resumed = yield* resume(address, { from: "warehouse" })
        assert.strictEqual(resumed.state, "Provisioning")
        assert.strictEqual(versionOf(resumed), (versionOf(before) ?? 0) + 1)
        assert.notDeepEqual(resumed.updatedAt, before.updatedAt)
        assert.deepStrictEqual([(yield* listed(address))?.goal, (yield* statusOf(address)).message], ["Running", null])
        yield* report(address, "Degraded", "no broker answers")
        assert.deepStrictEqual(yield* decisionOf(address), { from: "warehouse" })
        const decided = (version: number) => MovedPipes.use((moved) => moved.decided(address, version))
        const version = versionOf(resumed) ?? 0
        assert.isFalse(yield* decided(version - 1))
        assert.deepStrictEqual(yield* decisionOf(address), { from: "warehouse" })
        // A repeat, after an answer that was lost.
        for (const _ of [1, 2]) assert.isTrue(yield* decided(version))
        assert.isUndefined(yield* decisionOf(address))
        assert.strictEqual(versionOf(yield* Pipes.use((pipes) => pipes.get(address))), version)
        assert.strictEqual((yield* statusOf(address)).message, "no broker answers")

        yield* setState(address, "stop")
        yield* report(address, "Stopped")
        yield* resume(address, { pending: "skip" })
        assert.deepStrictEqual(yield* decisionOf(address), { pending: "skip" })
        yield* Pipes.use((pipes) => pipes.delete(address))
        assert.isFalse(yield* decided(version + 2))
      })
    )

    law(
      "a decision is void after a later command, a failure or another source, and not after another name",
      Effect.gen(function* () {
        const address = yield* createFailed()
        const update = (request: PipeUpdate) => Pipes.use((pipes) => pipes.update(address, request))
        yield* resume(address, { from: "start" })
        yield* update({ name: "renamed" })
        assert.deepStrictEqual(yield* decisionOf(address), { from: "start" })
        yield* update({ source: { kafka: { topics: "another" } } })
        assert.isUndefined(yield* decisionOf(address))

        yield* report(address, "Failed", "the topic is gone")
        yield* resume(address, { from: "start" })
        yield* report(address, "Failed", "the topic is gone")
        assert.isUndefined(yield* decisionOf(address))
        yield* setState(address, "start")

        yield* setState(address, "stop")
        yield* report(address, "Stopped")
        yield* resume(address, { from: "start" })
        yield* setState(address, "stop")
        assert.isUndefined(yield* decisionOf(address))
        yield* report(address, "Stopped")
        yield* resume(address, { from: "ledger" })
        yield* report(address, "Stopped")
        yield* resume(address, { pending: "replay" })
        assert.deepStrictEqual(yield* decisionOf(address), { pending: "replay" })
      })
    )

    law(
      "accepted tables start every kind of pipe, in every state but passing ones",
      Effect.gen(function* () {
        const kinds = [
          { request: undefined, first: "Provisioning", rest: "Stopped" },
          { request: pipeRequests.objectStorage, first: "Provisioning", rest: "Stopped" },
          { request: pipeRequests.postgres, first: "Setup", rest: "Paused" }
        ]
        for (const { first, request, rest } of kinds) {
          const address = yield* createFailed(request)
          for (const state of ["Failed", rest, "Running", "Degraded"]) {
            yield* report(address, state)
            assert.strictEqual((yield* resume(address, { acceptTable: true })).state, first)
            assert.deepStrictEqual(yield* decisionOf(address), { acceptTable: true })
            yield* failsWith(resume(address, { acceptTable: true }), "Conflict")
          }
          yield* setState(address, "stop")
          assert.isUndefined(yield* decisionOf(address))
          yield* failsWith(resume(address, { acceptTable: true }), "Conflict")
        }
      })
    )

    law(
      "a decision that does not fit is refused and changes nothing",
      Effect.gen(function* () {
        const address = yield* createFailed()
        const requests: ReadonlyArray<PipeResume> = [
          {},
          { from: "ledger", pending: "skip" },
          { from: "ledger", acceptTable: true }
        ]
        for (const request of requests) {
          const { message } = yield* failsWith(resume(address, request), "InvalidRequest")
          assert.include(message, "exactly one of from, pending, acceptTable")
        }
        const other = resume(address, { from: "start" }).pipe(Effect.provideService(IfMatch, 7))
        yield* failsWith(other, "PreconditionFailed")
        const elsewhere = Effect.provideService(PipeMover, PipeMover.defaultValue())
        yield* failsWith(elsewhere(resume(address, { from: "start" })), "Conflict")
        yield* setState(address, "start")
        for (const state of ["Provisioning", "Running", "Degraded"]) {
          yield* report(address, state)
          const { message } = yield* failsWith(resume(address, { from: "start" }), "Conflict")
          assert.include(message, "stop it first")
          assert.strictEqual(yield* stateOf(address), state)
        }

        const database = yield* createFailed(pipeRequests.postgres)
        assert.include((yield* failsWith(resume(database, { from: "start" }), "InvalidRequest")).message, "resynced")
        const bucket = yield* createFailed(pipeRequests.objectStorage)
        const { message } = yield* failsWith(resume(bucket, { pending: "skip" }), "InvalidRequest")
        assert.include(message, "pending: ")
        assert.strictEqual((yield* resume(bucket, { from: "ledger" })).state, "Provisioning")
        const { address: simulated } = yield* Effect.provideService(create(), PipeMover, PipeMover.defaultValue())
        assert.include((yield* failsWith(resume(simulated, { from: "start" }), "Conflict")).message, "simulated")
      })
    )

    law(
      "a mover finds the organizations of pipes, and the pipes of others that name a table",
      Effect.gen(function* () {
        const { address, pipe } = yield* create()
        const gone = yield* create()
        yield* Pipes.use((pipes) => pipes.delete(gone.address))
        const moved = yield* MovedPipes
        const { organizations } = fixtureIds
        const ids = [pipe.id, gone.pipe.id, "unknown"]
        assert.deepStrictEqual(
          yield* moved.organizationsOf(ids),
          new Map([pipe.id, gone.pipe.id].map((id) => [id, organizations.acme]))
        )
        assert.strictEqual((yield* moved.organizationsOf([])).size, 0)
        const { table = "" } = pipe.destination ?? {}
        const naming = (
          warehouse: string,
          organization: PipeAddress["organizationId"],
          ...texts: ReadonlyArray<string>
        ) => Effect.map(moved.naming(warehouse, organization, texts), (found) => found.map(({ id }) => id))
        const name = table ?? ""
        assert.deepStrictEqual(yield* naming("events", organizations.globex, "no table", name), [address.pipeId])
        assert.deepStrictEqual(yield* naming("events", organizations.globex, name.slice(1)), [])
        assert.deepStrictEqual(yield* naming("events", organizations.acme, name), [])
        assert.deepStrictEqual(yield* naming("another", organizations.globex, name), [])
        const many = Array.from({ length: 2000 }, (_, index) => `table ${index}`)
        assert.include(yield* naming("events", organizations.globex, ...many, name), address.pipeId)
        assert.strictEqual((yield* moved.organizationsOf([...many, pipe.id])).size, 1)
      })
    )

    law(
      "a simulated pipe is adopted in any state, as a caller's change, and then moved as a new one",
      Effect.gen(function* () {
        const adopt = (address: PipeAddress) => Pipes.use((pipes) => pipes.adopt(address))
        const simulated = Effect.provideService(PipeMover, PipeMover.defaultValue())
        const { address, pipe } = yield* simulated(create())
        const elsewhere = yield* failsWith(simulated(adopt(address)), "Conflict")
        assert.include(elsewhere.message, "no warehouse")
        const other = Effect.provideService(adopt(address), IfMatch, 7)
        yield* failsWith(other, "PreconditionFailed")
        yield* PipeSimulation.use((simulation) => simulation.forward(Duration.hours(1)))
        assert.strictEqual(yield* stateOf(address), "Running")

        const adopted = yield* adopt(address)
        assert.deepStrictEqual([adopted.state, versionOf(adopted)], ["Provisioning", (versionOf(pipe) ?? 0) + 1])
        assert.deepInclude(yield* listed(address), { warehouse: "events", goal: "Running" })
        const { simulated: isSimulated, warehouse } = yield* statusOf(address)
        assert.deepStrictEqual([isSimulated, warehouse], [false, "events"])
        // No state comes by time any more.
        yield* PipeSimulation.use((simulation) => simulation.forward(Duration.hours(1)))
        assert.strictEqual(yield* stateOf(address), "Provisioning")
        assert.include((yield* failsWith(adopt(address), "Conflict")).message, "moves rows already")
        const { credentials = {} } = yield* MovedPipes.use((moved) => moved.read(address))
        const texts = Object.values(credentials).map((secret) => JSON.stringify(Redacted.value(secret)))
        assert.include(texts.join(), `${secretMark}password`)
        yield* report(address, "Running")
        yield* setState(address, "stop")
        assert.strictEqual((yield* listed(address))?.goal, "Stopped")
        const database = yield* simulated(create(pipeRequests.postgres))
        const askedFor: Array<unknown> = []
        const asking = Effect.provideService(PipeMover, {
          ...bound,
          checkDestination: (_, __, pipeId) =>
            Effect.sync(() => {
              askedFor.push(pipeId)
              return "events"
            })
        })
        yield* asking(adopt(database.address))
        yield* asking(create())
        assert.deepStrictEqual(askedFor, [database.address.pipeId, undefined])
        assert.strictEqual((yield* listed(database.address))?.goal, "Running")
      })
    )

    law(
      "an imported pipe is adopted once it has its credentials; what a new pipe may not have is refused",
      Effect.gen(function* () {
        const { address } = yield* create()
        const exported = yield* Effect.flatMap(Snapshots, ({ export: content }) => content)
        const imported = Effect.gen(function* () {
          const adopt = Pipes.use((pipes) => pipes.adopt(address))
          const { issues = [] } = yield* failsWith(adopt, "InvalidRequest")
          assert.deepStrictEqual(
            issues.map(({ path }) => path),
            [
              "source.kafka.schemaRegistry.credentials",
              "source.kafka.credentials.username",
              "source.kafka.credentials.password"
            ]
          )
          for (const { message } of issues) assert.include(message, "headgate pipe update NAME")
          const { credentials = null, schemaRegistry = null } = decodeRequest(pipeRequests.kafka).source.kafka ?? {}
          yield* Pipes.use((pipes) => pipes.update(address, { source: { kafka: { credentials, schemaRegistry } } }))
          const refusing = {
            ...bound,
            checkDestination: () =>
              Effect.fail(invalidRequest([{ path: "source.kafka.brokers", message: "not allowed" }]))
          }
          const refused = yield* failsWith(Effect.provideService(adopt, PipeMover, refusing), "InvalidRequest")
          assert.include(refused.message, "source.kafka.brokers: not allowed")
          const unserved = { ...bound, checkDestination: () => Effect.succeed(undefined) }
          yield* failsWith(Effect.provideService(adopt, PipeMover, unserved), "InvalidRequest")
          assert.isTrue((yield* statusOf(address)).simulated)
          assert.strictEqual((yield* adopt).state, "Provisioning")
        })
        yield* Effect.provide(imported, Layer.fresh(layer(exported, fixtureIds.organizations.acme)))
      })
    )

    law(
      "an update and an adoption that require another version ask no source",
      Effect.gen(function* () {
        const asked: Array<string> = []
        const asking = Effect.provideService(PipeMover, {
          ...bound,
          check: () => Effect.sync(() => void asked.push("update")),
          checkDestination: () =>
            Effect.sync(() => {
              asked.push("adopt")
              return "events"
            })
        })
        const { address } = yield* create()
        const { address: simulated } = yield* Effect.provideService(create(), PipeMover, PipeMover.defaultValue())
        for (const one of [address, simulated]) yield* Pipes.use((pipes) => pipes.update(one, { name: "renamed" }))
        const changes = [
          Pipes.use((pipes) => pipes.update(address, { source: { kafka: { topics: "another" } } })),
          Pipes.use((pipes) => pipes.adopt(simulated))
        ]
        for (const change of changes) {
          yield* failsWith(asking(change.pipe(Effect.provideService(IfMatch, 7))), "PreconditionFailed")
        }
        assert.deepStrictEqual(asked, [])
        for (const change of changes) yield* asking(change.pipe(Effect.provideService(IfMatch, 2)))
        assert.deepStrictEqual(asked, ["update", "adopt"])
      })
    )

    law(
      "an update whose source is asked fails if the pipe is changed meanwhile, and stores nothing",
      Effect.gen(function* () {
        const { address } = yield* create()
        const context = yield* Effect.context<Ports>()
        const rename = Pipes.use((pipes) => pipes.update(address, { name: "renamed" }))
        const asking = Effect.provideService(PipeMover, {
          ...bound,
          check: () => Effect.provideContext(Effect.orDie(Effect.asVoid(rename)), context)
        })
        const update = Pipes.use((pipes) => pipes.update(address, { source: { kafka: { topics: "another" } } }))
        yield* failsWith(asking(update), "PreconditionFailed")
        const { name, source } = yield* Pipes.use((pipes) => pipes.get(address))
        assert.deepStrictEqual(
          [name, source?.kafka?.topics],
          ["renamed", decodeRequest(pipeRequests.kafka).source.kafka?.topics]
        )
        assert.strictEqual((yield* update).source?.kafka?.topics, "another")
      })
    )

    law(
      "the source of a pipe whose warehouse is not served here is not changed, and its name is",
      Effect.gen(function* () {
        const { address } = yield* create()
        const elsewhere = Effect.provideService(PipeMover, PipeMover.defaultValue())
        const update = (request: PipeUpdate) => elsewhere(Pipes.use((pipes) => pipes.update(address, request)))
        const { message } = yield* failsWith(update({ source: { kafka: { topics: "another" } } }), "Conflict")
        assert.include(message, '"events"')
        assert.strictEqual((yield* update({ name: "renamed" })).name, "renamed")
      })
    )

    law(
      "a mover reads a pipe with its credentials, and nobody else does",
      Effect.gen(function* () {
        const { address } = yield* create()
        const { credentials = {}, pipe } = yield* MovedPipes.use((moved) => moved.read(address))
        const texts = Object.values(credentials).map((secret) => JSON.stringify(Redacted.value(secret)))
        assert.include(texts.join(), `${secretMark}password`)
        assert.notInclude(JSON.stringify(pipe), secretMark)
        assert.strictEqual(versionOf(pipe), (yield* listed(address))?.version)
        const missing = { ...address, pipeId: fixtureIds.pipes.unknown }
        const error = yield* Effect.flip(MovedPipes.use((moved) => moved.read(missing)))
        assert.strictEqual(error._tag, "PipeNotFound")
      })
    )

    law(
      "a pipe that is exported and imported is simulated",
      Effect.gen(function* () {
        const { address } = yield* create()
        const exported = yield* Effect.flatMap(Snapshots, ({ export: content }) => content)
        const status = Effect.gen(function* () {
          assert.isUndefined(yield* listed(address))
          return yield* statusOf(address)
        })
        const { simulated } = yield* Effect.provide(status, Layer.fresh(layer(exported, fixtureIds.organizations.acme)))
        assert.isTrue(simulated)
      })
    )
  })
}
