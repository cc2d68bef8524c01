import { assert, describe, it } from "@effect/vitest"
import {
  type Dashboard,
  type DashboardCreate,
  DashboardId,
  Dashboards,
  type DashboardUpdate,
  type OrganizationId,
  TileId
} from "@headgate/core"
import * as Effect from "effect/Effect"
import type { LawsOptions } from "../LawsOptions.ts"
import { fixtureDashboards } from "../fixtures/dashboards.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { fixtureSnapshot } from "../fixtures/snapshot.ts"
import { dashboardDocument, dashboardDocuments } from "../internal/documents.ts"
import { failsWith } from "../internal/failsWith.ts"
import { anyDashboardCreate, notJson, fewRuns } from "../internal/requests.ts"

const { acme, globex } = fixtureIds.organizations

const create = (request: DashboardCreate) => Dashboards.use((dashboards) => dashboards.create(request))

const list = Dashboards.use((dashboards) => dashboards.list())

const get = (id: string) => Dashboards.use((dashboards) => dashboards.get({ dashboardId: DashboardId.make(id) }))

const update = (id: string, request: DashboardUpdate) =>
  Dashboards.use((dashboards) => dashboards.update({ dashboardId: DashboardId.make(id) }, request))

const remove = (id: string) => Dashboards.use((dashboards) => dashboards.delete({ dashboardId: DashboardId.make(id) }))

const validate = (document: { readonly [field: string]: unknown }) =>
  Dashboards.use((dashboards) => dashboards.validate(document))

const listed = Effect.flatMap(list, dashboardDocuments)

/** Ids that no dashboard of acme has: one of globex, and some that a path or a database could misread. */
const unknownIds = ["dashboard-globex", "none", "a/b", "a?b#c%20d", "..%2F..", "größe 🚰", "a\0b", "x".repeat(1000)]

/** A request with every field (docs/wire-contract.md#create-a-dashboard), with unknown fields, and with tile ids that must be ignored. */
const full: DashboardCreate = {
  name: "Latency",
  tiles: [
    {
      id: "mine",
      name: "p99",
      x: 0,
      y: 0.5,
      w: 12,
      h: 4,
      asRatio: false,
      series: [
        {
          type: "histogram",
          dataSource: "metrics",
          aggFn: "quantile",
          where: "service = 'checkout'",
          whereLanguage: "sql",
          groupBy: ["region"],
          sourceId: "source-metrics",
          field: "value",
          metricName: "http.duration",
          metricDataType: "histogram",
          futureLevel: { quantile: 0.99, bounds: [null, 1] }
        }
      ],
      futureLegend: ["bottom", { compact: true }]
    },
    { id: "mine", name: null, x: 12, y: 0, w: 0.5, h: 1, series: [] }
  ],
  tags: ["b", "a", "größe 🚰"],
  futureFolder: { path: ["team"] }
}

/** A dashboard without its assigned ids. */
const withoutIds = ({ id: _id, ...rest }: Dashboard) => ({
  ...rest,
  tiles: rest.tiles?.map(({ id: _tileId, ...tile }) => tile)
})

/** The dashboard that a request makes, as {@link withoutIds} returns it. */
const expected = ({ id: _id, ...request }: DashboardUpdate) => ({
  ...request,
  tiles: (request.tiles ?? []).map(({ id: _tileId, ...tile }) => tile),
  tags: Array.from(new Set(request.tags ?? []))
})

/** A value as JSON without the fields that are null: a client of the service sends none. */
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, field: unknown) => (field === null ? undefined : field)))

/**
 * The laws of the `Dashboards` port. They need only the port, so they also run over an adapter for a network. Contract:
 * docs/wire-contract.md#fields-of-a-dashboard, docs/wire-contract.md#create-a-dashboard and
 * docs/wire-contract.md#list-dashboards.
 */
export const dashboardsLaws = ({ layer, name }: LawsOptions<Dashboards>): void => {
  // On the real clock, because the adapter may call another process.
  const law = (title: string, body: Effect.Effect<void, unknown, Dashboards>, organizationId: OrganizationId = acme) =>
    it.live(title, () =>
      Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot, organizationId)))
    )

  describe(`${name}: laws of Dashboards`, () => {
    law(
      "list returns every field of what was imported",
      Effect.gen(function* () {
        assert.sameDeepMembers(yield* dashboardDocuments(yield* list), fixtureDashboards.acme)
      })
    )

    law(
      "list of another organization returns its dashboards only",
      Effect.gen(function* () {
        assert.sameDeepMembers(yield* dashboardDocuments(yield* list), fixtureDashboards.globex)
      }),
      globex
    )

    law(
      "create returns name, tiles and tags as sent, unknown fields too; a field that is null may be left out",
      Effect.gen(function* () {
        assert.deepStrictEqual(withoutNulls(withoutIds(yield* create(full))), withoutNulls(expected(full)))
      })
    )

    law(
      "create assigns an id to the dashboard and to every tile, and ignores ids in the request",
      Effect.gen(function* () {
        const created = yield* create({ ...full, id: "mine" })
        const tileIds = (created.tiles ?? []).map(({ id }) => id)
        const ids: ReadonlyArray<string> = [created.id, ...tileIds]
        assert.strictEqual(tileIds.length, 2)
        assert.strictEqual(new Set(ids).size, 3)
        assert.notInclude(ids, "mine")
        assert.notInclude(ids, "")
      })
    )

    law(
      "two dashboards created from one request share no id",
      Effect.gen(function* () {
        const idsOf = ({ id, tiles }: Dashboard): ReadonlyArray<string> => [id, ...(tiles ?? []).map((tile) => tile.id)]
        const ids = [...idsOf(yield* create(full)), ...idsOf(yield* create(full))]
        assert.strictEqual(new Set(ids).size, 6)
      })
    )

    law(
      "repeated tags are stored once, in order",
      Effect.gen(function* () {
        const { tags } = yield* create({ name: "tags", tags: ["b", "a", "b", "c", "a", "B"] })
        assert.deepStrictEqual(tags, ["b", "a", "c", "B"])
      })
    )

    for (const [what, request] of [
      ["absent", { name: "empty" }],
      ["null", { name: "empty", tiles: null, tags: null }],
      ["empty", { name: "empty", tiles: [], tags: [] }]
    ] as const) {
      law(
        `tiles and tags that are ${what} become empty lists`,
        Effect.gen(function* () {
          const { tags, tiles } = yield* create(request)
          assert.deepStrictEqual({ tags, tiles }, { tags: [], tiles: [] })
        })
      )
    }

    law(
      "list returns every dashboard once, as create returned it",
      Effect.gen(function* () {
        const before = yield* dashboardDocuments(yield* list)
        const first = yield* dashboardDocument(yield* create(full))
        const second = yield* dashboardDocument(yield* create({ name: "second" }))
        assert.sameDeepMembers(yield* dashboardDocuments(yield* list), [...before, first, second])
      })
    )

    const place = { x: 0, y: 0, w: 1, h: 1 }
    const wrong: ReadonlyArray<readonly [named: string, DashboardCreate]> = [
      ["name", { name: "a".repeat(1025) }],
      ["tiles[1].w", { name: "x", tiles: [place, { ...place, w: 0 }] }],
      ["tiles[0].x", { name: "x", tiles: [{ ...place, x: Number.NaN }] }],
      ["tags[0]", { name: "x", tags: ["a".repeat(33)] }],
      ["tiles[0].series[0].aggFn", { name: "x", tiles: [{ ...place, series: [{ aggFn: "p95" }] }] }]
    ]
    for (const [named, bad] of wrong) {
      law(
        `a bad ${named} is an InvalidRequest that names it, and nothing is stored`,
        Effect.gen(function* () {
          const before = yield* Effect.flatMap(list, dashboardDocuments)
          const error = yield* failsWith(create(bad), "InvalidRequest")
          assert.include(error.message, `${named}: `)
          assert.sameDeepMembers(yield* Effect.flatMap(list, dashboardDocuments), before)
        })
      )
    }

    for (const id of unknownIds) {
      law(
        `get, update and delete of the id ${JSON.stringify(id).slice(0, 40)} are DashboardNotFound, and change nothing`,
        Effect.gen(function* () {
          const before = yield* listed
          for (const call of [get(id), update(id, { name: "x" }), remove(id)]) {
            assert.strictEqual((yield* failsWith(call, "DashboardNotFound")).dashboardId, id)
          }
          assert.sameDeepMembers(yield* listed, before)
        })
      )
    }

    law(
      "get returns every field of each dashboard, as list does",
      Effect.gen(function* () {
        const created = yield* create(full)
        for (const dashboard of [...(yield* list), created]) {
          assert.deepStrictEqual(
            yield* dashboardDocument(yield* get(dashboard.id)),
            yield* dashboardDocument(dashboard)
          )
        }
      })
    )

    law(
      "update replaces every field, keeps the ids of tiles and assigns an id to new ones",
      Effect.gen(function* () {
        const created = yield* create(full)
        const [first, second] = created.tiles ?? []
        assert.isDefined(first)
        assert.isDefined(second)
        const place = { x: 1, y: 2, w: 3, h: 4 }
        const request: DashboardUpdate = {
          name: "Renamed",
          tiles: [
            { ...place, id: second.id, name: "moved up" },
            { ...place, name: "new" },
            { ...first, futureLegend: 1 }
          ],
          tags: ["b", "b"],
          futureOwner: ["data"]
        }
        const updated = yield* update(created.id, { ...request, id: "ignored" })
        assert.deepStrictEqual(withoutNulls(withoutIds(updated)), withoutNulls(expected({ ...request, tags: ["b"] })))
        const ids: ReadonlyArray<string> = (updated.tiles ?? []).map(({ id }) => id)
        assert.deepStrictEqual<unknown>([ids[0], ids[2]], [second.id, first.id])
        assert.strictEqual(new Set(ids).size, 3)
        assert.notInclude(ids, "")
        assert.strictEqual(updated.id, created.id)
        assert.deepStrictEqual(yield* dashboardDocument(yield* get(created.id)), yield* dashboardDocument(updated))
      })
    )

    law(
      "update with what get returned changes nothing",
      Effect.gen(function* () {
        for (const dashboard of [yield* create(full), yield* get("dashboard-errors")]) {
          const before = yield* dashboardDocument(dashboard)
          yield* update(dashboard.id, dashboard)
          assert.deepStrictEqual(withoutNulls(yield* dashboardDocument(yield* get(dashboard.id))), withoutNulls(before))
        }
      })
    )

    law(
      "update without tiles and tags removes them, and changes no other dashboard",
      Effect.gen(function* () {
        const others = (yield* list).filter(({ id }) => id !== "dashboard-errors")
        yield* update("dashboard-errors", { name: "Empty now" })
        const empty = { id: "dashboard-errors", name: "Empty now", tiles: [], tags: [] }
        assert.sameDeepMembers(yield* listed, [...(yield* dashboardDocuments(others)), empty])
      })
    )

    law(
      "a deleted dashboard is gone, and no other",
      Effect.gen(function* () {
        const before = yield* listed
        const created = yield* create(full)
        yield* remove(created.id)
        yield* failsWith(get(created.id), "DashboardNotFound")
        yield* failsWith(remove(created.id), "DashboardNotFound")
        assert.sameDeepMembers(yield* listed, before)
      })
    )

    law(
      "validate takes what create takes, and stores nothing",
      Effect.gen(function* () {
        const before = yield* listed
        const { errors, valid } = yield* validate({ ...full })
        assert.deepStrictEqual({ errors, valid }, { errors: [], valid: true })
        assert.sameDeepMembers(yield* listed, before)
      })
    )

    law(
      "validate names each wrong field by its path",
      Effect.gen(function* () {
        const wrong = { tiles: [place, { ...place, w: 0, series: [{ aggFn: "count" }, 7] }], tags: ["a".repeat(33)] }
        const { errors, valid } = yield* validate(wrong)
        assert.isFalse(valid)
        assert.sameMembers(
          errors.map(({ path }) => path),
          ["name", "tiles[1].w", "tiles[1].series[1]", "tags[0]"]
        )
        assert.isTrue(errors.every(({ message }) => message !== ""))
        const unknown = yield* validate({ name: "x", tiles: [{ ...place, series: [{ aggFn: "p95" }] }] })
        assert.deepStrictEqual(
          unknown.errors.map(({ path }) => path),
          ["tiles[0].series[0].aggFn"]
        )
      })
    )

    const tileId = TileId.make("t")
    const wrongUpdates: ReadonlyArray<readonly [named: string, DashboardUpdate]> = [
      ["name", { name: "a".repeat(1025) }],
      ["tags[0]", { name: "x", tags: ["a".repeat(33)] }],
      ["tiles[0].h", { name: "x", tiles: [{ x: 0, y: 0, w: 1 }] }],
      ["tiles[1].w", { name: "x", tiles: [place, { ...place, w: 0 }] }],
      [
        "tiles[1].id",
        {
          name: "x",
          tiles: [
            { ...place, id: tileId },
            { ...place, id: tileId }
          ]
        }
      ],
      ["tiles[0].series[0].aggFn", { name: "x", tiles: [{ ...place, series: [{ aggFn: "p95" }] }] }]
    ]
    for (const [named, bad] of wrongUpdates) {
      law(
        `an update with a bad ${named} is an InvalidRequest that names it, and nothing is changed`,
        Effect.gen(function* () {
          const before = yield* listed
          const error = yield* failsWith(update("dashboard-errors", bad), "InvalidRequest")
          assert.include(error.message, `${named}: `)
          assert.sameDeepMembers(yield* listed, before)
        })
      )
    }

    for (const [what, unnamed] of notJson) {
      law(
        `${what} in a field that no contract names is an InvalidRequest that names it, and nothing is stored`,
        Effect.gen(function* () {
          const before = yield* Effect.flatMap(list, dashboardDocuments)
          const error = yield* failsWith(create({ ...full, owner: { of: unnamed } }), "InvalidRequest")
          assert.include(error.message, "owner.of: ")
          assert.sameDeepMembers(yield* Effect.flatMap(list, dashboardDocuments), before)
        })
      )
    }

    law(
      "a change to the request object after create does not change the store",
      Effect.gen(function* () {
        const owner = { teams: ["data"] }
        const tags = ["first"]
        const created = yield* dashboardDocument(yield* create({ ...full, tags, owner }))
        owner.teams.push("another")
        tags.push("second")
        assert.deepInclude(yield* Effect.flatMap(list, dashboardDocuments), created)
      })
    )

    law(
      "no dashboard is lost when many are created concurrently",
      Effect.gen(function* () {
        const before = yield* list
        const created = yield* Effect.forEach(Array.from({ length: 30 }), (_, n) => create({ ...full, name: `${n}` }), {
          concurrency: "unbounded"
        })
        const after = yield* list
        assert.strictEqual(after.length, before.length + 30)
        assert.includeMembers(
          after.map(({ id }) => id),
          before.map(({ id }) => id)
        )
        const byId = new Map(after.map((dashboard) => [dashboard.id, dashboard]))
        for (const dashboard of created) {
          const listed = byId.get(dashboard.id)
          assert.isDefined(listed)
          assert.deepStrictEqual(yield* dashboardDocument(listed), yield* dashboardDocument(dashboard))
        }
      })
    )

    it.live.prop(
      "create and list return what any request asks for",
      [anyDashboardCreate],
      ([any]) =>
        Effect.gen(function* () {
          const created = yield* create(any)
          assert.deepStrictEqual(withoutNulls(withoutIds(created)), withoutNulls(expected(any)))
          const listed = (yield* list).find(({ id }) => id === created.id)
          assert.isDefined(listed)
          assert.deepStrictEqual(yield* dashboardDocument(listed), yield* dashboardDocument(created))
        }).pipe((body) => Effect.flatMap(fixtureSnapshot, (snapshot) => Effect.provide(body, layer(snapshot, acme)))),
      fewRuns
    )
  })
}
