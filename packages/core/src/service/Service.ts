import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { IpAccessListEntry } from "../access/IpAccessList.ts"
import { ServiceId } from "../id/service.ts"
import { looseStruct, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { Timestamp } from "../schema/Timestamp.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { type ServiceState, serviceStates } from "./serviceLifecycle.ts"

/** Where clients of the database connect to a service: a protocol, a host and a port. */
const ServiceEndpoint = looseStruct({
  protocol: nullish(Schema.String, "The protocol, such as `https`."),
  host: nullish(Schema.String, "The name of the host."),
  port: nullish(Schema.Int, "The TCP port.")
}).pipe(withIdentifier("ServiceEndpoint", "An address at which a service accepts connections."))

/** The fields of {@link Service} that have defaults when a service is imported or added. */
export const serviceSettings = {
  provider: nullish(Schema.String, "The cloud provider; `local` for a service that only exists here."),
  region: nullish(Schema.String, "The region of the provider."),
  tier: nullish(Schema.String, "The tier of the service, such as `development` or `production`."),
  idleScaling: nullish(Schema.Boolean, "Whether the service becomes idle without queries."),
  createdAt: nullish(Timestamp, "The time at which the service was created."),
  endpoints: nullish(Schema.Array(ServiceEndpoint), "Where clients of the database connect."),
  ipAccessList: nullish(Schema.Array(IpAccessListEntry), "The addresses that may connect to the database."),
  numReplicas: nullish(Schema.Int, "The number of replicas."),
  minReplicaMemoryGb: nullish(Schema.Finite, "The least memory of a replica, in gigabytes."),
  maxReplicaMemoryGb: nullish(Schema.Finite, "The most memory of a replica, in gigabytes.")
}

/**
 * A database service of an organization. `id`, `name` and `state` are required; any other field may be absent or
 * `null`. Unknown fields are kept. Contract: docs/wire-contract.md#services.
 *
 * @example
 * ```ts
 * import { Service } from "@headgate/core"
 * import * as Schema from "effect/Schema"
 *
 * const service = Schema.decodeUnknownSync(Service)({
 *   id: "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d",
 *   name: "ingest",
 *   state: "running"
 * })
 * console.log(service.state, service.endpoints) // running undefined
 * ```
 */
export const Service = looseStruct({
  id: ServiceId,
  name: Schema.String.annotate({ description: "The name of the service." }),
  state: knownString(serviceStates).annotate({
    description: "The current state of the service. New states may be added."
  }),
  ...serviceSettings
}).pipe(withIdentifier("Service", "A database service of an organization."))
export type Service = typeof Service.Type

/** What a new service needs; every other field of {@link Service} has a default. */
export type ServiceInput = Pick<Service, "id" | "name"> &
  Partial<Omit<Service, "state">> & { readonly state?: ServiceState }

/**
 * Fills the fields that an imported or added service does not have: it runs, is local, was created now, and has one
 * endpoint whose name no resolver knows. The contract shows no defaults: these are decided.
 *
 * @example
 * ```ts
 * import { ServiceId } from "@headgate/core"
 * import { makeService } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * const id = ServiceId.make("0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d")
 * const service = await Effect.runPromise(makeService({ id, name: "ingest" }))
 * console.log(service.state, service.provider, service.tier) // running local development
 * ```
 */
export const makeService = (input: ServiceInput): Effect.Effect<Service & { readonly state: ServiceState }> =>
  Effect.map(DateTime.now, (createdAt) => {
    const { id, name, ...given } = input
    return {
      id,
      name,
      provider: "local",
      region: "local",
      state: "running",
      tier: "development",
      idleScaling: false,
      createdAt,
      endpoints: [{ protocol: "https", host: `${id}.invalid`, port: 8443 }],
      ipAccessList: [],
      numReplicas: 1,
      minReplicaMemoryGb: 8,
      maxReplicaMemoryGb: 8,
      ...given
    }
  })
