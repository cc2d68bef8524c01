import * as Flag from "effect/cli/Flag"
import type { FlagValues } from "../FlagValues.ts"

/** The flags that say which store is meant. */
export const storeFlags = {
  data: Flag.String("data").pipe(
    Flag.withMetavar("directory"),
    Flag.withDescription("Keep everything in a SQLite database in this directory (default: .headgate)"),
    Flag.optional
  ),
  databaseUrl: Flag.Redacted("database-url").pipe(
    Flag.withMetavar("postgres://..."),
    Flag.withDescription(
      "Keep everything in this Postgres database, which several servers may share [HEADGATE_DATABASE_URL]"
    ),
    Flag.optional
  )
}

/** Which store is meant. */
export type StoreOptions = FlagValues<typeof storeFlags>
