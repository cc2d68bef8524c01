import { assert, describe, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot, pipeRequests } from "@headgate/conformance/fixtures"
import { ApiKeys, PipeCreate, Pipes, type PortError, ReversePrivateEndpoints, Roles, Snapshots } from "@headgate/core"
import {
  IdempotentCreations,
  OrganizationConnections,
  OrganizationDashboards,
  OrganizationDocuments
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { MemoryStore } from "../src/MemoryStore.ts"
import { MemoryIdempotentCreations } from "../src/access/MemoryIdempotentCreations.ts"
import { MemoryConnections } from "../src/dashboard/MemoryConnections.ts"
import { MemoryDashboards } from "../src/dashboard/MemoryDashboards.ts"
import { MemoryDocumentStores } from "../src/dashboard/MemoryDocumentStores.ts"
import { MemoryApiKeys } from "../src/key/MemoryApiKeys.ts"
import { MemoryRoles } from "../src/key/MemoryRoles.ts"
import { MemoryPipes } from "../src/pipe/MemoryPipes.ts"
import { MemoryReversePrivateEndpoints } from "../src/service/MemoryReversePrivateEndpoints.ts"
import { MemorySnapshots } from "../src/snapshot/MemorySnapshots.ts"

const { acme } = fixtureIds.organizations
const service = { organizationId: acme, serviceId: fixtureIds.services.ingest }

const ports = Layer.mergeAll(
  MemoryApiKeys.layer,
  MemoryConnections.layerByOrganization,
  MemoryDashboards.layerByOrganization,
  MemoryDocumentStores.layerByOrganization,
  MemoryIdempotentCreations.layer,
  MemoryPipes.layer,
  MemoryReversePrivateEndpoints.layer,
  MemoryRoles.layer,
  MemorySnapshots.layer
).pipe(
  Layer.provideMerge(Layer.fresh(MemoryStore.layer)),
  Layer.provide([Digest.layerWebCrypto, SecureRandom.layerWebCrypto])
)

/** Everything that the store holds, and how often a pipe was changed. */
const content = MemoryStore.useSync((store) => {
  const maps: ReadonlyArray<readonly [string, ReadonlyMap<string, unknown>]> = Object.entries(store)
  const entries = maps.map(([name, held]) => [
    name,
    Array.from(held, ([key, value]) => [key, value instanceof Map ? Array.from(value) : value])
  ])
  return JSON.stringify([store.pipes.changes, entries])
})

type Creating = Layer.Success<typeof ports>

const creations: Readonly<Record<string, Effect.Effect<unknown, PortError, Creating>>> = {
  key: ApiKeys.use((keys) => keys.create({ organizationId: acme }, { name: "x" })),
  role: Roles.use((roles) => roles.create({ organizationId: acme }, { name: "x", actors: [], policies: [] })),
  endpoint: ReversePrivateEndpoints.use((endpoints) =>
    endpoints.create(service, { description: "x", type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "vpce-svc" })
  ),
  pipe: Pipes.use((pipes) =>
    pipes.create(service, Schema.decodeUnknownSync(PipeCreate)({ ...pipeRequests.kafka, startPaused: true }))
  ),
  dashboard: OrganizationDashboards.use((dashboards) => dashboards.of(acme).create({ name: "x" })),
  connection: OrganizationConnections.use((connections) =>
    connections.of(acme).create({ name: "x", host: "localhost:8123" })
  ),
  savedSearch: OrganizationDocuments.use((documents) =>
    documents.of(acme).savedSearches.create({ name: "x", sourceId: "50000000000000000000000a" })
  )
}

describe("a creation in memory that is only validated", () => {
  it.live.each(Object.entries(creations))("%s: the store holds the same, to the byte", ([, create]) =>
    Effect.gen(function* () {
      const snapshot = yield* fixtureSnapshot
      yield* Snapshots.use((snapshots) => snapshots.import(snapshot))
      const context = yield* Effect.context<Creating>()
      const before = yield* content
      yield* IdempotentCreations.use((store) => store.validateOnly(Effect.provideContext(create, context)))
      assert.strictEqual(yield* content, before)
      // The comparison sees a creation.
      yield* create
      assert.notStrictEqual(yield* content, before)
    }).pipe(Effect.provide(ports))
  )
})
