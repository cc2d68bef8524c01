import { assert, describe, it } from "@effect/vitest"
import {
  type ReversePrivateEndpointAddress,
  type ReversePrivateEndpointCreate,
  ReversePrivateEndpointId,
  ReversePrivateEndpoints,
  type ServiceAddress,
  type Snapshot,
  versionOf
} from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"
import { withServiceState } from "../internal/serviceStates.ts"

const { organizations, services: ids } = fixtureIds
const ingest: ServiceAddress = { organizationId: organizations.acme, serviceId: ids.ingest }
const archive: ServiceAddress = { ...ingest, serviceId: ids.archive }

/** A request of each type, and the status that its endpoint reaches. */
const requests: ReadonlyArray<readonly [ReversePrivateEndpointCreate, "Ready" | "PendingAcceptance"]> = [
  [
    { description: "service", type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "com.amazonaws.vpce.svc-1" },
    "PendingAcceptance"
  ],
  [
    {
      description: "resource",
      type: "VPC_RESOURCE",
      vpcResourceConfigurationId: "rcfg-1",
      vpcResourceShareArn: "arn:aws:ram:us-east-1:123456789012:resource-share/1",
      mskClusterArn: null,
      customPrivateDnsMappings: [
        { privateDnsName: "a.example.com" },
        { privateDnsName: "b.example.com", targetId: "rcfg-2" }
      ]
    },
    "Ready"
  ],
  [
    {
      description: "",
      type: "MSK_MULTI_VPC",
      mskClusterArn: "arn:aws:kafka:us-east-1:123456789012:cluster/c",
      mskAuthentication: "SASL_SCRAM",
      customPrivateDnsMappings: []
    },
    "Ready"
  ],
  [
    {
      description: "attachment",
      type: "GCP_PSC_SERVICE_ATTACHMENT",
      gcpServiceAttachment: "projects/p/regions/r/serviceAttachments/n",
      customPrivateDnsMappings: [{ privateDnsName: "db.example.com" }, { privateDnsName: "*.db.example.com" }]
    },
    "PendingAcceptance"
  ]
]

const [[service]] = [requests[0] ?? [{ description: "", type: "VPC_RESOURCE" } as const]]

const addressOf = ({ id }: { readonly id: ReversePrivateEndpointId }): ReversePrivateEndpointAddress => ({
  ...ingest,
  reversePrivateEndpointId: id
})
const unknownEndpoint = addressOf({ id: ReversePrivateEndpointId.make(ids.unknown) })

const named = (...names: ReadonlyArray<string>): ReversePrivateEndpointCreate => ({
  ...service,
  customPrivateDnsMappings: names.map((privateDnsName) => ({ privateDnsName }))
})

/** Requests that are refused, and the field that is wrong. */
const refused: ReadonlyArray<readonly [object, string]> = [
  [{ type: undefined }, "type"],
  [{ type: "VPN" }, "type"],
  [{ description: undefined }, "description"],
  [{ description: "x".repeat(256) }, "description"],
  [{ vpcEndpointServiceName: null }, "vpcEndpointServiceName"],
  [{ vpcEndpointServiceName: "" }, "vpcEndpointServiceName"],
  [{ type: "VPC_RESOURCE", vpcResourceShareArn: "arn" }, "vpcResourceConfigurationId"],
  [{ type: "VPC_RESOURCE", vpcResourceConfigurationId: "r" }, "vpcResourceShareArn"],
  [{ type: "MSK_MULTI_VPC", mskClusterArn: "arn" }, "mskAuthentication"],
  [{ type: "MSK_MULTI_VPC", mskClusterArn: "arn", mskAuthentication: "PLAIN" }, "mskAuthentication"],
  [{ type: "GCP_PSC_SERVICE_ATTACHMENT" }, "gcpServiceAttachment"],
  [{ type: "GCP_PSC_SERVICE_ATTACHMENT", gcpServiceAttachment: "projects/p" }, "gcpServiceAttachment"],
  [{ customPrivateDnsMappings: [{ privateDnsName: "not a name" }] }, "customPrivateDnsMappings[0].privateDnsName"],
  [
    {
      type: "MSK_MULTI_VPC",
      mskClusterArn: "arn",
      mskAuthentication: "SASL_IAM",
      customPrivateDnsMappings: [{ privateDnsName: "db.example.com" }]
    },
    "customPrivateDnsMappings"
  ],
  [
    {
      customPrivateDnsMappings: [
        { privateDnsName: "a.example.com" },
        { privateDnsName: "b.example.com", targetId: "r" }
      ]
    },
    "customPrivateDnsMappings[1].targetId"
  ],
  [
    { customPrivateDnsMappings: [{ privateDnsName: "a.example.com", targetId: 1 }] },
    "customPrivateDnsMappings[0].targetId"
  ]
]

/**
 * The laws of the `ReversePrivateEndpoints` port. They need only the port, so they also run over an adapter for a network.
 */
export const reversePrivateEndpointsLaws = ({ layer, name }: LawsOptions<ReversePrivateEndpoints>): void => {
  // On the real clock, because the adapter may call another process.
  const law = (
    title: string,
    body: Effect.Effect<void, unknown, ReversePrivateEndpoints>,
    change: (snapshot: Snapshot) => Snapshot = (snapshot) => snapshot
  ) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) =>
        Effect.provide(body, layer(change(snapshot), ingest.organizationId))
      )
    )

  describe(`${name}: laws of ReversePrivateEndpoints`, () => {
    for (const [request, status] of requests) {
      law(
        `an endpoint of the type ${request.type} is Provisioning, then ${status}, with every field as it was sent`,
        Effect.gen(function* () {
          const endpoints = yield* ReversePrivateEndpoints
          const { dnsNames, dnsTargets, endpointId, id, privateDnsMappings, privateDnsNames, ...created } =
            yield* endpoints.create(ingest, request)
          assert.deepStrictEqual(created, { ...request, serviceId: ingest.serviceId, status: "Provisioning" })
          assert.match(endpointId ?? "", /^vpce-[0-9a-f]{17}$/)
          assert.deepStrictEqual(dnsNames, [`${endpointId}.invalid`])
          const names = (request.customPrivateDnsMappings ?? []).map(({ privateDnsName }) => privateDnsName)
          assert.deepStrictEqual(privateDnsNames, names)
          assert.deepStrictEqual(privateDnsMappings, [])
          const target = {
            id: "rcfg-1",
            kind: "RESOURCE_CONFIGURATION",
            internalDnsName: `${endpointId}.rcfg-1.invalid`
          }
          assert.deepStrictEqual<unknown>(
            dnsTargets?.map((each) => ({ ...each })),
            request.type === "VPC_RESOURCE" ? [target] : []
          )
          const settled = yield* endpoints.get(addressOf({ id })).pipe(
            Effect.repeat({
              until: (found) => found.status !== "Provisioning",
              schedule: Schedule.spaced("50 millis")
            }),
            Effect.timeout("1 minute")
          )
          const answered = { dnsNames, dnsTargets, endpointId, id, privateDnsMappings, privateDnsNames }
          assert.deepStrictEqual({ ...settled }, { ...created, ...answered, status })
          assert.deepStrictEqual(
            (yield* endpoints.list(ingest)).map((each) => ({ ...each })),
            [{ ...settled }]
          )
          assert.strictEqual(versionOf(settled), 1)
        })
      )
    }

    for (const [change, path] of refused) {
      law(
        `create with ${JSON.stringify(change)} is an InvalidRequest that names ${path}, and creates nothing`,
        Effect.gen(function* () {
          const endpoints = yield* ReversePrivateEndpoints
          // A request from outside may be anything.
          const request: ReversePrivateEndpointCreate = JSON.parse(JSON.stringify({ ...service, ...change }))
          const { message } = yield* failsWith(endpoints.create(ingest, request), "InvalidRequest")
          assert.include(message, `${path}: `)
          assert.deepStrictEqual(yield* endpoints.list(ingest), [])
        })
      )
    }

    law(
      "a private DNS name is unique in a service, and free after it was removed",
      Effect.gen(function* () {
        const endpoints = yield* ReversePrivateEndpoints
        const first = yield* endpoints.create(ingest, named("a.example.com"))
        const { message } = yield* failsWith(
          endpoints.create(ingest, named("b.example.com", "a.example.com")),
          "Conflict"
        )
        assert.include(message, "customPrivateDnsMappings[1].privateDnsName")
        yield* failsWith(endpoints.create(ingest, named("c.example.com", "c.example.com")), "Conflict")
        yield* endpoints.create(archive, named("a.example.com"))
        yield* endpoints.update(addressOf(first), { customPrivateDnsMappings: [] })
        yield* endpoints.create(ingest, named("a.example.com"))
        const taken = { customPrivateDnsMappings: [{ privateDnsName: "a.example.com" }] }
        yield* failsWith(endpoints.update(addressOf(first), taken), "Conflict")
        assert.lengthOf(yield* endpoints.list(ingest), 2)
      })
    )

    law(
      "update replaces the private DNS names and nothing else, and an empty one changes nothing",
      Effect.gen(function* () {
        const endpoints = yield* ReversePrivateEndpoints
        const created = yield* endpoints.create(ingest, named("a.example.com"))
        const customPrivateDnsMappings = [{ privateDnsName: "b.example.com" }]
        const updated = yield* endpoints.update(addressOf(created), { customPrivateDnsMappings })
        const { status: _status, ...fields } = updated
        const { status: _before, ...before } = created
        assert.deepStrictEqual(fields, { ...before, customPrivateDnsMappings, privateDnsNames: ["b.example.com"] })
        assert.strictEqual(versionOf(updated), 2)
        const same = yield* endpoints.update(addressOf(created), {})
        assert.deepStrictEqual(same.customPrivateDnsMappings, customPrivateDnsMappings)
        assert.strictEqual(versionOf(same), 2)
      })
    )

    law(
      "update takes only a DNS target that the endpoint has, or one that the name had before",
      Effect.gen(function* () {
        const endpoints = yield* ReversePrivateEndpoints
        const mapped = (privateDnsName: string, targetId: string) => ({ privateDnsName, targetId })
        const created = yield* endpoints.create(ingest, {
          description: "resource",
          type: "VPC_RESOURCE",
          vpcResourceConfigurationId: "rcfg-1",
          vpcResourceShareArn: "arn:aws:ram:us-east-1:123456789012:resource-share/1",
          customPrivateDnsMappings: [mapped("a.example.com", "rcfg-2")]
        })
        const update = (...customPrivateDnsMappings: ReadonlyArray<ReturnType<typeof mapped>>) =>
          endpoints.update(addressOf(created), { customPrivateDnsMappings })
        const kept = [mapped("b.example.com", "rcfg-1"), mapped("a.example.com", "rcfg-2")]
        const updated = yield* update(...kept)
        assert.deepStrictEqual<unknown>(
          updated.customPrivateDnsMappings?.map((each) => ({ ...each })),
          kept
        )
        for (const name of ["b.example.com", "c.example.com"]) {
          const { message } = yield* failsWith(update(mapped(name, "rcfg-2")), "InvalidRequest")
          assert.include(message, "customPrivateDnsMappings[0].targetId: ")
        }
        assert.strictEqual(versionOf(yield* endpoints.get(addressOf(created))), 2)
      })
    )

    law(
      "get, update and delete fail for what is not there, list and create for an unknown service",
      Effect.gen(function* () {
        const endpoints = yield* ReversePrivateEndpoints
        const created = yield* endpoints.create(ingest, service)
        for (const address of [unknownEndpoint, { ...addressOf(created), serviceId: ids.archive }]) {
          const calls = [endpoints.get(address), endpoints.update(address, {}), endpoints.delete(address)]
          for (const call of calls) {
            assert.deepStrictEqual((yield* failsWith(call, "ReversePrivateEndpointNotFound")).address, address)
          }
        }
        for (const serviceId of [ids.unknown, ids.globex]) {
          const address = { ...ingest, serviceId }
          yield* failsWith(endpoints.list(address), "ServiceNotFound")
          yield* failsWith(endpoints.create(address, service), "ServiceNotFound")
        }
        yield* endpoints.delete(addressOf(created))
        assert.deepStrictEqual(yield* endpoints.list(ingest), [])
      })
    )

    law(
      "writes fail with FailedDependency while the service is stopped, and reads go on",
      Effect.gen(function* () {
        const endpoints = yield* ReversePrivateEndpoints
        const { message } = yield* failsWith(endpoints.create(ingest, service), "FailedDependency")
        assert.include(message, "Current state: stopped")
        yield* failsWith(endpoints.delete(unknownEndpoint), "FailedDependency")
        assert.deepStrictEqual(yield* endpoints.list(ingest), [])
      }),
      (snapshot) => withServiceState(snapshot, ids.ingest, "stopped")
    )
  })
}
