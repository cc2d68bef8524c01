import { assert, describe } from "@effect/vitest"
import { type PipeAddress, type PipeId, Pipes, Snapshots } from "@headgate/core"
import {
  MovedPipes,
  OrganizationLimits,
  type OrganizationUsage,
  organizationUsage,
  PipeMover,
  StoredServices
} from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { pipeRequests, secretMark } from "../fixtures/pipeRequests.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"
import { bound, create, decodeRequest, lawOf, service, statusOf } from "../internal/movedPipes.ts"

type Ports = MovedPipes | Pipes | Snapshots | StoredServices

/**
 * The laws of `MovedPipes` for deleted pipes: what a pipe of a warehouse has left is known until it is cleaned up.
 */
export const deletedPipesLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = lawOf(layer)

  describe(`${name}: laws of deleted pipes`, () => {
    law(
      "a deleted pipe of a warehouse is kept with its credentials until it is cleaned up, however it was deleted",
      Effect.gen(function* () {
        const deleted = MovedPipes.use((moved) => moved.deleted())
        const idsOf = Effect.map(deleted, (kept) => kept.map(({ pipeId }) => pipeId).toSorted())
        const { address } = yield* create()
        const simulated = yield* Effect.provideService(create(), PipeMover, PipeMover.defaultValue())
        assert.deepStrictEqual(yield* deleted, [])
        for (const one of [simulated, { address }]) yield* Pipes.use((pipes) => pipes.delete(one.address))
        assert.deepStrictEqual(yield* deleted, [{ pipeId: address.pipeId, warehouse: "events", attempts: 0 }])
        const find = MovedPipes.use((moved) => moved.findDeleted(address.pipeId))
        const kept = yield* find
        assert.deepInclude(kept, { address, warehouse: "events", attempts: 0 })
        assert.isUndefined(kept?.lastError)
        assert.strictEqual(kept?.record.pipe.name, pipeRequests.kafka.name)
        assert.notInclude(JSON.stringify(kept), secretMark)
        const texts = Object.values(kept?.record.credentials ?? {}).map((secret) =>
          JSON.stringify(Redacted.value(secret))
        )
        assert.include(texts.join(), `${secretMark}password`)
        yield* MovedPipes.use((moved) => moved.markCleanupFailed(address.pipeId, "no answer"))
        assert.strictEqual((yield* deleted)[0]?.attempts, 1)
        assert.deepInclude(yield* find, { address, attempts: 1, lastError: "no answer" })
        yield* MovedPipes.use((moved) => moved.forget(address.pipeId))
        yield* MovedPipes.use((moved) => moved.forget(address.pipeId))
        yield* MovedPipes.use((moved) => moved.markCleanupFailed(address.pipeId, "it is gone"))
        assert.deepStrictEqual(yield* idsOf, [])
        assert.isUndefined(yield* find)

        const [ofService, replaced] = [yield* create(), yield* create()]
        const content = yield* Effect.flatMap(Snapshots, (snapshots) => snapshots.export)
        yield* StoredServices.use((stored) => stored.remove(service))
        const both = [ofService, replaced].map((one) => one.address.pipeId).toSorted()
        assert.deepStrictEqual(yield* idsOf, both)
        for (const pipeId of both) yield* MovedPipes.use((moved) => moved.forget(pipeId))
        yield* Snapshots.use((snapshots) => snapshots.replace(content))
        const ofOrganization = yield* create()
        yield* StoredServices.use((stored) => stored.removeOrganization(service.organizationId))
        assert.deepStrictEqual(yield* idsOf, [ofOrganization.address.pipeId])
        yield* Snapshots.use((snapshots) => snapshots.replace(content))
        const last = yield* create()
        yield* Snapshots.use((snapshots) => snapshots.replace(content))
        assert.deepStrictEqual(yield* idsOf, [ofOrganization.address.pipeId, last.address.pipeId].toSorted())
      })
    )

    law(
      "a deleted pipe is claimed by one at a time, until its attempt has failed or the time of the claim is over",
      Effect.gen(function* () {
        const createDeleted = Effect.gen(function* () {
          const { address } = yield* create()
          yield* Pipes.use((pipes) => pipes.delete(address))
          return address.pipeId
        })
        const pipeId = yield* createDeleted
        const claim = (id: PipeId, duration: Duration.Duration) =>
          MovedPipes.use((moved) => moved.claimDeleted(id, duration))
        const long = Duration.hours(1)
        assert.isUndefined(yield* claim(fixtureIds.pipes.unknown, long))
        const claims = yield* Effect.all(
          Array.from({ length: 8 }, () => claim(pipeId, long)),
          { concurrency: "unbounded" }
        )
        const [claimed, ...others] = claims.filter(Predicate.isNotUndefined)
        assert.deepStrictEqual(others, [])
        const find = MovedPipes.use((moved) => moved.findDeleted(pipeId))
        assert.deepStrictEqual(claimed, yield* find)
        // Another one is not claimed with it.
        assert.isDefined(yield* claim(yield* createDeleted, long))

        yield* MovedPipes.use((moved) => moved.markCleanupFailed(pipeId, "no answer"))
        assert.strictEqual((yield* claim(pipeId, Duration.millis(50)))?.attempts, 1)
        while ((yield* claim(pipeId, long)) === undefined) yield* Effect.sleep("10 millis")
        assert.isUndefined(yield* claim(pipeId, long))
        yield* MovedPipes.use((moved) => moved.forget(pipeId))
        assert.isUndefined(yield* claim(pipeId, long))
      })
    )

    law(
      "deleted pipes are listed by their warehouses, each once, however many there are",
      Effect.gen(function* () {
        const others = { ...bound, warehouses: new Set(["gone"]), checkDestination: () => Effect.succeed("gone") }
        const ids = yield* Effect.forEach(Array.from({ length: 205 }), () =>
          Effect.map(create(), ({ address }) => address.pipeId)
        )
        const { address: other } = yield* Effect.provideService(create(), PipeMover, others)
        yield* StoredServices.use((stored) => stored.remove(service))
        const listed = (warehouses?: ReadonlyArray<string>) =>
          Effect.map(
            MovedPipes.use((moved) => moved.deleted(warehouses)),
            (found) => found.map(({ pipeId }) => pipeId).toSorted()
          )
        assert.deepStrictEqual(yield* listed(), [...ids, other.pipeId].toSorted())
        assert.deepStrictEqual(yield* listed(["events", "unknown"]), ids.toSorted())
        assert.deepStrictEqual(yield* listed(["gone"]), [other.pipeId])
      })
    )

    law(
      "deleted pipes count against the limits of their organization until they are forgotten",
      Effect.gen(function* () {
        const limited = (limits: Partial<OrganizationUsage>) =>
          Effect.provideService(OrganizationLimits, { ...organizationUsage(Infinity), ...limits })
        const { organizations: held } = yield* fixtureSnapshot
        const own = held.find(({ id }) => id === service.organizationId)?.services ?? []
        const { address } = yield* create()
        yield* Pipes.use((pipes) => pipes.delete(address))
        const one = limited({ pipes: own.flatMap(({ pipes = [] }) => pipes).length + 1 })
        yield* failsWith(one(create()), "Conflict")
        yield* MovedPipes.use((moved) => moved.forget(address.pipeId))
        const { address: second } = yield* one(create())
        yield* Pipes.use((pipes) => pipes.delete(second))
        yield* MovedPipes.use((moved) => moved.forget(second.pipeId))

        const leave = Effect.fnUntraced(function* (created: PipeAddress) {
          yield* Pipes.use((pipes) => pipes.delete(created))
          return MovedPipes.use((moved) => moved.forget(created.pipeId))
        })
        // The least limit of bytes within which one more pipe is created.
        let [refused, allowed] = [0, 2 ** 24]
        while (allowed - refused > 1) {
          const documentBytes = Math.floor((refused + allowed) / 2)
          const created = yield* Effect.option(limited({ documentBytes })(create()))
          if (Option.isSome(created)) {
            yield* yield* leave(created.value.address)
            allowed = documentBytes
          } else refused = documentBytes
        }
        const bytes = limited({ documentBytes: allowed })
        const forget = yield* leave((yield* bytes(create())).address)
        yield* failsWith(bytes(create()), "Conflict")
        yield* forget
        yield* bytes(create())
      })
    )

    law(
      "a pipe that was deleted and imported again is adopted once it is cleaned up after the deleted one",
      Effect.gen(function* () {
        const { address } = yield* create({ ...pipeRequests.postgres, name: "again" })
        const exported = yield* Effect.flatMap(Snapshots, (snapshots) => snapshots.export)
        yield* Snapshots.use((snapshots) => snapshots.replace(exported))
        const adopt = Pipes.use((pipes) => pipes.adopt(address))
        const { credentials = null } = decodeRequest(pipeRequests.postgres).source.postgres ?? {}
        yield* Pipes.use((pipes) => pipes.update(address, { source: { postgres: { credentials } } }))
        const { message } = yield* failsWith(adopt, "Conflict")
        assert.include(message, "wait until what it has left is removed")
        yield* MovedPipes.use((moved) => moved.forget(address.pipeId))
        // While its source is asked it is adopted, deleted and imported by others, with the same version as before.
        const imported = Effect.gen(function* () {
          yield* Snapshots.use((snapshots) => snapshots.replace(exported))
          yield* Pipes.use((pipes) => pipes.update(address, { source: { postgres: { credentials } } }))
        })
        const others = adopt.pipe(
          Effect.andThen(Pipes.use((pipes) => pipes.delete(address))),
          Effect.andThen(imported),
          Effect.provideService(PipeMover, bound),
          Effect.as("events"),
          Effect.orDie
        )
        const context = yield* Effect.context<Ports>()
        const late = Effect.provideService(adopt, PipeMover, {
          ...bound,
          checkDestination: () => Effect.provideContext(others, context)
        })
        assert.include((yield* failsWith(late, "Conflict")).message, "wait until what it has left is removed")
        assert.isTrue((yield* statusOf(address)).simulated)
        yield* MovedPipes.use((moved) => moved.forget(address.pipeId))
        assert.strictEqual((yield* adopt).state, "Provisioning")
      })
    )
  })
}
