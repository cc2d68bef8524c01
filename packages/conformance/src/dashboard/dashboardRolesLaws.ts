import { assert, describe, it } from "@effect/vitest"
import { BelowService, DashboardRoleId, DashboardRoles, type PortError } from "@headgate/core"
import * as Effect from "effect/Effect"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureDocuments } from "../fixtures/documents.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { asJson } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"

const { organizations, services } = fixtureIds
const service = { organizationId: organizations.acme, serviceId: services.ingest }
const unknown = { ...service, serviceId: services.unknown }
const { acme, globex } = fixtureDocuments.dashboardRoles
const permission = { action: "read", subject: "Dashboard", integration: "mongodb" } as const
const request = { name: "Writers", description: "They write", permissions: [{ ...permission, future: [null] }] }

/** The laws of the `DashboardRoles` port: the roles of the organization, below each of its services. */
export const dashboardRolesLaws = ({ layer, name }: LawsOptions<BelowService<DashboardRoles>>): void => {
  const roles = BelowService(DashboardRoles)
  const law = (title: string, body: (of: (typeof roles)["Service"]["of"]) => Effect.Effect<void, PortError>) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) =>
        Effect.provide(
          roles.use(({ of }) => body(of)),
          layer(snapshot, organizations.acme)
        )
      )
    )

  describe(`${name}: laws of DashboardRoles`, () => {
    law("every service of the organization has its roles, and a service that is not there has none", (of) =>
      Effect.gen(function* () {
        for (const serviceId of [services.ingest, services.archive]) {
          assert.deepStrictEqual(asJson(yield* of({ ...service, serviceId }).list()), acme)
        }
        yield* failsWith(of(unknown).list(), "ServiceNotFound")
        yield* failsWith(of(unknown).create(request), "ServiceNotFound")
      })
    )

    law("create and update store what was sent and set the rest, and what an update leaves out stays", (of) =>
      Effect.gen(function* () {
        const roles = of(service)
        const own = { isPredefined: true, createdAt: "never", updatedAt: "never" }
        const { createdAt, id, updatedAt, ...created } = yield* roles.create({ ...request, ...own })
        assert.deepStrictEqual(created, { ...request, isPredefined: false })
        assert.strictEqual(createdAt, updatedAt)
        assert.isFalse(Number.isNaN(Date.parse(createdAt ?? "")))
        const address = { dashboardRoleId: id }
        yield* roles.update(address, { permissions: [], ...own })
        const { updatedAt: _updatedAt, ...replaced } = yield* roles.get(address)
        assert.deepStrictEqual(asJson(replaced), asJson({ id, createdAt, ...created, permissions: [] }))
        assert.strictEqual((yield* roles.update(address, { name: "Others", permissions: [] })).name, "Others")
        const imported = { dashboardRoleId: DashboardRoleId.make(acme[1].id) }
        assert.isTrue((yield* roles.update(imported, { permissions: [] })).isPredefined)
      })
    )

    law("a role of another organization and one that was deleted are not found", (of) =>
      Effect.gen(function* () {
        const roles = of(service)
        yield* roles.delete({ dashboardRoleId: DashboardRoleId.make(acme[0].id) })
        for (const { id } of [acme[0], globex[0]]) {
          const address = { dashboardRoleId: DashboardRoleId.make(id) }
          yield* failsWith(roles.get(address), "DashboardRoleNotFound")
          yield* failsWith(roles.update(address, request), "DashboardRoleNotFound")
          yield* failsWith(roles.delete(address), "DashboardRoleNotFound")
        }
      })
    )
  })
}
