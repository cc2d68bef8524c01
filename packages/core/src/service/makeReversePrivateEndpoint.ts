import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { Conflict, invalidRequest } from "../error/CallError.ts"
import type { FieldIssue } from "../error/FieldIssue.ts"
import { validate } from "../error/validate.ts"
import type { ServiceId } from "../id/service.ts"
import { ReversePrivateEndpointId } from "../id/endpoint.ts"
import {
  endpointNeeds,
  type ReversePrivateEndpoint,
  ReversePrivateEndpointCreate,
  ReversePrivateEndpointUpdate
} from "./ReversePrivateEndpoint.ts"

const mappingsOf = ({ customPrivateDnsMappings }: Pick<ReversePrivateEndpoint, "customPrivateDnsMappings">) =>
  customPrivateDnsMappings ?? []

const namesOf = (endpoint: Pick<ReversePrivateEndpoint, "customPrivateDnsMappings">) =>
  mappingsOf(endpoint).flatMap(({ privateDnsName }) => privateDnsName ?? [])

const targetIssues = (
  endpoint: Pick<ReversePrivateEndpoint, "customPrivateDnsMappings">,
  message: string,
  isWrong: (targetId: string, privateDnsName: string | null | undefined) => boolean
): ReadonlyArray<FieldIssue> =>
  mappingsOf(endpoint).flatMap(({ privateDnsName, targetId }, index) =>
    Predicate.isNotNullish(targetId) && isWrong(targetId, privateDnsName)
      ? [{ path: `customPrivateDnsMappings[${index}].targetId`, message }]
      : []
  )

/** The issues of private DNS names, and of their targets, of a type that has none. */
const mappingIssues = (
  endpoint: Pick<ReversePrivateEndpoint, "customPrivateDnsMappings" | "type">
): ReadonlyArray<FieldIssue> => [
  ...(endpoint.type === "MSK_MULTI_VPC" && namesOf(endpoint).length > 0
    ? [{ path: "customPrivateDnsMappings", message: "Expected no private DNS names for the type MSK_MULTI_VPC" }]
    : []),
  ...targetIssues(
    endpoint,
    "Expected a DNS target only for the type VPC_RESOURCE",
    () => endpoint.type !== "VPC_RESOURCE"
  )
]

/** The issues of new targets that the endpoint does not have. A target that a name has stays, whatever it is. */
const newTargetIssues = (
  before: ReversePrivateEndpoint,
  changed: ReversePrivateEndpoint
): ReadonlyArray<FieldIssue> => {
  const known = (before.dnsTargets ?? []).map(({ id }) => id)
  const targetOf = new Map(mappingsOf(before).map(({ privateDnsName, targetId }) => [privateDnsName, targetId]))
  return targetIssues(
    changed,
    `Expected one of the DNS targets of the endpoint: ${known.join(", ")}`,
    (targetId, name) => known.length > 0 && !known.includes(targetId) && targetOf.get(name) !== targetId
  )
}

/** The issues of a request whose fields do not fit its type. */
const typeIssues = (request: ReversePrivateEndpointCreate): ReadonlyArray<FieldIssue> => [
  ...endpointNeeds[request.type]
    .filter((field) => Predicate.isNullish(request[field]) || request[field] === "")
    .map((path) => ({ path, message: `Expected a value for the type ${request.type}` })),
  ...mappingIssues(request)
]

/** The DNS targets of a new endpoint: the resource of its configuration. */
const targetsOf = (
  { type, vpcResourceConfigurationId: id }: ReversePrivateEndpointCreate,
  endpointId: string
): NonNullable<ReversePrivateEndpoint["dnsTargets"]> =>
  type === "VPC_RESOURCE" && Predicate.isNotNullish(id)
    ? [{ id, kind: "RESOURCE_CONFIGURATION", internalDnsName: `${endpointId}.${id}.invalid` }]
    : []

const validateCreate = validate(ReversePrivateEndpointCreate)
const validateUpdate = validate(ReversePrivateEndpointUpdate)

/**
 * Makes a new endpoint. Every adapter that stores endpoints uses this rule. Fails with `InvalidRequest`. The store then
 * calls {@link checkPrivateDnsNames}.
 *
 * @example
 * ```ts
 * import { ServiceId } from "@headgate/core"
 * import { endpointRules } from "@headgate/core/adapter"
 * import * as SecureRandom from "effect/crypto/SecureRandom"
 * import * as Effect from "effect/Effect"
 *
 * const made = endpointRules.make(ServiceId.make("0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d"), {
 *   description: "orders",
 *   type: "VPC_ENDPOINT_SERVICE",
 *   vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-0123456789abcdef0"
 * })
 * const { status } = await Effect.runPromise(Effect.provide(made, SecureRandom.layerWebCrypto))
 * console.log(status) // Provisioning
 * ```
 */
const makeReversePrivateEndpoint = Effect.fnUntraced(function* (
  serviceId: ServiceId,
  request: ReversePrivateEndpointCreate
) {
  const random = yield* SecureRandom
  const valid = yield* validateCreate(request)
  const issues = typeIssues(valid)
  if (issues.length > 0) return yield* invalidRequest(issues)
  const id = ReversePrivateEndpointId.make(yield* random.uuidV4())
  const endpointId = `vpce-${id.replaceAll("-", "").slice(0, 17)}`
  const endpoint: ReversePrivateEndpoint = {
    ...valid,
    id,
    serviceId,
    endpointId,
    dnsNames: [`${endpointId}.invalid`],
    privateDnsNames: namesOf(valid),
    privateDnsMappings: [],
    dnsTargets: targetsOf(valid, endpointId),
    status: "Provisioning"
  }
  return endpoint
})

/**
 * The endpoint after a change: the same value if nothing changes. Fails with `InvalidRequest`. The store then calls
 * {@link checkPrivateDnsNames}.
 *
 * @example
 * ```ts
 * import type { ReversePrivateEndpoint } from "@headgate/core"
 * import { endpointRules } from "@headgate/core/adapter"
 *
 * export const withoutNames = (endpoint: ReversePrivateEndpoint) =>
 *   endpointRules.change(endpoint, { customPrivateDnsMappings: [] })
 * ```
 */
const changeReversePrivateEndpoint = Effect.fnUntraced(function* (
  endpoint: ReversePrivateEndpoint,
  update: ReversePrivateEndpointUpdate
) {
  const { customPrivateDnsMappings } = yield* validateUpdate(update)
  if (customPrivateDnsMappings === undefined || customPrivateDnsMappings === null) return endpoint
  const changed: ReversePrivateEndpoint = { ...endpoint, customPrivateDnsMappings }
  const issues = [...mappingIssues(changed), ...newTargetIssues(endpoint, changed)]
  if (issues.length > 0) return yield* invalidRequest(issues)
  return { ...changed, privateDnsNames: namesOf(changed) }
})

/**
 * Fails with `Conflict` if the endpoint has a private DNS name twice, or one that another endpoint of the service has.
 * A store calls it in the transaction of the write.
 *
 * @example
 * ```ts
 * import type { ReversePrivateEndpoint } from "@headgate/core"
 * import { endpointRules } from "@headgate/core/adapter"
 *
 * export const check = (endpoint: ReversePrivateEndpoint, ofService: ReadonlyArray<ReversePrivateEndpoint>) =>
 *   endpointRules.checkPrivateDnsNames(endpoint, ofService)
 * ```
 */
const checkPrivateDnsNames = (endpoint: ReversePrivateEndpoint, ofService: ReadonlyArray<ReversePrivateEndpoint>) => {
  const taken = new Set(ofService.flatMap((other) => (other.id === endpoint.id ? [] : namesOf(other))))
  for (const [index, name] of namesOf(endpoint).entries()) {
    if (taken.has(name)) {
      const message = `customPrivateDnsMappings[${index}].privateDnsName: ${name} is taken in this service`
      return Effect.fail(new Conflict({ message }))
    }
    taken.add(name)
  }
  return Effect.succeed(endpoint)
}

/**
 * The status that an endpoint in `Provisioning` enters after one step: the owner of a VPC endpoint service or of a PSC
 * service attachment has to accept the connection, the others are ready. `undefined` in any other status.
 *
 * @example
 * ```ts
 * import { endpointRules } from "@headgate/core/adapter"
 *
 * console.log(endpointRules.nextStatus({ type: "MSK_MULTI_VPC", status: "Provisioning" })) // Ready
 * ```
 */
const nextEndpointStatus = ({
  status,
  type
}: Pick<ReversePrivateEndpoint, "status" | "type">): "Ready" | "PendingAcceptance" | undefined => {
  if (status !== "Provisioning") return undefined
  return type === "VPC_ENDPOINT_SERVICE" || type === "GCP_PSC_SERVICE_ATTACHMENT" ? "PendingAcceptance" : "Ready"
}

/** The rules of every store of endpoints. */
export const endpointRules = {
  /** Makes an endpoint from a request. */
  make: makeReversePrivateEndpoint,
  /** The endpoint after a change. */
  change: changeReversePrivateEndpoint,
  /** Fails if a private DNS name is taken. */
  checkPrivateDnsNames,
  /** The status after one step. */
  nextStatus: nextEndpointStatus
}
