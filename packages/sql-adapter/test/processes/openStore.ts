import * as Redacted from "effect/Redacted"
import { SqlAdapter } from "../../src/index.ts"

const sealingKey = Redacted.make("q8Jc2ZkYt0yqvXyqkQ0XqL0o2m3mWJ9bq8v1Yh0uYvE=")

/** The adapter over a store: the URL of a Postgres database or the name of a SQLite file. */
export const openStore = (store: string, options: { readonly maxConnections?: number } = {}) =>
  store.startsWith("postgres:")
    ? SqlAdapter.layerPostgres({ ...options, url: Redacted.make(store), sealingKey })
    : SqlAdapter.layerSqlite({ filename: store })
