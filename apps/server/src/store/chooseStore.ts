import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Flag from "effect/cli/Flag"
import { join } from "node:path"
import { UsageError } from "../StartupError.ts"
import type { FlagValues } from "../flags.ts"

/** The flags that choose a persistent store. */
export const storeFlags = {
  data: Flag.String("data").pipe(
    Flag.withMetavar("directory"),
    Flag.withDescription("Keep everything in a SQLite database in this directory (default: .headgate) [HEADGATE_DATA]"),
    Flag.optional
  ),
  databaseUrl: Flag.Redacted("database-url").pipe(
    Flag.withMetavar("postgres://..."),
    Flag.withDescription(
      "Keep everything in this Postgres database, which several servers may share [HEADGATE_DATABASE_URL]"
    ),
    Flag.optional
  ),
  sealingKeyFile: Flag.String("sealing-key-file").pipe(
    Flag.withMetavar("file"),
    Flag.withDescription(
      "Seal credentials with the key in this file: 32 random bytes in base64 (default: sealing.key beside a SQLite database, made at the first start) [HEADGATE_SEALING_KEY, for Postgres]"
    ),
    Flag.optional
  )
}

export type StoreOptions = FlagValues<typeof storeFlags>

/** A persistent store. */
export type ChosenStore =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

const environmentDirectory = Config.String("HEADGATE_DATA").pipe(Config.withDefault(".headgate"))

const environmentUrl = Config.Redacted("HEADGATE_DATABASE_URL").pipe(Config.option)

/**
 * The store that the flags choose. Either flag overrides `HEADGATE_DATABASE_URL`, so that `--data` never works on the
 * database of the environment. Without flags, `HEADGATE_DATABASE_URL` comes before `HEADGATE_DATA`. Fails with `UsageError`
 * if both flags are given.
 */
export const chooseStore = Effect.fnUntraced(
  function* ({ data, databaseUrl }: StoreOptions) {
    if (Option.isSome(data) && Option.isSome(databaseUrl)) {
      return yield* new UsageError({ message: "--data and --database-url exclude one another: pass one of them" })
    }
    const url = Option.isSome(data) ? Option.none() : Option.isSome(databaseUrl) ? databaseUrl : yield* environmentUrl
    const directory = Option.isSome(data) ? data.value : yield* environmentDirectory
    const chosen: ChosenStore = Option.isSome(url)
      ? { _tag: "Postgres", url: url.value }
      : { _tag: "Sqlite", filename: join(directory, "headgate.sqlite") }
    return chosen
  },
  Effect.catchTag("ConfigError", (error) => new UsageError({ message: `the environment: ${error.message}` }))
)

/** Whether other servers may use the store of the flags as well. */
export const isSharedStore = (options: StoreOptions & { readonly memory: boolean }) =>
  options.memory ? Effect.succeed(false) : Effect.map(chooseStore(options), (store) => store._tag === "Postgres")
