import type { ServiceAddress, ServiceId } from "@headgate/core"
import {
  checkServiceRuns,
  type KindRecords,
  nextServiceState,
  type ServiceState,
  StepLength
} from "@headgate/core/adapter"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { StoredService } from "../MemoryStore.ts"

/** The time now, and the time at which a step that begins now is due, in milliseconds since 1970. */
export const stepTimes = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  return { now, due: now + Duration.toMillis(yield* StepLength) }
})

/** A service in a state. A passing state goes on at `due`. */
export const withState = (record: KindRecords["services"], state: ServiceState, due: number): StoredService => ({
  ...record,
  service: { ...record.service, state },
  ...(nextServiceState(state) !== undefined ? { due } : {})
})

/** A stored service with its state of now. */
export const currentService = ({ due, service, ...record }: StoredService, now: number): KindRecords["services"] => ({
  ...record,
  service:
    due === undefined || due > now ? service : { ...service, state: nextServiceState(service.state) ?? service.state }
})

/**
 * Fails with `missing` if the organization has no such service, and with `FailedDependency` unless the service runs. Every
 * write under a service begins with it.
 */
export const requireRunning = Effect.fnUntraced(function* <E>(
  services: ReadonlyMap<ServiceId, StoredService>,
  { organizationId, serviceId }: ServiceAddress,
  missing: () => E
) {
  const now = yield* Clock.currentTimeMillis
  const stored = services.get(serviceId)
  if (stored?.organizationId !== organizationId) return yield* Effect.fail(missing())
  yield* checkServiceRuns(currentService(stored, now).service.state)
})
