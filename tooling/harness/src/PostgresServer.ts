import * as Effect from "effect/Effect"
import { postgresBinaries } from "../../../packages/sql-adapter/test/support/postgresBinaries.ts"
import {
  type PostgresSettings,
  startPostgres,
  type TestPostgres
} from "../../../packages/sql-adapter/test/support/startPostgres.ts"

export type { PostgresSettings, TestPostgres }

/** Why no Postgres can be started on this machine; `undefined` if one can. */
export const postgresMissing = (): string | undefined =>
  postgresBinaries() === undefined ? "Postgres is not installed: apt-get install -y postgresql" : undefined

/** Starts a Postgres with these settings; it is stopped, and its data removed, when the scope closes. */
export const startServer = (settings: PostgresSettings) =>
  Effect.suspend(() => {
    const binaries = postgresBinaries()
    return binaries === undefined ? Effect.die(new Error(postgresMissing())) : startPostgres(binaries, settings)
  })
