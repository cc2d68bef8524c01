import { assert, describe, it } from "@effect/vitest"
import type { Snapshot } from "@headgate/core"
import { OrganizationDashboards } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { fixtureDashboards } from "../fixtures/dashboards.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { asJson, dashboardOnWire, dashboardsOnWire } from "../internal/wire.ts"

/** The adapter that {@link organizationDashboardsLaws} puts to the test. */
export interface OrganizationDashboardsLawsOptions {
  /** What the suite is called in the report. */
  readonly name: string
  /** The adapter over a store that holds this snapshot and nothing else; built anew for each law. */
  readonly layer: (snapshot: Snapshot) => Layer.Layer<OrganizationDashboards, unknown>
}

const { acme, globex, unknown } = fixtureIds.organizations

/**
 * The laws of the `OrganizationDashboards` port: one organization never sees another's.
 *
 * @example
 * ```ts
 * import { organizationDashboardsLaws } from "@headgate/conformance"
 * import type { OrganizationDashboards } from "@headgate/core/adapter"
 * import type { Snapshot } from "@headgate/core"
 * import type * as Layer from "effect/Layer"
 *
 * // Yours: the port over a store that holds the snapshot and nothing else.
 * declare const layer: (snapshot: Snapshot) => Layer.Layer<OrganizationDashboards>
 *
 * organizationDashboardsLaws({ name: "my adapter", layer })
 * ```
 */
export const organizationDashboardsLaws = ({ layer, name }: OrganizationDashboardsLawsOptions): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, OrganizationDashboards>) =>
    it.live(title, () => Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot))))

  describe(`${name}: laws of OrganizationDashboards`, () => {
    law(
      "each organization lists its own",
      Effect.gen(function* () {
        const dashboards = yield* OrganizationDashboards
        assert.deepStrictEqual(
          yield* dashboardsOnWire(yield* dashboards.of(acme).list()),
          asJson(fixtureDashboards.acme)
        )
        assert.deepStrictEqual(
          yield* dashboardsOnWire(yield* dashboards.of(globex).list()),
          asJson(fixtureDashboards.globex)
        )
      })
    )

    law(
      "what one organization creates, no other lists",
      Effect.gen(function* () {
        const dashboards = yield* OrganizationDashboards
        const created = yield* dashboardOnWire(yield* dashboards.of(globex).create({ name: "theirs" }))
        assert.deepStrictEqual(
          yield* dashboardsOnWire(yield* dashboards.of(acme).list()),
          asJson(fixtureDashboards.acme)
        )
        assert.deepStrictEqual(yield* dashboardsOnWire(yield* dashboards.of(globex).list()), [
          ...fixtureDashboards.globex,
          created
        ])
      })
    )

    law(
      "organizations that create at once do not mix",
      Effect.gen(function* () {
        const dashboards = yield* OrganizationDashboards
        yield* Effect.forEach(
          Array.from({ length: 20 }),
          (_, n) => dashboards.of(n % 2 === 0 ? acme : globex).create({ name: n % 2 === 0 ? "ours" : "theirs" }),
          { concurrency: "unbounded" }
        )
        const newNames = (all: ReadonlyArray<{ readonly name: string }>, held: ReadonlyArray<unknown>) =>
          all.slice(held.length).map((dashboard) => dashboard.name)
        assert.deepStrictEqual(
          newNames(yield* dashboards.of(acme).list(), fixtureDashboards.acme),
          Array.from({ length: 10 }, () => "ours")
        )
        assert.deepStrictEqual(
          newNames(yield* dashboards.of(globex).list(), fixtureDashboards.globex),
          Array.from({ length: 10 }, () => "theirs")
        )
      })
    )

    law(
      "an organization that the store does not hold has none",
      Effect.gen(function* () {
        const dashboards = yield* OrganizationDashboards
        assert.deepStrictEqual(yield* dashboards.of(unknown).list(), [])
      })
    )
  })
}
