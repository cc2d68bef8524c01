import { assert, describe } from "@effect/vitest"
import { type PipeAddress, type PipeStateChange, Pipes, Snapshots, versionOf } from "@headgate/core"
import {
  MovedPipes,
  OrganizationLimits,
  organizationUsage,
  type PipeAssignment,
  type PipeAssignments,
  PipeMover,
  PipeSimulation,
  restingStates,
  StoredServices
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { LawsOptions } from "../LawsOptions.ts"
import { pipeRequests } from "../fixtures/pipeRequests.ts"
import { create, decodeRequest, lawOf, service } from "../internal/movedPipes.ts"

type Ports = MovedPipes | Pipes | PipeSimulation | Snapshots | StoredServices

const changes = (after?: string) => MovedPipes.use((moved) => moved.changes(after))

const setState = (address: PipeAddress, command: PipeStateChange["command"]) =>
  Pipes.use((pipes) => pipes.setState(address, { command }))

const deletePipe = (address: PipeAddress) => Pipes.use((pipes) => pipes.delete(address))

/** Reports a state of a pipe as it is at this moment, as its mover does. */
const report = Effect.fnUntraced(function* (address: PipeAddress, state: string) {
  const version = versionOf(yield* Pipes.use((pipes) => pipes.get(address))) ?? 1
  assert.isTrue(yield* MovedPipes.use((moved) => moved.report(address, version, { state })))
})

const byId = (pipes: Iterable<PipeAssignment>) =>
  Array.from(pipes).toSorted((one, other) => (one.address.pipeId < other.address.pipeId ? -1 : 1))

/** What a process knows that asks for changes alone. */
const makeFollower = Effect.gen(function* () {
  const known = new Map<string, PipeAssignment>()
  let { cursor, pipes } = yield* changes()
  const apply = ({ deleted, isWhole, pipes: found }: Pick<PipeAssignments, "deleted" | "isWhole" | "pipes">) => {
    if (isWhole) known.clear()
    for (const id of deleted) known.delete(id)
    for (const pipe of found) known.set(pipe.address.pipeId, pipe)
    for (const [id, { state }] of known) if (restingStates.includes(state)) known.delete(id)
  }
  apply({ isWhole: true, deleted: [], pipes })
  const poll = Effect.gen(function* () {
    const answer = yield* changes(cursor)
    cursor = answer.cursor
    apply(answer)
    return answer
  })
  return { poll, known: () => byId(known.values()) }
})

/**
 * The laws of `MovedPipes.changes`: a process that asks for changes alone knows what it would know from the whole list. A change
 * that was answered may be answered again.
 */
export const pipeChangesLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = lawOf(layer)
  const whole = Effect.map(changes(), ({ pipes }) => byId(pipes))

  describe(`${name}: laws of the changes of moved pipes`, () => {
    law(
      "each change of a caller and each report is answered, also the one that brings a pipe to rest",
      Effect.gen(function* () {
        const { cursor, ...empty } = yield* changes()
        assert.deepStrictEqual(empty, { isWhole: true, pipes: [], deleted: [] })
        const { address } = yield* create()
        yield* create(pipeRequests.postgres)
        let since = cursor
        const next = Effect.gen(function* () {
          const answer = yield* changes(since)
          since = answer.cursor
          assert.isFalse(answer.isWhole)
          assert.deepStrictEqual(answer.deleted, [])
          const found = answer.pipes.find(({ address: { pipeId } }) => pipeId === address.pipeId)
          return [found?.state, found?.goal, found?.version]
        })
        assert.deepStrictEqual(yield* next, ["Provisioning", "Running", 1])
        yield* report(address, "Running")
        assert.deepStrictEqual(yield* next, ["Running", "Running", 1])
        yield* Pipes.use((pipes) => pipes.update(address, { name: "renamed" }))
        assert.deepStrictEqual(yield* next, ["Running", "Running", 2])
        yield* setState(address, "stop")
        assert.deepStrictEqual(yield* next, ["Stopping", "Stopped", 3])
        yield* report(address, "Stopped")
        assert.deepStrictEqual(yield* next, ["Stopped", undefined, 3])
        yield* setState(address, "start")
        yield* report(address, "Failed")
        assert.deepStrictEqual(yield* next, ["Failed", undefined, 4])
        // The answer to an earlier cursor may have been lost.
        const again = yield* changes(cursor)
        assert.deepStrictEqual([again.isWhole, again.pipes.length], [false, 2])
      })
    )

    law(
      "an answer without changes comes at last, however many there were",
      Effect.gen(function* () {
        yield* create()
        let answer = yield* changes()
        assert.strictEqual(answer.pipes.length, 1)
        // Another transaction may still run.
        while (answer.pipes.length > 0) answer = yield* Effect.delay(changes(answer.cursor), "10 millis")
        assert.isFalse(answer.isWhole)
        assert.deepStrictEqual(answer.deleted, [])
      })
    )

    law(
      "a simulated pipe is in no answer until it is adopted",
      Effect.gen(function* () {
        const simulated = Effect.provideService(PipeMover, PipeMover.defaultValue())
        const { cursor } = yield* changes()
        const { address } = yield* simulated(create(pipeRequests.postgres))
        const { address: gone } = yield* simulated(create())
        yield* simulated(setState(address, "stop"))
        yield* deletePipe(gone)
        const answer = yield* changes(cursor)
        assert.deepStrictEqual([answer.isWhole, answer.pipes, answer.deleted], [false, [], []])
        assert.deepStrictEqual(yield* whole, [])
        yield* PipeSimulation.use((simulation) => simulation.hold(address, "Running"))
        yield* Pipes.use((pipes) => pipes.adopt(address))
        const { pipes } = yield* changes(answer.cursor)
        assert.deepStrictEqual(
          pipes.map((pipe) => [pipe.address, pipe.warehouse]),
          [[address, "events"]]
        )
      })
    )

    law(
      "a deleted pipe is answered, however it was deleted",
      Effect.gen(function* () {
        const exported = yield* Effect.flatMap(Snapshots, (snapshots) => snapshots.export)
        const removals = [
          deletePipe,
          () => StoredServices.use((stored) => stored.remove(service)),
          () => StoredServices.use((stored) => stored.removeOrganization(service.organizationId)),
          () => Snapshots.use((snapshots) => snapshots.replace(exported))
        ]
        for (const remove of removals) {
          yield* Snapshots.use((snapshots) => snapshots.replace(exported))
          const { address } = yield* create()
          const { cursor } = yield* changes()
          yield* remove(address)
          const { deleted, isWhole, pipes } = yield* changes(cursor)
          assert.isFalse(isWhole)
          assert.include(deleted, address.pipeId)
          assert.notInclude(
            pipes.map((pipe) => pipe.address.pipeId),
            address.pipeId
          )
          // A process that cleans up has forgotten others, and this one.
          yield* MovedPipes.use((moved) => moved.forget(address.pipeId))
          assert.deepStrictEqual(yield* whole, [])
        }
      })
    )

    law(
      "a pipe that was deleted and is made again by an import is answered as deleted, and as moved when it is adopted",
      Effect.gen(function* () {
        const { address } = yield* create(pipeRequests.postgres)
        const exported = yield* Effect.flatMap(Snapshots, (snapshots) => snapshots.export)
        const { cursor } = yield* changes()
        yield* deletePipe(address)
        yield* Snapshots.use((snapshots) => snapshots.import(exported))
        const imported = yield* changes(cursor)
        assert.deepStrictEqual([imported.pipes, imported.deleted], [[], [address.pipeId]])
        yield* MovedPipes.use((moved) => moved.forget(address.pipeId))
        const { credentials = null } = decodeRequest(pipeRequests.postgres).source.postgres ?? {}
        yield* Pipes.use((pipes) => pipes.update(address, { source: { postgres: { credentials } } }))
        yield* Pipes.use((pipes) => pipes.adopt(address))
        for (const since of [cursor, imported.cursor]) {
          const { deleted, pipes } = yield* changes(since)
          assert.deepStrictEqual([deleted, pipes.map((pipe) => pipe.address)], [[], [address]])
        }
      })
    )

    law(
      "what is no cursor of this store is answered with the whole list",
      Effect.gen(function* () {
        const { address } = yield* create()
        const { address: resting } = yield* create()
        yield* report(resting, "Stopped")
        const ahead = "999999999999999"
        const texts = ["", " ", "x", "-1", "1.5", "1e3", "0x10", "010", "+1", "NaN", "Infinity", "1 ", "\0", "'", ahead]
        for (const text of [...texts, "9".repeat(400), "🦆", '{"after":1}']) {
          const { deleted, isWhole, pipes } = yield* changes(text)
          assert.deepStrictEqual([isWhole, deleted, pipes.map((pipe) => pipe.address)], [true, [], [address]], text)
        }
      })
    )

    law(
      "a process that follows the changes knows what the whole list says, after any sequence of them",
      Effect.gen(function* () {
        const addresses: Array<PipeAddress> = []
        const follower = yield* makeFollower
        // The sequence of a generator of Lehmer: the same in each run.
        let random = 23
        const below = (count: number) => (random = (random * 48271) % 2147483647) % count
        const commands = ["start", "stop", "resync"] as const
        for (let step = 0; step < 120; step += 1) {
          const address = addresses[below(Math.max(1, addresses.length))]
          const choice = below(8)
          if (address === undefined || choice === 0) addresses.push((yield* create(pipeRequests.postgres)).address)
          else if (choice === 1) {
            yield* deletePipe(address)
            addresses.splice(addresses.indexOf(address), 1)
          } else if (choice < 5) yield* Effect.ignore(setState(address, commands[below(3)] ?? "stop"))
          else yield* report(address, ["Running", "Degraded", "Paused", "Failed", "Stopping"][below(5)] ?? "Running")
          if (below(3) > 0) continue
          yield* follower.poll
          assert.deepStrictEqual(follower.known(), yield* whole, `step ${step}`)
        }
      })
    )

    law(
      "nothing is lost of what is changed at the same time, and more than 1,000 changes are a whole list",
      Effect.gen(function* () {
        const follower = yield* makeFollower
        const { cursor } = yield* changes()
        const polling = yield* Effect.forkChild(Effect.forever(follower.poll))
        const change = Effect.fnUntraced(function* (index: number) {
          const { address } = yield* create()
          if (index % 3 === 0) yield* report(address, "Stopped")
          if (index % 5 === 0) yield* deletePipe(address)
        })
        yield* Effect.forEach(Array.from({ length: 1001 }).keys(), change, { concurrency: 16, discard: true })
        yield* Fiber.interrupt(polling)
        yield* follower.poll
        const all = yield* whole
        assert.deepStrictEqual(follower.known(), all)
        // 1001 less those that rest or are deleted, which are 334 + 201 - 67.
        assert.strictEqual(all.length, 533)
        const { isWhole, pipes } = yield* changes(cursor)
        assert.isTrue(isWhole)
        assert.deepStrictEqual(byId(pipes), all)
      }).pipe(Effect.provideService(OrganizationLimits, organizationUsage(Infinity)))
    )
  })
}
