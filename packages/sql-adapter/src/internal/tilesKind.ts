import type { TilesKind } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { MigrationError } from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"

/** What a store keeps about itself. A store that holds dashboards has `series` tiles: until now there were no others. */
export const createStoreSettings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE store_setting (name TEXT PRIMARY KEY, value TEXT NOT NULL)`
  yield* sql`INSERT INTO store_setting (name, value) SELECT 'tiles', 'series' WHERE EXISTS (SELECT 1 FROM dashboard)`
})

// Only these dialects have these kinds: the message names the flag of the server.
const dialects: { readonly [Kind in TilesKind]: string } = { series: "neutral", config: "clickhouse" }

/**
 * Writes the kind of tiles into a store that has none. Fails if the store has the other kind and holds dashboards: they would
 * be answered in a form that their clients do not read.
 */
export const keepTilesKind = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, tiles: TilesKind) {
  yield* sql`INSERT INTO store_setting (name, value) VALUES ('tiles', ${tiles}) ON CONFLICT (name) DO NOTHING`
  const [kept] = yield* sql<{ readonly value: TilesKind }>`SELECT value FROM store_setting WHERE name = 'tiles'`
  if (kept === undefined || kept.value === tiles) return
  const dashboards = yield* sql`SELECT id FROM dashboard LIMIT 1`
  if (dashboards.length > 0) {
    return yield* new MigrationError({
      kind: "BadState",
      message:
        `its dashboards are of the dialect ${dialects[kept.value]}, not ${dialects[tiles]}: ` +
        `start with --dialect ${dialects[kept.value]}, or export this store and import it into an empty one`
    })
  }
  yield* sql`UPDATE store_setting SET value = ${tiles} WHERE name = 'tiles'`
})
