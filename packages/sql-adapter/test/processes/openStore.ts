import * as Redacted from "effect/Redacted"
import { SqlAdapter } from "../../src/index.ts"

/** The adapter over what a process was given to open: the URL of a Postgres database or the name of a SQLite file. */
export const openStore = (store: string) =>
  store.startsWith("postgres:")
    ? SqlAdapter.layerPostgres({ url: Redacted.make(store) })
    : SqlAdapter.layerSqlite({ filename: store })
