import { assert, describe, it } from "@effect/vitest"
import { DashboardId, versionOf } from "@headgate/core"
import { OrganizationDashboards } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureDashboards } from "../fixtures/dashboards.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { dashboardDocument, dashboardDocuments } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"

const { acme, globex, unknown } = fixtureIds.organizations

/** The laws of the `OrganizationDashboards` port: an organization never sees dashboards of another one. */
export const organizationDashboardsLaws = ({ layer, name }: LawsOptions<OrganizationDashboards>): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, OrganizationDashboards>) =>
    it.live(title, () => Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot, acme))))

  describe(`${name}: laws of OrganizationDashboards`, () => {
    law(
      "each organization lists its own dashboards",
      Effect.gen(function* () {
        const dashboards = yield* OrganizationDashboards
        assert.sameDeepMembers(yield* dashboardDocuments(yield* dashboards.of(acme).list()), fixtureDashboards.acme)
        assert.sameDeepMembers(yield* dashboardDocuments(yield* dashboards.of(globex).list()), fixtureDashboards.globex)
      })
    )

    law(
      "no organization lists what another one creates",
      Effect.gen(function* () {
        const dashboards = yield* OrganizationDashboards
        const created = yield* dashboardDocument(yield* dashboards.of(globex).create({ name: "theirs" }))
        assert.sameDeepMembers(yield* dashboardDocuments(yield* dashboards.of(acme).list()), fixtureDashboards.acme)
        assert.sameDeepMembers(yield* dashboardDocuments(yield* dashboards.of(globex).list()), [
          ...fixtureDashboards.globex,
          created
        ])
      })
    )

    law(
      "concurrent creations of two organizations do not mix",
      Effect.gen(function* () {
        const dashboards = yield* OrganizationDashboards
        yield* Effect.forEach(
          Array.from({ length: 20 }),
          (_, n) => dashboards.of(n % 2 === 0 ? acme : globex).create({ name: n % 2 === 0 ? "ours" : "theirs" }),
          { concurrency: "unbounded" }
        )
        const namesOf = (all: ReadonlyArray<{ readonly name: string }>) => all.map(({ name }) => name)
        assert.sameMembers(namesOf(yield* dashboards.of(acme).list()), [
          ...namesOf(fixtureDashboards.acme),
          ...Array.from({ length: 10 }, () => "ours")
        ])
        assert.sameMembers(namesOf(yield* dashboards.of(globex).list()), [
          ...namesOf(fixtureDashboards.globex),
          ...Array.from({ length: 10 }, () => "theirs")
        ])
      })
    )

    law(
      "no organization reads, changes or deletes a dashboard of another one",
      Effect.gen(function* () {
        const dashboards = (yield* OrganizationDashboards).of(acme)
        const theirs = DashboardId.make("dashboard-globex")
        for (const call of [
          dashboards.get({ dashboardId: theirs }),
          dashboards.update({ dashboardId: theirs }, { name: "x" }),
          dashboards.delete({ dashboardId: theirs })
        ]) {
          yield* failsWith(call, "DashboardNotFound")
        }
        assert.sameDeepMembers(
          yield* dashboardDocuments(yield* (yield* OrganizationDashboards).of(globex).list()),
          fixtureDashboards.globex
        )
      })
    )

    law(
      "the version of a dashboard counts its updates, from 1",
      Effect.gen(function* () {
        const dashboards = (yield* OrganizationDashboards).of(acme)
        const created = yield* dashboards.create({ name: "x" })
        assert.strictEqual(versionOf(created), 1)
        assert.strictEqual(versionOf(yield* dashboards.update({ dashboardId: created.id }, { name: "y" })), 2)
        assert.strictEqual(versionOf(yield* dashboards.update({ dashboardId: created.id }, { name: "y" })), 3)
        assert.strictEqual(versionOf(yield* dashboards.get({ dashboardId: created.id })), 3)
        assert.strictEqual(versionOf(yield* dashboards.get({ dashboardId: DashboardId.make("dashboard-empty") })), 1)
      })
    )

    law(
      "an organization that the store does not hold has an empty list",
      Effect.gen(function* () {
        const dashboards = yield* OrganizationDashboards
        assert.deepStrictEqual(yield* dashboards.of(unknown).list(), [])
      })
    )
  })
}
