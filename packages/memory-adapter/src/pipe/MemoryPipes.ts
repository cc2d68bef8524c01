import { Pipes, type ServiceAddress, versionOf } from "@headgate/core"
import {
  checkVersion,
  pipeNotFound,
  pipeStatusOf,
  scalingChange,
  serviceNotFound,
  settingsChange,
  stateChange
} from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore } from "../MemoryStore.ts"
import { requireRunning } from "../service/storedServices.ts"
import { currentPipe, makeChangePipe, makeFindPipe } from "./storedPipes.ts"

const layer: Layer.Layer<Pipes, never, MemoryStore> = Layer.effect(
  Pipes,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { pipes, services } = store

    const find = makeFindPipe(pipes)
    const changePipe = makeChangePipe(store)
    const requireService = (address: ServiceAddress) =>
      Effect.suspend(() =>
        services.get(address.serviceId)?.organizationId === address.organizationId
          ? Effect.void
          : Effect.fail(serviceNotFound(address))
      )

    return Pipes.of({
      list: Effect.fnUntraced(function* (address) {
        yield* requireService(address)
        const now = yield* Clock.currentTimeMillis
        const held = Array.from(pipes.values()).filter(({ pipe }) => pipe.serviceId === address.serviceId)
        return held.map((stored) => currentPipe(pipes, stored, now).pipe)
      }),
      // No span: a read from a Map takes less time than the span.
      get: (address) => Effect.map(find(address), ({ pipe }) => pipe),
      delete: Effect.fn("MemoryPipes.delete")(function* (address) {
        yield* requireRunning(services, address, () => pipeNotFound(address))
        // No yield between the check and the change, so no other fiber runs in between.
        yield* checkVersion(versionOf((yield* find(address)).pipe) ?? 1)
        pipes.delete(address.pipeId)
      }),
      setState: Effect.fn("MemoryPipes.setState")(function* (address, request) {
        return yield* changePipe(address, yield* stateChange(request), false)
      }),
      scale: Effect.fn("MemoryPipes.scale")(function* (address, request) {
        return yield* changePipe(address, yield* scalingChange(request))
      }),
      settings: (address) => Effect.map(find(address), ({ pipe }) => pipe.settings ?? {}),
      updateSettings: Effect.fn("MemoryPipes.updateSettings")(function* (address, request) {
        return (yield* changePipe(address, yield* settingsChange(request))).settings ?? {}
      }),
      status: (address) => Effect.map(find(address), pipeStatusOf),
      context: (address) => Effect.as(requireService(address), {})
    })
  })
)

/** The `Pipes` port over a {@link MemoryStore}. */
export const MemoryPipes = { layer }
