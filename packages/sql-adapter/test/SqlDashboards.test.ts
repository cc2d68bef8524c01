import { assert, describe, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { ConnectionId, Snapshots, type TileConfig, versionOf } from "@headgate/core"
import { OrganizationDashboards, OrganizationSources, Tiles } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import { NodeSqlite, SqlAdapter, SqlSealing } from "../src/index.ts"
import { sealingKey } from "./support/postgres.ts"

const organizationId = fixtureIds.organizations.acme
const config = Layer.succeed(Tiles, "config")
const tile = (config: TileConfig) => ({ name: "a", x: 0, y: 0, w: 1, h: 1, config })
const note = tile({ displayType: "markdown", markdown: "x" })
const writers = Array.from({ length: 32 }, (_, index) => `writer ${index}`)

/** The dashboards of the organization. */
const dashboards = OrganizationDashboards.useSync((every) => every.of(organizationId))

/** Holds that each of many concurrent writers of one dashboard makes its dashboard once: a tile without an ID takes random bytes. */
const assertNoRetry = Effect.fnUntraced(function* (counted: { count: number }) {
  yield* Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.import))
  const { create, get, update } = yield* dashboards
  const { id } = yield* create({ name: "one", tiles: [] })
  counted.count = 0
  yield* Effect.forEach(writers, (name) => update({ dashboardId: id }, { name, tiles: [note] }), {
    concurrency: "unbounded"
  })
  assert.strictEqual(counted.count, writers.length)
  assert.strictEqual(versionOf(yield* get({ dashboardId: id })), writers.length + 1)
})

/** Random bytes that are counted, and come later, as those of WebCrypto do. */
const makeRandom = () => {
  const counted = { count: 0 }
  const layer = Layer.effect(
    SecureRandom.SecureRandom,
    Effect.map(SecureRandom.SecureRandom, (random) => ({
      ...random,
      randomBytes: (size: number) => {
        counted.count++
        return random.randomBytes(size)
      }
    }))
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
  return { counted, layer: Layer.merge(layer, Digest.layerWebCrypto) }
}

const overSqlite = (random: Layer.Layer<SecureRandom.SecureRandom | Digest.Digest>) =>
  SqlAdapter.layerNoDeps.pipe(
    Layer.provide(SqlSealing.layer(sealingKey)),
    Layer.provide(random),
    Layer.provide(config),
    Layer.provideMerge(NodeSqlite.layer({ filename: ":memory:" }))
  )

describe("concurrent writers of one dashboard", () => {
  it.live("over SQLite write it once each", () => {
    const { counted, layer } = makeRandom()
    return Effect.provide(assertNoRetry(counted), overSqlite(layer))
  })
})

describe("a write of a dashboard", () => {
  it.live("reads the sources that its body names, and nothing if it names none", () =>
    Effect.gen(function* () {
      yield* Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.import))
      const { create, update, validate } = yield* dashboards
      const sources = yield* OrganizationSources.useSync((every) => every.of(organizationId))
      const sent = {
        name: "logs",
        kind: "log" as const,
        connection: ConnectionId.make("c0000000000000000000000a"),
        from: { databaseName: "d", tableName: "t" }
      }
      const [good, damaged] = [yield* sources.create(sent), yield* sources.create(sent)]
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE dashboard_source SET document = '{' WHERE id <> ${good.id}`
      const chart = (sourceId: string) => tile({ displayType: "number", sourceId, select: [{ aggFn: "count" }] })
      const named = { name: "named", tiles: [note, chart(good.id)] }
      const { id } = yield* create({ name: "none", tiles: [note] })
      yield* update({ dashboardId: id }, named)
      assert.deepInclude(yield* validate(named), { valid: true })
      assert.include(
        String(yield* Effect.exit(update({ dashboardId: id }, { name: "bad", tiles: [chart(damaged.id)] }))),
        "Die"
      )
      const unknown = yield* Effect.flip(update({ dashboardId: id }, { name: "bad", tiles: [chart("0".repeat(24))] }))
      assert.include(unknown.message, "Could not find the following source IDs")
    }).pipe(Effect.provide(overSqlite(Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto))))
  )
})

describe("a store of dashboards with series", () => {
  it.live("takes the config of a tile again, and no other", () => {
    const ofSeries = SqlAdapter.layerNoDeps.pipe(
      Layer.provide(SqlSealing.layer(sealingKey)),
      Layer.provide([SecureRandom.layerWebCrypto, Digest.layerWebCrypto]),
      Layer.provide(Layer.succeed(Tiles, "series")),
      Layer.provideMerge(NodeSqlite.layer({ filename: ":memory:" }))
    )
    return Effect.gen(function* () {
      yield* Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.import))
      const { create, get, update } = yield* dashboards
      const { id, tiles } = yield* create({
        name: "imported",
        tiles: [{ name: "a", x: 0, y: 0, w: 1, h: 1, series: [] }]
      })
      const stored = { ...note, id: tiles?.[0]?.id ?? null }
      // As an import writes it: a request cannot.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE dashboard SET document = ${JSON.stringify({ id, name: "imported", tiles: [stored] })} WHERE id = ${id}`
      yield* update({ dashboardId: id }, { name: "imported", tiles: [{ ...stored, y: 3 }] })
      const { tiles: moved } = yield* get({ dashboardId: id })
      assert.deepStrictEqual(
        moved?.map(({ config, y }) => [config, y]),
        [[note.config, 3]]
      )
      const { message } = yield* Effect.flip(update({ dashboardId: id }, { name: "imported", tiles: [stored, note] }))
      assert.strictEqual(message, "tiles[1].config: Expected series: config is of the dialect clickhouse")
    }).pipe(Effect.provide(ofSeries))
  })
})
