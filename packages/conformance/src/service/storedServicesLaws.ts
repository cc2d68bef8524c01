import { assert, describe, it } from "@effect/vitest"
import { Organizations, Pipes, type ServiceAddress, Services, Snapshots } from "@headgate/core"
import { StoredServices, Tokens } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"

type Ports = Organizations | Pipes | Services | Snapshots | StoredServices | Tokens

const { organizations: organizationIds, services: ids } = fixtureIds
const { acme, globex } = organizationIds
const ingest: ServiceAddress = { organizationId: acme, serviceId: ids.ingest }

const exported = Snapshots.use((snapshots) => snapshots.export)

/** The laws of the `StoredServices` port, for adapters that have a store. */
export const storedServicesLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, Ports>) =>
    it.live(title, () => Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot, acme))))

  describe(`${name}: laws of StoredServices`, () => {
    law(
      "forceState puts a service into any state, and an export has it",
      Effect.gen(function* () {
        const services = yield* Services
        const stored = yield* StoredServices
        yield* stored.forceState(ingest, "idle")
        assert.strictEqual((yield* services.get(ingest)).state, "idle")
        assert.strictEqual((yield* exported).organizations[0]?.services?.[0]?.state, "idle")
        yield* stored.forceState(ingest, "running")
        assert.strictEqual((yield* services.get(ingest)).state, "running")
      })
    )

    law(
      "remove takes a service with its pipes, and no other",
      Effect.gen(function* () {
        const stored = yield* StoredServices
        const before = yield* exported
        yield* stored.remove(ingest)
        yield* failsWith(
          Services.use((services) => services.get(ingest)),
          "ServiceNotFound"
        )
        yield* failsWith(
          Pipes.use((pipes) => pipes.list(ingest)),
          "ServiceNotFound"
        )
        const after = yield* exported
        assert.deepStrictEqual(after.organizations[0]?.services, before.organizations[0]?.services?.slice(1))
        assert.deepStrictEqual(after.organizations[1], before.organizations[1])
        assert.deepStrictEqual(yield* Snapshots.use((snapshots) => snapshots.import(before)), {
          added: 1 + (before.organizations[0]?.services?.[0]?.pipes?.length ?? 0),
          kept: (yield* Snapshots.use((snapshots) => snapshots.import(after))).kept
        })
      })
    )

    law(
      "removeOrganization takes an organization with all that it owns, and no other",
      Effect.gen(function* () {
        const stored = yield* StoredServices
        const before = yield* exported
        yield* stored.removeOrganization(acme)
        const after = yield* exported
        assert.deepStrictEqual(after.organizations, before.organizations.slice(1))
        assert.deepStrictEqual(yield* Tokens.use((tokens) => tokens.list(acme)), [])
        // Over a network the caller's key is gone, too.
        yield* failsWith(
          Organizations.use((organizations) => organizations.get({ organizationId: acme })),
          "OrganizationNotFound",
          "Unauthorized"
        )
      })
    )

    law(
      "every method fails for what is not there, and changes nothing",
      Effect.gen(function* () {
        const stored = yield* StoredServices
        const before = yield* exported
        for (const address of [
          { ...ingest, serviceId: ids.unknown },
          { ...ingest, organizationId: globex }
        ]) {
          const calls = [stored.forceState(address, "idle"), stored.remove(address)]
          for (const call of calls) {
            assert.deepStrictEqual((yield* failsWith(call, "ServiceNotFound")).address, address)
          }
        }
        yield* failsWith(stored.removeOrganization(organizationIds.unknown), "OrganizationNotFound")
        assert.deepStrictEqual(yield* exported, before)
      })
    )
  })
}
