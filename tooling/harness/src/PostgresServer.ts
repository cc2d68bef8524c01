import * as Effect from "effect/Effect"
import { postgresBinaries } from "../../../packages/sql-adapter/test/support/postgresBinaries.ts"
import { startPostgres } from "../../../packages/sql-adapter/test/support/startPostgres.ts"
import { freePorts } from "./freePorts.ts"

/** Why no Postgres can be started on this machine; `undefined` if one can. */
export const postgresMissing = (): string | undefined =>
  postgresBinaries() === undefined ? "Postgres is not installed: apt-get install -y postgresql" : undefined

/**
 * Starts a Postgres that listens on a port of 127.0.0.1, with these settings, as `wal_level=logical`. It takes connections as
 * `access` says, in lines of pg_hba.conf. It is stopped, and its data removed, when the scope closes.
 */
export const startServer = Effect.fnUntraced(function* (
  settings: ReadonlyArray<string> = [],
  access = "host all all 127.0.0.1/32 trust\n"
) {
  const binaries = postgresBinaries()
  if (binaries === undefined) return yield* Effect.die(new Error(postgresMissing()))
  const [port = 0] = yield* freePorts(1)
  const postgres = yield* startPostgres(binaries, {
    settings: ["listen_addresses=127.0.0.1", ...settings],
    access,
    port
  })
  return { ...postgres, port }
})
