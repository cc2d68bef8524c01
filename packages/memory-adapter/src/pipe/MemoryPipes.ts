import { Conflict, IfMatch, Pipes, type ServiceAddress, versionOf } from "@headgate/core"
import {
  checkChange,
  checkVersion,
  discoverSchema,
  historyRules,
  limitRules,
  makePipe,
  notFound,
  pipeChanges,
  pipeEvents,
  PipeMover,
  pipeRefusals,
  pipeStatusesOf,
  pipeStatusOf,
  rejectedRows,
  settingsOf,
  warnOfExternalResources,
  withVersion
} from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { requireRunning } from "../service/storedServices.ts"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { creationTerms, deletePipes, inOneStep, insertWithinLimits, MemoryStore, usageOf } from "../MemoryStore.ts"
import { callerOf, currentPipe, eventsAfter, makeChangePipe, makeFindPipe, transitionTime } from "./storedPipes.ts"

const layer: Layer.Layer<Pipes, never, MemoryStore | SecureRandom> = Layer.effect(
  Pipes,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { pipes, services } = store
    const random = yield* SecureRandom

    const find = makeFindPipe(pipes)
    const changePipe = makeChangePipe(store)
    const requireService = (address: ServiceAddress) =>
      Effect.suspend(() =>
        services.get(address.serviceId)?.organizationId === address.organizationId
          ? Effect.void
          : Effect.fail(notFound("ServiceNotFound", address))
      )

    const allOf = Effect.fnUntraced(function* (address: ServiceAddress) {
      yield* requireService(address)
      const now = yield* Clock.currentTimeMillis
      const held = Array.from(pipes.values()).filter(({ pipe }) => pipe.serviceId === address.serviceId)
      return held.map((stored) => currentPipe(pipes, stored, now))
    })

    return Pipes.of({
      list: (address) => Effect.map(allOf(address), (all) => all.map(({ pipe }) => pipe)),
      get: (address) => Effect.map(find(address), ({ pipe }) => pipe),
      create: Effect.fnUntraced(
        function* (address, request) {
          const running = requireRunning(services, address, () => notFound("ServiceNotFound", address))
          yield* running
          const terms = yield* creationTerms
          const { organizationId } = address
          const withinLimits = Effect.suspend(() => {
            const usage = usageOf(store, organizationId)
            return limitRules.created("pipes", { ...usage, pipes: usage.pipes + 1 }, terms.limits) ?? Effect.void
          })
          const made = yield* makePipe(address, request, yield* transitionTime, withinLimits)
          const pipe = withVersion(made.pipe, 1)
          const insert = Effect.gen(function* () {
            const events = eventsAfter(undefined, made, made.progress?.since ?? 0, yield* callerOf(store))
            const stored = { ...made, pipe, organizationId, events }
            const refused = insertWithinLimits(store, terms, "pipes", pipes, pipe.id, stored)
            return refused === undefined ? pipe : yield* refused
          })
          // Again: the service may have been stopped or removed while the source was asked.
          return yield* inOneStep(Effect.andThen(running, insert))
        },
        Effect.provideService(SecureRandom, random)
      ),
      update: Effect.fnUntraced(function* (address, request) {
        const change = yield* pipeChanges.update(request)
        const record = yield* find(address)
        if (record.warehouse !== undefined)
          yield* requireRunning(services, address, () => notFound("PipeNotFound", address))
        const version = yield* checkChange(record, change, yield* transitionTime)
        return yield* Effect.provideService(changePipe(address, change), IfMatch, version)
      }),
      delete: Effect.fnUntraced(function* (address) {
        yield* requireRunning(services, address, () => notFound("PipeNotFound", address))
        const now = yield* Clock.currentTimeMillis
        // No yield between the check and the change, so no other fiber runs in between.
        const record = yield* find(address)
        yield* checkVersion(versionOf(record.pipe) ?? 1)
        deletePipes(store, now, ({ pipe }) => pipe.id === address.pipeId)
        yield* warnOfExternalResources(record)
      }),
      setState: Effect.fnUntraced(function* (address, request) {
        return yield* changePipe(address, yield* pipeChanges.state(request), false)
      }),
      resume: Effect.fnUntraced(function* (address, request) {
        return yield* changePipe(address, yield* pipeChanges.resume(request), false)
      }),
      adopt: Effect.fnUntraced(function* (address) {
        const held = yield* find(address)
        yield* requireRunning(services, address, () => notFound("PipeNotFound", address))
        const requireCleanedUp = Effect.suspend(() =>
          store.deletedPipes.has(address.pipeId)
            ? Effect.fail(new Conflict({ message: pipeRefusals.notCleanedUp }))
            : Effect.void
        )
        yield* requireCleanedUp
        const change = yield* pipeChanges.adopt(address, held)
        const version = (yield* IfMatch) ?? versionOf(held.pipe)
        // Again: the pipe may have been deleted and imported while its source was asked.
        return yield* inOneStep(Effect.andThen(requireCleanedUp, changePipe(address, change, false))).pipe(
          Effect.provideService(IfMatch, version)
        )
      }),
      scale: Effect.fnUntraced(function* (address, request) {
        return yield* changePipe(address, yield* pipeChanges.scaling(request))
      }),
      settings: (address) => Effect.map(find(address), ({ pipe }) => settingsOf(pipe)),
      updateSettings: Effect.fnUntraced(function* (address, request) {
        return settingsOf(yield* changePipe(address, yield* pipeChanges.settings(request)))
      }),
      discoverSchema: Effect.fnUntraced(function* (address, request) {
        yield* requireRunning(services, address, () => notFound("ServiceNotFound", address))
        return yield* discoverSchema(address, request)
      }),
      status: (address) => Effect.flatMap(find(address), pipeStatusOf),
      statuses: (address) => Effect.flatMap(allOf(address), pipeStatusesOf),
      events: Effect.fnUntraced(function* (address, query) {
        const { before, limit } = yield* pipeEvents.pageOf(query)
        const { pipe } = yield* find(address)
        const oldest = (yield* Clock.currentTimeMillis) - pipeEvents.keptMillis
        return (pipes.get(pipe.id)?.events ?? [])
          .filter(({ event, position }) => position < before && event.at >= oldest)
          .toReversed()
          .slice(0, limit)
          .map(({ event, position }) => pipeEvents.answered(position, event))
      }),
      errors: (address, query) => Effect.flatMap(find(address), (record) => rejectedRows.read(address, record, query)),
      history: Effect.fnUntraced(function* (address, query) {
        yield* find(address)
        const window = yield* historyRules.windowOf(query, Math.floor((yield* Clock.currentTimeMillis) / 60_000))
        const { history } = yield* PipeMover
        return historyRules.answer(yield* history(address.pipeId, window.from, window.to), window)
      }),
      context: (address) => Effect.as(requireService(address), {})
    })
  })
)

/** The `Pipes` port over a {@link MemoryStore}. */
export const MemoryPipes = { layer }
