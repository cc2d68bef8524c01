import {
  ReversePrivateEndpoint,
  type ReversePrivateEndpointAddress,
  ReversePrivateEndpointCreate,
  ReversePrivateEndpointId,
  ReversePrivateEndpoints,
  type ServiceAddress
} from "@headgate/core"
import { HttpOrganizations, HttpReversePrivateEndpoints, HttpServices } from "@headgate/http-adapter"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { listCommand } from "../list/listCommand.ts"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import { waitFlags } from "../wait/waitFlags.ts"
import { waitUntil } from "../wait/waitUntil.ts"
import { confirm, yesFlag } from "../usage/confirm.ts"
import { validate } from "../usage/validate.ts"
import { nouns, serviceAddress } from "../address/nouns.ts"
import { valuesCommand } from "../address/valuesCommand.ts"
import { overManagement } from "../settings/withPorts.ts"

const id = Argument.String("endpoint-id").pipe(
  Argument.withDescription("UUID of the private endpoint"),
  Argument.mapEffect(validate({ kind: "argument", name: "endpoint-id" }, ReversePrivateEndpointId))
)

const endpointAddress = Effect.fnUntraced(function* (reversePrivateEndpointId: ReversePrivateEndpointId) {
  const address: ReversePrivateEndpointAddress = { ...(yield* serviceAddress), reversePrivateEndpointId }
  return address
})

const print = (endpoint: ReversePrivateEndpoint) =>
  Output.print({
    text: (layout) => detailText(masked(endpoint), layout),
    json: Output.encoded(ReversePrivateEndpoint, endpoint)
  })

const list = listCommand({
  description: "List the reverse private endpoints of the service",
  examples: [{ command: "headgate private-endpoint list" }],
  elements: Effect.gen(function* () {
    const endpoints = yield* ReversePrivateEndpoints
    return yield* endpoints.list(yield* serviceAddress)
  }),
  schema: Effect.succeed(ReversePrivateEndpoint),
  columns: {
    STATUS: ({ status }) => status,
    TYPE: ({ type }) => type ?? "",
    DESCRIPTION: ({ description }) => description ?? ""
  },
  empty: "The service has no private endpoints."
})

const get = Command.make(
  "get",
  { id },
  Effect.fnUntraced(function* (input) {
    const endpoints = yield* ReversePrivateEndpoints
    yield* print(yield* endpoints.get(yield* endpointAddress(input.id)))
  })
).pipe(
  Command.withDescription("Show a reverse private endpoint"),
  Command.withExamples([{ command: "headgate private-endpoint get 2b7c1f0e-9d3a-4c58-8e61-0f4a7b9c2d13" }])
)

const dnsNames = Flag.String("dns-name").pipe(
  Flag.withMetavar("name"),
  Flag.withDescription("Private DNS name such as db.example.com or *.example.com; repeat for more"),
  Flag.atLeast(1),
  Flag.withDefault<ReadonlyArray<string>>([])
)
const mappingsOf = (names: ReadonlyArray<string>) => names.map((privateDnsName) => ({ privateDnsName }))

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("text"), Flag.withDescription(description), Flag.optional)

const { mskAuthentication, type } = ReversePrivateEndpointCreate.schema.fields

const fields = {
  vpcEndpointServiceName: text("vpc-endpoint-service-name", "Name of the VPC endpoint service"),
  vpcResourceConfigurationId: text("vpc-resource-configuration-id", "Id of the VPC resource configuration"),
  vpcResourceShareArn: text("vpc-resource-share-arn", "ARN of the VPC resource share"),
  mskClusterArn: text("msk-cluster-arn", "ARN of the MSK cluster"),
  gcpServiceAttachment: text("gcp-service-attachment", "URI of the PSC service attachment")
}

// A status that is not known may lead anywhere.
const ended: ReadonlyArray<string> = ["Failed", "Rejected", "Expired", "Deleting"]

/** Waits until an endpoint is ready, or until its owner has to accept it. */
const settled = Effect.fnUntraced(function* (
  address: ServiceAddress,
  created: ReversePrivateEndpoint,
  timeout: Duration.Duration
) {
  const endpoints = yield* ReversePrivateEndpoints
  const withState = (endpoint: ReversePrivateEndpoint) => ({ state: endpoint.status, endpoint })
  const { endpoint } = yield* waitUntil({
    label: `Private endpoint ${created.id}`,
    read: Effect.map(endpoints.get({ ...address, reversePrivateEndpointId: created.id }), withState),
    known: withState(created),
    states: ["Ready", "PendingAcceptance"],
    canReach: ({ state }) => !ended.includes(state),
    timeout
  })
  return endpoint
})

const create = Command.make(
  "create",
  {
    type: Flag.Literals("type", type.literals).pipe(
      Flag.withMetavar("type"),
      Flag.withDescription("What the endpoint connects to; each type needs its own flags")
    ),
    description: Flag.String("description").pipe(
      Flag.withMetavar("text"),
      Flag.withDescription("What the endpoint is for"),
      Flag.withDefault("")
    ),
    ...fields,
    mskAuthentication: Flag.Literals("msk-authentication", mskAuthentication.schema.members[0].literals).pipe(
      Flag.withMetavar("kind"),
      Flag.withDescription("How clients of the MSK cluster authenticate"),
      Flag.optional
    ),
    dnsNames,
    ...waitFlags
  },
  Effect.fnUntraced(function* ({ description, dnsNames: names, type: endpointType, wait, waitTimeout, ...given }) {
    const endpoints = yield* ReversePrivateEndpoints
    const request: ReversePrivateEndpointCreate = {
      description,
      type: endpointType,
      vpcEndpointServiceName: Option.getOrNull(given.vpcEndpointServiceName),
      vpcResourceConfigurationId: Option.getOrNull(given.vpcResourceConfigurationId),
      vpcResourceShareArn: Option.getOrNull(given.vpcResourceShareArn),
      mskClusterArn: Option.getOrNull(given.mskClusterArn),
      mskAuthentication: Option.getOrNull(given.mskAuthentication),
      gcpServiceAttachment: Option.getOrNull(given.gcpServiceAttachment),
      ...(names.length === 0 ? {} : { customPrivateDnsMappings: mappingsOf(names) })
    }
    const address = yield* serviceAddress
    const created = yield* endpoints.create(address, request)
    yield* print(wait ? yield* settled(address, created, waitTimeout) : created)
  })
).pipe(
  Command.withDescription("Create a reverse private endpoint; it is ready, or waits for its owner, a little later"),
  Command.withExamples([
    {
      command:
        "headgate private-endpoint create --type VPC_ENDPOINT_SERVICE --vpc-endpoint-service-name com.amazonaws.vpce.svc-1"
    },
    {
      command: "headgate private-endpoint create --type MSK_MULTI_VPC --msk-cluster-arn <arn> --wait",
      description: "And wait until it is ready, or its owner has to accept it"
    }
  ])
)

const update = Command.make(
  "update",
  { id, dnsNames },
  Effect.fnUntraced(function* (input) {
    const endpoints = yield* ReversePrivateEndpoints
    const request = { customPrivateDnsMappings: mappingsOf(input.dnsNames) }
    yield* print(yield* endpoints.update(yield* endpointAddress(input.id), request))
  })
).pipe(
  Command.withDescription(
    "Replace the private DNS names of a reverse private endpoint; without --dns-name it has none"
  ),
  Command.withExamples([
    { command: "headgate private-endpoint update 2b7c1f0e-9d3a-4c58-8e61-0f4a7b9c2d13 --dns-name db.example.com" }
  ])
)

/** `headgate private-endpoint delete <endpoint-id> [--yes]`. Not named `delete`, which is a reserved word. */
const remove = Command.make(
  "delete",
  { id, yes: yesFlag },
  Effect.fnUntraced(function* (input) {
    const endpoints = yield* ReversePrivateEndpoints
    const address = yield* endpointAddress(input.id)
    if (!input.yes) yield* confirm(`Delete private endpoint ${input.id} permanently?`)
    yield* endpoints.delete(address)
    yield* Output.done(`Private endpoint ${input.id} was deleted`, { id: input.id, deleted: true })
  })
).pipe(
  Command.withDescription("Delete a reverse private endpoint permanently"),
  Command.withExamples([{ command: "headgate private-endpoint delete 2b7c1f0e-9d3a-4c58-8e61-0f4a7b9c2d13 --yes" }])
)

const withPorts = overManagement(
  Layer.mergeAll(HttpOrganizations.layer, HttpServices.layer, HttpReversePrivateEndpoints.layer)
)

/** `headgate private-endpoint` */
export const command = Command.make("private-endpoint").pipe(
  Command.withSubcommands([withPorts(list), withPorts(get), withPorts(create), withPorts(update), withPorts(remove)])
)

/** `headgate complete-values private-endpoint` */
export const values = withPorts(
  valuesCommand(
    "private-endpoint",
    Effect.flatMap(serviceAddress, (address) => nouns.privateEndpoint(address).list)
  )
)
