import { assert, describe } from "@effect/vitest"
import {
  ApiKeys,
  type PipeAddress,
  type PipeId,
  Pipes,
  type PortError,
  type ServiceId,
  Snapshots
} from "@headgate/core"
import {
  type CreationAnswer,
  IdempotentCreations,
  OrganizationLimits,
  PipeMover,
  StoredServices
} from "@headgate/core/adapter"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { pipeRequests } from "../fixtures/pipeRequests.ts"
import { failsWith } from "../internal/failsWith.ts"
import { bound, create, decodeRequest, lawOf, service } from "../internal/movedPipes.ts"

type Ports = ApiKeys | IdempotentCreations | Pipes | Snapshots | StoredServices

const { acme } = fixtureIds.organizations
const mover = PipeMover.defaultValue()
const simulated = Effect.provideService(PipeMover, mover)

/** What a caller asks that makes a mover ask a source, at a pipe that is moved and one that is simulated. */
interface Asking {
  readonly title: string
  readonly call: (moved: PipeAddress, simulated: PipeAddress) => Effect.Effect<unknown, PortError, Ports>
  /** Whether the call is a write, which a service at rest refuses. */
  readonly isWrite: boolean
}

const createPipe = Pipes.use((pipes) => pipes.create(service, decodeRequest(pipeRequests.kafka)))

/** The creation of a pipe under a key. */
const createOnce = (key: string) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Ports>()
    const answer = Effect.map(createPipe, ({ id }): CreationAnswer => ({ text: JSON.stringify(id) }))
    const request = { organizationId: acme, scope: "key 1 POST /pipes", key, body: "{}" }
    return yield* IdempotentCreations.use(({ once }) => once(request, Effect.provideContext(answer, context)))
  }).pipe(Effect.catchTags({ KeyInFlight: Effect.die, KeyReused: Effect.die }))

const source = { kafka: { topics: "another" } }
const asking: ReadonlyArray<Asking> = [
  { title: "a creation", isWrite: true, call: () => createPipe },
  { title: "a creation under a key", isWrite: true, call: () => createOnce("k-1") },
  { title: "an update", isWrite: true, call: (address) => Pipes.use((pipes) => pipes.update(address, { source })) },
  { title: "an adoption", isWrite: true, call: (_, address) => Pipes.use((pipes) => pipes.adopt(address)) },
  {
    title: "a discovery",
    isWrite: true,
    call: () =>
      Pipes.use((pipes) => pipes.discoverSchema(service, { source: decodeRequest(pipeRequests.kafka).source }))
  },
  { title: "a status", isWrite: false, call: (address) => Pipes.use((pipes) => pipes.status(address)) }
]

/** A mover whose source does with each question what `answer` does. */
const moverThat = (answer: Effect.Effect<void>) => ({
  ...bound,
  checkDestination: () => Effect.as(answer, "events"),
  check: () => answer,
  discover: () => Effect.as(answer, undefined),
  metrics: () => Effect.as(answer, {})
})

/**
 * The laws of questions to sources over a network, which `PipeMover` asks for `Pipes`: nobody waits for a source but the caller who
 * asks it, and it is asked last.
 */
export const askedSourcesLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = lawOf(layer)
  const addresses = Effect.gen(function* () {
    const moved = yield* create()
    const other = yield* simulated(create())
    return [moved.address, other.address] as const
  })
  /** Counts the questions to a source that answers at once. */
  const counted = () => {
    const asked = { times: 0 }
    const answering = Effect.provideService(PipeMover, moverThat(Effect.sync(() => void (asked.times += 1))))
    return { asked, answering }
  }

  describe(`${name}: laws of asked sources`, () => {
    law(
      "the statuses of a service ask no source, and once for what was kept of all its pipes",
      Effect.gen(function* () {
        const [{ pipeId: moved }, { pipeId: other }] = yield* addresses
        const { pipeId: idle } = (yield* create()).address
        const elsewhere = { ...mover, checkDestination: () => Effect.succeed("elsewhere") }
        const { pipeId: waiting } = (yield* Effect.provideService(create(), PipeMover, elsewhere)).address
        const { asked } = counted()
        const saved: Array<ReadonlyArray<PipeId>> = []
        const keeper: (typeof PipeMover)["Service"] = {
          ...moverThat(Effect.sync(() => void (asked.times += 1))),
          savedMetrics: (ids) =>
            Effect.sync(() => {
              saved.push(ids)
              return new Map([[moved, { rows: 7, errors: 1, lag: 3 }]])
            })
        }
        const statuses = yield* Effect.provideService(
          Pipes.use((pipes) => pipes.statuses(service)),
          PipeMover,
          keeper
        )
        assert.deepStrictEqual(
          [asked.times, saved.map((ids) => ids.toSorted())],
          [0, [[moved, idle, waiting].toSorted()]]
        )
        const shown = (pipeId: PipeId) => {
          const { lag, message, rows, simulated, warehouse } = statuses.find(({ id }) => id === pipeId) ?? {}
          return { lag, message: message?.slice(0, 15) ?? null, rows, simulated, warehouse }
        }
        const kept = { lag: 3, message: null, rows: 7, simulated: false, warehouse: "events" }
        const nothing = { lag: undefined, message: null, rows: undefined }
        assert.deepStrictEqual(shown(moved), kept)
        assert.deepStrictEqual(shown(idle), { ...nothing, simulated: false, warehouse: "events" })
        assert.deepStrictEqual(shown(other), { ...nothing, simulated: true, warehouse: undefined })
        assert.deepStrictEqual(shown(waiting), {
          ...nothing,
          message: "the pipe waits ",
          simulated: false,
          warehouse: "elsewhere"
        })
        const listed = yield* simulated(Pipes.use((pipes) => pipes.list(service)))
        assert.sameMembers(
          statuses.map(({ id }) => id),
          listed.map(({ id }) => id)
        )
      })
    )

    for (const { call, isWrite, title } of asking) {
      law(
        `nothing waits for the source of ${title} that never answers`,
        Effect.gen(function* () {
          const [moved, other] = yield* addresses
          const asked = yield* Deferred.make<void>()
          const silent = moverThat(Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
          const waiting = yield* Effect.forkChild(Effect.provideService(call(moved, other), PipeMover, silent))
          yield* Deferred.await(asked)
          yield* simulated(Pipes.use((pipes) => pipes.get(moved)))
          yield* simulated(Pipes.use((pipes) => pipes.list(service)))
          yield* ApiKeys.use((keys) => keys.create({ organizationId: acme }, { name: "ci" }))
          yield* simulated(createPipe)
          yield* simulated(createOnce("k-2"))
          yield* simulated(Pipes.use((pipes) => pipes.update(moved, { name: "renamed" })))
          yield* Snapshots.use(({ export: content }) => content)
          assert.isUndefined(waiting.pollUnsafe())
          yield* Fiber.interrupt(waiting)
        })
      )

      law(
        `${title} under a service that is not there, or at a pipe that is not there, asks no source`,
        Effect.gen(function* () {
          const [moved, other] = yield* addresses
          const { answering, asked } = counted()
          yield* answering(call(moved, other))
          assert.isAbove(asked.times, 0)
          asked.times = 0
          yield* StoredServices.use((services) => services.remove(service))
          yield* failsWith(
            answering(title === "a creation under a key" ? createOnce("k-3") : call(moved, other)),
            "ServiceNotFound",
            "PipeNotFound"
          )
          assert.strictEqual(asked.times, 0)
        })
      )

      if (!isWrite) continue
      law(
        `${title} under a service that does not run asks no source`,
        Effect.gen(function* () {
          const [moved, other] = yield* addresses
          const { answering, asked } = counted()
          yield* StoredServices.use((services) => services.forceState(service, "stopped"))
          yield* failsWith(answering(call(moved, other)), "FailedDependency")
          assert.strictEqual(asked.times, 0)
        })
      )
    }

    const creations: ReadonlyArray<readonly [title: string, call: Effect.Effect<unknown, PortError, Ports>]> = [
      ["a creation", createPipe],
      ["a creation under a key", createOnce("k-1")]
    ]
    for (const [title, call] of creations) {
      law(
        `${title} above a limit, or that is invalid, asks no source`,
        Effect.gen(function* () {
          const { answering, asked } = counted()
          const limits = { ...(yield* OrganizationLimits), pipes: 0 }
          yield* failsWith(Effect.provideService(answering(call), OrganizationLimits, limits), "Conflict")
          const invalid = { ...decodeRequest(pipeRequests.kafka), name: "" }
          yield* failsWith(answering(Pipes.use((pipes) => pipes.create(service, invalid))), "InvalidRequest")
          assert.strictEqual(asked.times, 0)
        })
      )

      law(
        `what ${title} requires of its service and the limits is checked again when its source has answered`,
        Effect.gen(function* () {
          const context = yield* Effect.context<Ports>()
          // Another caller's change, which nothing of the creation reaches.
          const meanwhile = (change: Effect.Effect<unknown, unknown, Ports>) =>
            Effect.provideService(
              PipeMover,
              moverThat(Effect.promise(() => Effect.runPromiseWith(context)(Effect.asVoid(simulated(change)))))
            )
          const { archive, ingest } = fixtureIds.services
          const lists = Effect.forEach([archive, ingest], (serviceId) =>
            Pipes.use((pipes) => pipes.list({ ...service, serviceId }))
          )
          const count = Effect.map(lists, (all) => all.flat().length)
          const before = yield* count
          const limits = { ...(yield* OrganizationLimits), pipes: before + 1 }
          const full = meanwhile(createPipe)(call)
          yield* failsWith(Effect.provideService(full, OrganizationLimits, limits), "Conflict")
          const stop = StoredServices.use((services) => services.forceState(service, "stopped"))
          yield* failsWith(meanwhile(stop)(call), "FailedDependency")
          yield* StoredServices.use((services) => services.forceState(service, "running"))
          assert.strictEqual(yield* count, before + 1)
          const remove = StoredServices.use((services) => services.remove(service))
          yield* failsWith(meanwhile(remove)(call), "ServiceNotFound")
        })
      )
    }

    law(
      "the repeat of a kept creation asks no source, and is answered whatever became of its service",
      Effect.gen(function* () {
        const { answering, asked } = counted()
        const first = yield* answering(createOnce("k-1"))
        assert.strictEqual(asked.times, 1)
        yield* StoredServices.use((services) => services.remove(service))
        assert.deepStrictEqual(yield* answering(createOnce("k-1")), first)
        assert.strictEqual(asked.times, 1)
      })
    )

    law(
      "a creation tells what is wrong in one order: the service, its state, the request, the limits",
      Effect.gen(function* () {
        const invalid = { ...decodeRequest(pipeRequests.kafka), name: "" }
        const refused = (serviceId: ServiceId, tag: "FailedDependency" | "InvalidRequest" | "ServiceNotFound") =>
          Effect.gen(function* () {
            const call = Pipes.use((pipes) => pipes.create({ ...service, serviceId }, invalid))
            const limits = { ...(yield* OrganizationLimits), pipes: 0 }
            const full = Effect.provideService(call, OrganizationLimits, limits)
            // Whether a source is asked or not.
            yield* failsWith(full, tag)
            yield* failsWith(simulated(full), tag)
          })
        yield* refused(fixtureIds.services.unknown, "ServiceNotFound")
        yield* refused(service.serviceId, "InvalidRequest")
        yield* StoredServices.use((services) => services.forceState(service, "stopped"))
        yield* refused(service.serviceId, "FailedDependency")
      })
    )
  })
}
