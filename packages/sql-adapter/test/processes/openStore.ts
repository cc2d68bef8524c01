import * as Redacted from "effect/Redacted"
import { SqlAdapter } from "../../src/index.ts"

/** The adapter over a store: the URL of a Postgres database or the name of a SQLite file. */
export const openStore = (store: string, options: { readonly maxConnections?: number } = {}) =>
  store.startsWith("postgres:")
    ? SqlAdapter.layerPostgres({ ...options, url: Redacted.make(store) })
    : SqlAdapter.layerSqlite({ filename: store })
