import { assert, describe, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { ReversePrivateEndpoints, Roles, Snapshots } from "@headgate/core"
import { IdempotentCreations, PipeTables, StoredServices } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { MemoryStore } from "../src/MemoryStore.ts"
import { MemoryIdempotentCreations } from "../src/access/MemoryIdempotentCreations.ts"
import { MemoryRoles } from "../src/key/MemoryRoles.ts"
import { MemoryPipeTables } from "../src/pipe/MemoryPipeTables.ts"
import { MemoryReversePrivateEndpoints } from "../src/service/MemoryReversePrivateEndpoints.ts"
import { MemoryServices } from "../src/service/MemoryServices.ts"
import { MemorySnapshots } from "../src/snapshot/MemorySnapshots.ts"

const { acme, globex } = fixtureIds.organizations
const serviceIds = { [acme]: fixtureIds.services.ingest, [globex]: fixtureIds.services.globex }

const ports = Layer.mergeAll(
  MemoryIdempotentCreations.layer,
  MemoryReversePrivateEndpoints.layer,
  MemoryPipeTables.layer,
  MemoryRoles.layer,
  MemoryServices.layerStored,
  MemorySnapshots.layer
).pipe(
  Layer.provideMerge(Layer.fresh(MemoryStore.layer)),
  Layer.provide([Digest.layerWebCrypto, SecureRandom.layerWebCrypto])
)

/** What the fixture does not have. */
const createOthers = Effect.fnUntraced(function* (organizationId: typeof acme) {
  const endpoint = { description: "x", type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "vpce-svc" } as const
  const serviceId = serviceIds[organizationId] ?? fixtureIds.services.archive
  yield* ReversePrivateEndpoints.use((endpoints) => endpoints.create({ organizationId, serviceId }, endpoint))
  yield* Roles.use((roles) => roles.create({ organizationId }, { name: "x", actors: [], policies: [] }))
  const creation = { organizationId, scope: `${organizationId} POST /keys`, key: "k-1", body: "{}" }
  const names = { warehouse: "events", database: "default", table: "clicks", knownBy: "1" }
  const opened = { organizationId, serviceId, pipeId: fixtureIds.pipes.unknown, ...names }
  yield* PipeTables.use((tables) =>
    tables.opened([{ ...opened, table: serviceId, isCreated: true, isVersioned: false }])
  )
  yield* IdempotentCreations.use(({ once }) => once(creation, Effect.succeed({ text: "{}" })))
})

/** The entries of every map of the store that name an organization. Deleted pipes of warehouses outlive it: a law of MovedPipes. */
const entriesOf = (organizationId: string) =>
  MemoryStore.useSync((store) =>
    Object.fromEntries(
      Object.entries(Struct.omit(store, ["deletedPipes"])).map(
        ([name, map]: readonly [string, ReadonlyMap<string, unknown>]) => [
          name,
          Array.from(map).filter((entry) => JSON.stringify(entry).includes(organizationId))
        ]
      )
    )
  )

describe("an organization that is removed", () => {
  it.live("leaves nothing in any map, and the other organization keeps all of its own", () =>
    Effect.gen(function* () {
      yield* Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.import))
      for (const id of [acme, globex]) yield* createOthers(id)
      const others = yield* entriesOf(globex)
      for (const [name, entries] of Object.entries(yield* entriesOf(acme))) assert.isNotEmpty(entries, name)
      yield* StoredServices.use((stored) => stored.removeOrganization(acme))
      for (const [name, entries] of Object.entries(yield* entriesOf(acme))) assert.isEmpty(entries, name)
      assert.deepStrictEqual(yield* entriesOf(globex), others)
    }).pipe(Effect.provide(ports))
  )
})
