import {
  type ReversePrivateEndpoint,
  type ReversePrivateEndpointAddress,
  ReversePrivateEndpoints,
  type ServiceId,
  versionOf
} from "@headgate/core"
import { checkVersion, endpointRules, notFound, withVersion } from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { creationTerms, insertWithinLimits, MemoryStore, type StoredEndpoint } from "../MemoryStore.ts"
import { requireRunning, stepTimes } from "./storedServices.ts"

/** An endpoint as it is stored: one that is provisioned is ready, or waits for its owner, at `due`. */
export const storedEndpoint = (
  organizationId: StoredEndpoint["organizationId"],
  endpoint: ReversePrivateEndpoint,
  due: number
): StoredEndpoint => ({
  organizationId,
  endpoint,
  ...(endpointRules.nextStatus(endpoint) === undefined ? {} : { due })
})

/** A stored endpoint with its status of now. */
export const currentEndpoint = ({ due, endpoint }: StoredEndpoint, now: number): ReversePrivateEndpoint => {
  const status = due === undefined || due > now ? undefined : endpointRules.nextStatus(endpoint)
  return status === undefined ? endpoint : withVersion({ ...endpoint, status }, versionOf(endpoint) ?? 1)
}

const layer: Layer.Layer<ReversePrivateEndpoints, never, MemoryStore | SecureRandom> = Layer.effect(
  ReversePrivateEndpoints,
  Effect.gen(function* () {
    const store = yield* MemoryStore
    const { endpoints, services } = store
    const random = yield* SecureRandom

    const ofService = (serviceId: ServiceId, now: number) =>
      Array.from(endpoints.values()).flatMap((stored) =>
        stored.endpoint.serviceId === serviceId ? [currentEndpoint(stored, now)] : []
      )

    const find = Effect.fnUntraced(function* (address: ReversePrivateEndpointAddress) {
      const stored = endpoints.get(address.reversePrivateEndpointId)
      const isFound =
        stored?.organizationId === address.organizationId && stored.endpoint.serviceId === address.serviceId
      return isFound ? stored : yield* notFound("ReversePrivateEndpointNotFound", address)
    })

    /** Finds an endpoint for a write: no other fiber runs between this and the change. */
    const findToChange = Effect.fnUntraced(function* (address: ReversePrivateEndpointAddress) {
      yield* requireRunning(services, address, () => notFound("ReversePrivateEndpointNotFound", address))
      const stored = yield* find(address)
      yield* checkVersion(versionOf(stored.endpoint) ?? 1)
      return stored
    })

    return ReversePrivateEndpoints.of({
      list: Effect.fnUntraced(function* (address) {
        const now = yield* Clock.currentTimeMillis
        if (services.get(address.serviceId)?.organizationId !== address.organizationId) {
          return yield* notFound("ServiceNotFound", address)
        }
        return ofService(address.serviceId, now)
      }),
      get: Effect.fnUntraced(function* (address) {
        return currentEndpoint(yield* find(address), yield* Clock.currentTimeMillis)
      }),
      create: Effect.fnUntraced(
        function* (address, request) {
          const { organizationId, serviceId } = address
          yield* requireRunning(services, address, () => notFound("ServiceNotFound", address))
          const terms = yield* creationTerms
          const { due, now } = yield* stepTimes
          const endpoint = withVersion(yield* endpointRules.make(serviceId, request), 1)
          yield* endpointRules.checkPrivateDnsNames(endpoint, ofService(serviceId, now))
          const stored = storedEndpoint(organizationId, endpoint, due)
          const refused = insertWithinLimits(store, terms, "endpoints", endpoints, endpoint.id, stored)
          return refused === undefined ? endpoint : yield* refused
        },
        Effect.provideService(SecureRandom, random)
      ),
      update: Effect.fnUntraced(function* (address, request) {
        const now = yield* Clock.currentTimeMillis
        const stored = yield* findToChange(address)
        const changed = yield* endpointRules.change(stored.endpoint, request)
        if (changed === stored.endpoint) return currentEndpoint(stored, now)
        yield* endpointRules.checkPrivateDnsNames(changed, ofService(address.serviceId, now))
        const version = (versionOf(stored.endpoint) ?? 1) + 1
        const written = { ...stored, endpoint: withVersion(changed, version) }
        endpoints.set(changed.id, written)
        return currentEndpoint(written, now)
      }),
      delete: Effect.fnUntraced(function* (address) {
        yield* findToChange(address)
        endpoints.delete(address.reversePrivateEndpointId)
      })
    })
  })
)

/** The `ReversePrivateEndpoints` port over a {@link MemoryStore}. */
export const MemoryReversePrivateEndpoints = { layer }
