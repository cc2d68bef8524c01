import { assert, describe, it } from "@effect/vitest"
import { Dashboard, DashboardDocuments, OrganizationDashboards } from "@headgate/core/dashboard"
import type { Snapshot } from "@headgate/core/snapshot"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { fixtureDashboards } from "../fixtures/dashboards.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { asJson } from "../internal/wire.ts"

/** The ports that {@link dashboardDocumentsLaws} uses: the one in question, and the one that it must agree with. */
export type DashboardDocumentsLawsPorts = DashboardDocuments | OrganizationDashboards

/** The adapter that {@link dashboardDocumentsLaws} puts to the test. */
export interface DashboardDocumentsLawsOptions {
  /** What the suite is called in the report. */
  readonly name: string
  /** Both ports over one store that holds this snapshot and nothing else; built anew for each law. */
  readonly layer: (snapshot: Snapshot) => Layer.Layer<DashboardDocumentsLawsPorts, unknown>
}

const { acme, globex, unknown } = fixtureIds.organizations

const encode = Schema.encodeEffect(Schema.fromJsonString(Dashboard))

// With no options: a list is gone through with an index beside each.
const encodeText = (dashboard: Dashboard) => encode(dashboard)

/**
 * The laws of the `DashboardDocuments` port, which an adapter may have beside `OrganizationDashboards`: it tells the
 * same, as text.
 *
 * @example
 * ```ts
 * import { dashboardDocumentsLaws } from "@headgate/conformance"
 * import type { DashboardDocuments, OrganizationDashboards } from "@headgate/core/dashboard"
 * import type { Snapshot } from "@headgate/core/snapshot"
 * import type * as Layer from "effect/Layer"
 *
 * // Yours: both ports over one store that holds the snapshot and nothing else.
 * declare const layer: (snapshot: Snapshot) => Layer.Layer<OrganizationDashboards | DashboardDocuments>
 *
 * dashboardDocumentsLaws({ name: "my adapter", layer })
 * ```
 */
export const dashboardDocumentsLaws = ({ layer, name }: DashboardDocumentsLawsOptions): void => {
  const law = (title: string, body: Effect.Effect<void, unknown, DashboardDocumentsLawsPorts>) =>
    it.live(title, () => Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot))))

  /** The texts of an organization, once they were found to be what the other port would have written. */
  const textsOf = Effect.fnUntraced(function* (organizationId: typeof acme) {
    const documents = yield* DashboardDocuments
    const dashboards = yield* OrganizationDashboards
    const texts = yield* documents.list(organizationId)
    assert.deepStrictEqual(texts, yield* Effect.forEach(yield* dashboards.of(organizationId).list, encodeText))
    return texts
  })

  describe(`${name}: laws of DashboardDocuments`, () => {
    for (const organization of ["acme", "globex"] as const) {
      law(
        `list answers the texts of ${organization} as OrganizationDashboards would have them written`,
        Effect.gen(function* () {
          const texts = yield* textsOf(fixtureIds.organizations[organization])
          assert.deepStrictEqual<unknown>(
            texts.map((text) => JSON.parse(text)),
            asJson(fixtureDashboards[organization])
          )
        })
      )
    }

    law(
      "what is created is listed last, and to its organization alone",
      Effect.gen(function* () {
        const dashboards = yield* OrganizationDashboards
        const before = { acme: yield* textsOf(acme), globex: yield* textsOf(globex) }
        const created = yield* encodeText(yield* dashboards.of(globex).create({ name: "theirs" }))
        assert.deepStrictEqual(yield* textsOf(globex), [...before.globex, created])
        assert.deepStrictEqual(yield* textsOf(acme), before.acme)
      })
    )

    law(
      "an organization that the store does not hold has none",
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* textsOf(unknown), [])
      })
    )
  })
}
