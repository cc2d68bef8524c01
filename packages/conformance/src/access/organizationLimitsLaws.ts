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
import { failsWith } from "../internal/failsWith.ts"

type Ports = ApiKeys | OrganizationDashboards | Roles | Snapshots

const { acme, globex } = fixtureIds.organizations

const createDashboard = (organizationId: OrganizationId = acme, name = "x") =>
  OrganizationDashboards.use((dashboards) => dashboards.of(organizationId).create({ name }))

const createKey = (name = "x") => ApiKeys.use((keys) => keys.create(acme, { name }))

const listDashboards = OrganizationDashboards.use((dashboards) => dashboards.of(acme).list())
const listKeys = ApiKeys.use((keys) => keys.list(acme))

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
 * and imports are not limited.
 *
 * @example
 * ```ts
 * import { organizationLimitsLaws } from "@headgate/conformance"
 * import type { ApiKeys, Roles, Snapshot, Snapshots } from "@headgate/core"
 * import type { OrganizationDashboards } from "@headgate/core/adapter"
 * import type * as Layer from "effect/Layer"
 *
 * // Yours: the ports over one store that holds the snapshot and nothing else.
 * declare const layer: (
 *   snapshot: Snapshot
 * ) => Layer.Layer<ApiKeys | OrganizationDashboards | Roles | Snapshots>
 *
 * organizationLimitsLaws({ name: "my adapter", layer })
 * ```
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
    law(
      "the last dashboard of the limit is created, one more is a Conflict that names the limit, and is not stored",
      { dashboards: held + 1 },
      Effect.gen(function* () {
        yield* createDashboard()
        const error = yield* failsWith(createDashboard(), "Conflict")
        assert.include(error.message, `${held + 1} dashboards`)
        assert.lengthOf(yield* listDashboards, held + 1)
      })
    )

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
        const error = yield* failsWith(dashboards.update(id, { name: "x", tags, folders }), "Conflict")
        assert.include(error.message, `${40 * 1024} bytes of documents`)
        assert.strictEqual((yield* dashboards.get(id)).name, kibibyte)
        yield* dashboards.update(id, { name: "x", tags })
      })
    )

    law(
      "dashboards above their limit can be updated",
      { dashboards: 0 },
      Effect.gen(function* () {
        const dashboards = (yield* OrganizationDashboards).of(acme)
        yield* dashboards.update(DashboardId.make("dashboard-empty"), { name: "x" })
      })
    )

    law(
      "a deleted dashboard no longer counts",
      { dashboards: held },
      Effect.gen(function* () {
        yield* failsWith(createDashboard(), "Conflict")
        yield* (yield* OrganizationDashboards).of(acme).delete(DashboardId.make("dashboard-empty"))
        yield* createDashboard()
      })
    )

    law(
      "a key or role that grows above the limit of documents is a Conflict and unchanged; a key above it can be disabled",
      { documentBytes: 1 },
      Effect.gen(function* () {
        const unlimited = Effect.provideService(OrganizationLimits, organizationUsage(Infinity))
        const { key } = yield* unlimited(createKey())
        const role = yield* unlimited(Roles.use((roles) => roles.create(acme, { name: "x", actors: [], policies: [] })))
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
      "the last custom role of the limit is created, one more is a Conflict that names the limit, until one is deleted",
      { roles: 2 },
      Effect.gen(function* () {
        const roles = yield* Roles
        const create = roles.create(acme, { name: "x", actors: [], policies: [] })
        const { id } = yield* create
        yield* create
        assert.include((yield* failsWith(create, "Conflict")).message, "2 roles")
        assert.lengthOf(yield* roles.list(acme), 5)
        yield* roles.delete({ organizationId: acme, roleId: id })
        yield* create
        yield* failsWith(create, "Conflict")
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
