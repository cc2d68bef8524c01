import { assert, describe, it } from "@effect/vitest"
import { ApiKeys, DashboardId, type OrganizationId, Roles, Snapshots } from "@headgate/core"
import {
  OrganizationDashboards,
  OrganizationLimits,
  type OrganizationUsage,
  organizationUsage
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureDashboards } from "../fixtures/dashboards.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { countedKinds, type CreatingPorts } from "../internal/countedKinds.ts"
import { failsWith } from "../internal/failsWith.ts"

type Ports = CreatingPorts | Snapshots

const { organizations, services } = fixtureIds
const { acme, globex } = organizations

const createDashboard = (organizationId: OrganizationId = acme, name = "x") =>
  OrganizationDashboards.use((dashboards) => dashboards.of(organizationId).create({ name }))

const createKey = (name = "x") => ApiKeys.use((keys) => keys.create({ organizationId: acme }, { name }))

const listDashboards = OrganizationDashboards.use((dashboards) => dashboards.of(acme).list())
const listKeys = ApiKeys.use((keys) => keys.list({ organizationId: acme }))

const service = { organizationId: acme, serviceId: services.ingest }
const archive = { organizationId: acme, serviceId: services.archive }

const kibibyte = "x".repeat(1024)

/** How often `create` succeeds before it fails with a `Conflict`. */
const countUntilConflict = <E extends { readonly _tag: string }, R>(create: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    for (let created = 0; created < 50; created++) {
      const outcome = yield* Effect.match(create, { onFailure: ({ _tag }) => _tag, onSuccess: () => "created" })
      if (outcome === "Conflict") return created
      assert.strictEqual(outcome, "created")
    }
    return assert.fail("50 creations did not reach the limit")
  })

/**
 * The laws of `OrganizationLimits`: they are exact, a creation above one is a `Conflict` that names it and stores nothing,
 * and imports are not limited. An organization that the store does not have may hold nothing.
 */
export const organizationLimitsLaws = ({ layer, name }: LawsOptions<Ports>): void => {
  const held = fixtureDashboards.acme.length

  const law = (title: string, limits: Partial<OrganizationUsage>, body: Effect.Effect<void, unknown, Ports>) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) =>
        body.pipe(
          Effect.provideService(OrganizationLimits, { ...organizationUsage(Infinity), ...limits }),
          Effect.provide(layer(snapshot, acme))
        )
      )
    )

  describe(`${name}: laws of OrganizationLimits`, () => {
    for (const [kind, make] of Object.entries(countedKinds)) {
      const unlimited = organizationUsage(Infinity)
      it.live(
        `the last of ${kind} of the limit is created, one more is a Conflict that names the limit, and is not stored`,
        () =>
          Effect.flatMap(fixtureSnapshot, (snapshot) =>
            Effect.gen(function* () {
              const { count, create } = yield* make
              const before = yield* count
              const limited = Effect.provideService(create, OrganizationLimits, { ...unlimited, [kind]: before + 1 })
              const last = yield* limited
              const { message } = yield* failsWith(limited, "Conflict")
              // `savedSearches` are "saved searches".
              assert.include(message.replaceAll(" ", "").toLowerCase(), `limitof${before + 1}${kind}`.toLowerCase())
              assert.strictEqual(yield* count, before + 1)
              yield* last.delete
              yield* limited
              assert.strictEqual(yield* count, before + 1)
            }).pipe(Effect.provide(layer(snapshot, acme)))
          )
      )

      it.live(`${kind} cannot be created in an organization that the store does not have`, () =>
        Effect.gen(function* () {
          const { count, create } = yield* make
          const { _tag, message } = yield* failsWith(create, "Forbidden", "ServiceNotFound")
          if (_tag === "Forbidden") assert.include(message, acme)
          const services = [service, archive].map(({ serviceId }) => ({ id: serviceId, name: "x" }))
          yield* Snapshots.use((snapshots) => snapshots.import({ organizations: [{ id: acme, name: "x", services }] }))
          assert.strictEqual(yield* count, 0)
        }).pipe(Effect.provide(layer({ organizations: [] }, acme)))
      )

      it.live(`${kind} above their limit can be changed and deleted`, () =>
        Effect.flatMap(fixtureSnapshot, (snapshot) =>
          Effect.gen(function* () {
            const { count, create } = yield* make
            const before = yield* count
            const held = yield* create
            const none = { ...unlimited, [kind]: 0 }
            yield* Effect.provideService(held.update, OrganizationLimits, none)
            yield* Effect.provideService(held.delete, OrganizationLimits, none)
            assert.strictEqual(yield* count, before)
          }).pipe(Effect.provide(layer(snapshot, acme)))
        )
      )
    }

    law(
      "concurrent requests create as many dashboards as the limit allows, and no more",
      { dashboards: held + 5 },
      Effect.gen(function* () {
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 20 }),
          () =>
            createDashboard().pipe(
              Effect.as(1),
              Effect.catchTag("Conflict", () => Effect.succeed(0))
            ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(
          outcomes.reduce((sum, each) => sum + each, 0),
          5
        )
        assert.lengthOf(yield* listDashboards, held + 5)
      })
    )

    law(
      "another organization's dashboards do not count",
      { dashboards: held },
      Effect.gen(function* () {
        yield* failsWith(createDashboard(), "Conflict")
        yield* createDashboard(globex)
      }).pipe(Effect.asVoid)
    )

    law(
      "keys above the limit of keys do not keep dashboards from being created, and the other way round",
      { keys: 1 },
      Effect.gen(function* () {
        assert.include((yield* failsWith(createKey(), "Conflict")).message, "1 keys")
        yield* createDashboard()
      })
    )

    law(
      "dashboards and keys share the limit of documents, which counts bytes of JSON in UTF-8",
      { documentBytes: 40 * 1024 },
      Effect.gen(function* () {
        const dashboards = yield* countUntilConflict(createDashboard(acme, kibibyte))
        // The fixture takes a few KiB, and a dashboard a little more than its name.
        assert.isTrue(dashboards > 20 && dashboards < 40, `${dashboards} dashboards of 1 KiB in 40 KiB`)
        const error = yield* failsWith(createDashboard(acme, kibibyte), "Conflict")
        assert.include(error.message, `${40 * 1024} bytes of documents`)
        assert.lengthOf(yield* listDashboards, held + dashboards)
        const keys = yield* countUntilConflict(createKey("é".repeat(255)))
        assert.isBelow(keys, 3)
        yield* createDashboard(globex, kibibyte)
      })
    )

    law(
      "an update that exceeds the limit of documents is a Conflict and changes nothing; a shorter one is not",
      { documentBytes: 40 * 1024 },
      Effect.gen(function* () {
        const dashboards = (yield* OrganizationDashboards).of(acme)
        const { id } = yield* createDashboard(acme, kibibyte)
        const tags = Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(32, "x"))
        const folders = Array.from({ length: 40 }, () => kibibyte)
        const error = yield* failsWith(dashboards.update({ dashboardId: id }, { name: "x", tags, folders }), "Conflict")
        assert.include(error.message, `${40 * 1024} bytes of documents`)
        assert.strictEqual((yield* dashboards.get({ dashboardId: id })).name, kibibyte)
        yield* dashboards.update({ dashboardId: id }, { name: "x", tags })
      })
    )

    law(
      "a key or role that grows above the limit of documents is a Conflict and unchanged; a key above it can be disabled",
      { documentBytes: 1 },
      Effect.gen(function* () {
        const unlimited = Effect.provideService(OrganizationLimits, organizationUsage(Infinity))
        const { key } = yield* unlimited(createKey())
        const role = yield* unlimited(
          Roles.use((roles) => roles.create({ organizationId: acme }, { name: "x", actors: [], policies: [] }))
        )
        const address = { organizationId: acme, keyId: key.id }
        const keys = yield* ApiKeys
        const roles = yield* Roles
        const roleAddress = { organizationId: acme, roleId: role.id }
        yield* failsWith(keys.update(address, { name: "longer" }), "Conflict")
        yield* failsWith(roles.update(roleAddress, { name: "longer" }), "Conflict")
        assert.strictEqual((yield* keys.get(address)).name, "x")
        assert.strictEqual((yield* roles.get(roleAddress)).name, "x")
        assert.strictEqual((yield* keys.update(address, { state: "disabled" })).state, "disabled")
        yield* keys.delete(address)
      })
    )

    law(
      "a deleted key no longer counts",
      { documentBytes: 20 * 1024 },
      Effect.gen(function* () {
        yield* countUntilConflict(createKey(kibibyte.slice(0, 255)))
        const [first] = yield* listKeys
        assert.isDefined(first)
        yield* ApiKeys.use((keys) => keys.delete({ organizationId: acme, keyId: first.id }))
        yield* createKey()
      })
    )

    law(
      "an import is not limited, and what it adds counts",
      { dashboards: held + 1 },
      Effect.gen(function* () {
        const snapshots = yield* Snapshots
        const { organizations } = yield* fixtureSnapshot
        const [organization] = organizations
        assert.isDefined(organization)
        const dashboards = Array.from({ length: 3 }, (_, n) => ({
          id: DashboardId.make(`imported-${n}`),
          name: `imported ${n}`
        }))
        yield* snapshots.import({ organizations: [{ id: acme, name: organization.name, dashboards }] })
        assert.lengthOf(yield* listDashboards, held + 3)
        yield* failsWith(createDashboard(), "Conflict")
        // What a replacement removes counts no longer.
        yield* snapshots.replace(yield* fixtureSnapshot)
        yield* createDashboard()
        yield* failsWith(createDashboard(), "Conflict")
      })
    )
  })
}
