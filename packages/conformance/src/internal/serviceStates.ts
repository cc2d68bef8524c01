import type { ServiceId, Snapshot } from "@headgate/core"
import type { ServiceState } from "@headgate/core/adapter"

/** The snapshot with a service in a state. */
export const withServiceState = (snapshot: Snapshot, serviceId: ServiceId, state: ServiceState): Snapshot => ({
  organizations: snapshot.organizations.map((organization) => ({
    ...organization,
    services: (organization.services ?? []).map((service) =>
      service.id === serviceId ? { ...service, state } : service
    )
  }))
})
