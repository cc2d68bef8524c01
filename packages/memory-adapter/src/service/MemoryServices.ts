import { type ServiceAddress, Services } from "@headgate/core"
import { moveService, notFound, StoredServices } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { deletePipes, MemoryStore, ownedMaps } from "../MemoryStore.ts"
import { currentService, stepTimes, withState } from "./storedServices.ts"

const findIn = ({ services }: MemoryStore["Service"]) =>
  Effect.fnUntraced(function* (address: ServiceAddress, now: number) {
    const stored = services.get(address.serviceId)
    if (stored?.organizationId !== address.organizationId) return yield* notFound("ServiceNotFound", address)
    return currentService(stored, now)
  })

const layer: Layer.Layer<Services, never, MemoryStore> = Layer.effect(
  Services,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { organizations, services } = store
    const find = findIn(store)

    return Services.of({
      list: Effect.fnUntraced(function* ({ organizationId }) {
        if (!organizations.has(organizationId)) return yield* notFound("OrganizationNotFound", { organizationId })
        const now = yield* Clock.currentTimeMillis
        return Array.from(services.values()).flatMap((stored) =>
          stored.organizationId === organizationId ? [currentService(stored, now).service] : []
        )
      }),
      get: Effect.fnUntraced(function* (address) {
        const { service } = yield* find(address, yield* Clock.currentTimeMillis)
        return service
      }),
      setState: Effect.fnUntraced(function* (address, change) {
        const { due, now } = yield* stepTimes
        const record = yield* find(address, now)
        const state = yield* moveService(record.service.state, change)
        if (state === record.service.state) return record.service
        const moved = withState(record, state, due)
        services.set(address.serviceId, moved)
        return moved.service
      })
    })
  })
)

const layerStored: Layer.Layer<StoredServices, never, MemoryStore> = Layer.effect(
  StoredServices,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { organizations, services } = store
    const find = findIn(store)

    return StoredServices.of({
      forceState: Effect.fnUntraced(function* (address, state) {
        const { due, now } = yield* stepTimes
        services.set(address.serviceId, withState(yield* find(address, now), state, due))
      }),
      remove: Effect.fnUntraced(function* (address) {
        const now = yield* Clock.currentTimeMillis
        yield* find(address, now)
        deletePipes(store, now, ({ pipe }) => pipe.serviceId === address.serviceId)
        for (const [id, { endpoint }] of store.endpoints) {
          if (endpoint.serviceId === address.serviceId) store.endpoints.delete(id)
        }
        services.delete(address.serviceId)
      }),
      removeOrganization: Effect.fnUntraced(function* (organizationId) {
        const now = yield* Clock.currentTimeMillis
        if (!organizations.delete(organizationId)) return yield* notFound("OrganizationNotFound", { organizationId })
        deletePipes(store, now, (stored) => stored.organizationId === organizationId)
        store.answers.delete(organizationId)
        for (const map of [...ownedMaps(store), store.pipeTables]) {
          for (const [key, owned] of map) if (owned.organizationId === organizationId) map.delete(key)
        }
      })
    })
  })
)

/** The ports to services over a {@link MemoryStore}: `layer` is `Services`, `layerStored` is `StoredServices`. */
export const MemoryServices = { layer, layerStored }
