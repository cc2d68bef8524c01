import * as Schema from "effect/Schema"
import { ServiceId } from "../id/service.ts"
import { looseStruct, needing, nullish, withIdentifier } from "../schema/LooseStruct.ts"
import { knownString } from "../schema/fieldSchemas.ts"
import { ReversePrivateEndpointId } from "../id/endpoint.ts"

const types = ["VPC_ENDPOINT_SERVICE", "VPC_RESOURCE", "MSK_MULTI_VPC", "GCP_PSC_SERVICE_ATTACHMENT"] as const
/** What an endpoint connects to. */
export type EndpointType = (typeof types)[number]

/** The fields that each type of endpoint needs. */
export const endpointNeeds = {
  VPC_ENDPOINT_SERVICE: ["vpcEndpointServiceName"],
  VPC_RESOURCE: ["vpcResourceConfigurationId", "vpcResourceShareArn"],
  MSK_MULTI_VPC: ["mskClusterArn", "mskAuthentication"],
  GCP_PSC_SERVICE_ATTACHMENT: ["gcpServiceAttachment"]
} as const satisfies { readonly [Type in EndpointType]: ReadonlyArray<string> }

const authentications = ["SASL_IAM", "SASL_SCRAM"] as const

const targetKinds = ["RESOURCE_CONFIGURATION"] as const

const statuses = [
  "Unknown",
  "Provisioning",
  "Deleting",
  "Ready",
  "Failed",
  "PendingAcceptance",
  "Rejected",
  "Expired"
] as const

/**
 * A reverse private endpoint: pipes of a service reach a source in a private network through it. `id`, `serviceId` and
 * `status` are required; any other field may be absent or `null`. Contract:
 * docs/wire-contract.md#reverse-private-endpoints.
 */
export const ReversePrivateEndpoint = looseStruct({
  id: ReversePrivateEndpointId,
  serviceId: ServiceId,
  description: nullish(Schema.String, "What the endpoint is for."),
  type: nullish(knownString(types), "What the endpoint connects to."),
  vpcEndpointServiceName: nullish(Schema.String, "The name of the VPC endpoint service."),
  vpcResourceConfigurationId: nullish(Schema.String, "The id of the VPC resource configuration."),
  vpcResourceShareArn: nullish(Schema.String, "The ARN of the VPC resource share."),
  mskClusterArn: nullish(Schema.String, "The ARN of the MSK cluster."),
  mskAuthentication: nullish(knownString(authentications), "How clients of the MSK cluster authenticate."),
  gcpServiceAttachment: nullish(Schema.String, "The URI of the PSC service attachment."),
  customPrivateDnsMappings: nullish(
    Schema.Array(
      looseStruct({
        privateDnsName: nullish(Schema.String, "The private DNS name."),
        targetId: nullish(Schema.String, "The id of the DNS target that the name leads to. Absent: the default one.")
      }).pipe(withIdentifier("PrivateDnsMapping", "A private DNS name of an endpoint."))
    ),
    "Private DNS names of the endpoint, which sources of pipes may use as their host."
  ),
  endpointId: nullish(Schema.String, "The id of the endpoint at the cloud provider."),
  dnsNames: nullish(Schema.Array(Schema.String), "The DNS names that the provider gave the endpoint."),
  privateDnsNames: nullish(Schema.Array(Schema.String), "The private DNS names of the endpoint."),
  privateDnsMappings: nullish(
    Schema.Array(
      looseStruct({
        privateDnsName: nullish(Schema.String, "The private DNS name."),
        internalDnsName: nullish(Schema.String, "The DNS name that it leads to.")
      }).pipe(withIdentifier("ProviderDnsMapping", "A private DNS name that the provider gave an endpoint."))
    ),
    "The private DNS names that the provider gave the endpoint. None here: endpoints are simulated."
  ),
  dnsTargets: nullish(
    Schema.Array(
      looseStruct({
        id: nullish(Schema.String, "The id of the target: that of a VPC resource configuration."),
        kind: nullish(knownString(targetKinds), "What the target is."),
        internalDnsName: nullish(Schema.String, "The DNS name of the target.")
      }).pipe(withIdentifier("DnsTarget", "What private DNS names of an endpoint may lead to."))
    ),
    "What private DNS names may lead to. Only endpoints of the type VPC_RESOURCE have targets."
  ),
  status: knownString(statuses).annotate({
    description: "The current status of the endpoint. New statuses may be added."
  })
}).pipe(withIdentifier("ReversePrivateEndpoint", "A private connection from a service to a source."))
export type ReversePrivateEndpoint = typeof ReversePrivateEndpoint.Type

const dnsName =
  /^(?=.{1,253}$)(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/iu

const given = Schema.String.check(Schema.isMaxCodePoints(2048, { message: "Expected at most 2048 characters" }))

const Mappings = Schema.Array(
  looseStruct({
    privateDnsName: Schema.String.annotate({
      description: "A DNS name such as db.example.com, or with a leading wildcard such as *.example.com."
    }).check(Schema.isPattern(dnsName, { message: "Expected a DNS name such as db.example.com or *.example.com" })),
    targetId: nullish(
      given,
      "The id of the DNS target that the name leads to. Only for VPC_RESOURCE, where an update needs one of the `dnsTargets`."
    )
  }).pipe(withIdentifier("PrivateDnsMappingCreate", "A private DNS name of a new endpoint."))
).check(Schema.isMaxLength(100, { message: "Expected at most 100 names" }))

const attachment = Schema.String.check(
  Schema.isPattern(/^(?=.{1,2048}$)projects\/[^/]+\/regions\/[^/]+\/serviceAttachments\/[^/]+$/u, {
    message: "Expected projects/{project}/regions/{region}/serviceAttachments/{name}"
  })
)

/**
 * The request for a new reverse private endpoint. Each type needs its own fields, which the store checks. Contract:
 * docs/wire-contract.md#reverse-private-endpoints.
 *
 * @example
 * ```ts
 * import type { ReversePrivateEndpointCreate } from "@headgate/core"
 *
 * export const request: ReversePrivateEndpointCreate = {
 *   description: "orders database",
 *   type: "VPC_ENDPOINT_SERVICE",
 *   vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-0123456789abcdef0",
 *   customPrivateDnsMappings: [{ privateDnsName: "orders.example.com" }]
 * }
 * ```
 */
export const ReversePrivateEndpointCreate = looseStruct({
  description: Schema.String.annotate({ description: "What the endpoint is for: at most 255 characters." }).check(
    Schema.isMaxCodePoints(255, { message: "Expected at most 255 characters" })
  ),
  type: Schema.Literals(types).annotate({ description: "What the endpoint connects to." }),
  vpcEndpointServiceName: nullish(given, "The name of the VPC endpoint service. VPC_ENDPOINT_SERVICE needs it."),
  vpcResourceConfigurationId: nullish(given, "The id of the VPC resource configuration. VPC_RESOURCE needs it."),
  vpcResourceShareArn: nullish(given, "The ARN of the VPC resource share. VPC_RESOURCE needs it."),
  mskClusterArn: nullish(given, "The ARN of the MSK cluster. MSK_MULTI_VPC needs it."),
  mskAuthentication: nullish(
    Schema.Literals(authentications),
    "How clients of the MSK cluster authenticate. MSK_MULTI_VPC needs it."
  ),
  gcpServiceAttachment: nullish(
    attachment,
    "The URI of the PSC service attachment. GCP_PSC_SERVICE_ATTACHMENT needs it."
  ),
  customPrivateDnsMappings: nullish(Mappings, "Private DNS names: at most 100, unique in the service, none for MSK.")
}).pipe(
  withIdentifier("ReversePrivateEndpointCreate", "The request for a new reverse private endpoint."),
  needing("type", endpointNeeds)
)
export type ReversePrivateEndpointCreate = typeof ReversePrivateEndpointCreate.Type

/**
 * The changes of a reverse private endpoint. The list replaces the old one; an empty list removes all names. Contract:
 * docs/wire-contract.md#reverse-private-endpoints.
 */
export const ReversePrivateEndpointUpdate = looseStruct({
  customPrivateDnsMappings: nullish(Mappings, "Private DNS names: at most 100, unique in the service, none for MSK.")
}).pipe(withIdentifier("ReversePrivateEndpointUpdate", "The changes of a reverse private endpoint."))
export type ReversePrivateEndpointUpdate = typeof ReversePrivateEndpointUpdate.Type
