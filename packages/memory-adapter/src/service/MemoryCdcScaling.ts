import { CdcScaling, type ServiceAddress } from "@headgate/core"
import { cdcReplicaRules, notFound } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore } from "../MemoryStore.ts"
import { requireRunning } from "./storedServices.ts"

const layer: Layer.Layer<CdcScaling, never, MemoryStore> = Layer.effect(
  CdcScaling,
  Effect.gen(function* () {
    const { services } = yield* MemoryStore

    const find = Effect.fnUntraced(function* (address: ServiceAddress) {
      const stored = services.get(address.serviceId)
      return stored?.organizationId === address.organizationId ? stored : yield* notFound("ServiceNotFound", address)
    })

    return CdcScaling.of({
      get: Effect.fnUntraced(function* (address) {
        return (yield* find(address)).cdcScaling ?? cdcReplicaRules.default
      }),
      update: Effect.fnUntraced(function* (address, update) {
        yield* requireRunning(services, address, () => notFound("ServiceNotFound", address))
        const stored = yield* find(address)
        const cdcScaling = yield* cdcReplicaRules.change(stored.cdcScaling ?? cdcReplicaRules.default, update)
        services.set(address.serviceId, { ...stored, cdcScaling })
        return cdcScaling
      })
    })
  })
)

/** The `CdcScaling` port over a {@link MemoryStore}. */
export const MemoryCdcScaling = { layer }
