import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { join } from "node:path"
import { UsageError } from "../startup/UsageError.ts"
import type { StoreOptions } from "./StoreOptions.ts"

/** A store that outlives the process. */
export type ChosenStore =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

const environmentUrl = Config.Redacted("HEADGATE_DATABASE_URL").pipe(Config.option)

/**
 * The store that is meant. A flag wins over `HEADGATE_DATABASE_URL`, whichever flag it is, so that `--data` never works
 * on the database of the environment; two flags exclude one another.
 */
export const chooseStore = Effect.fnUntraced(
  function* ({ data, databaseUrl }: StoreOptions) {
    if (Option.isSome(data) && Option.isSome(databaseUrl)) {
      return yield* new UsageError({ message: "--data and --database-url exclude one another: pass one of them" })
    }
    const url = Option.isSome(data) ? Option.none() : Option.isSome(databaseUrl) ? databaseUrl : yield* environmentUrl
    const chosen: ChosenStore = Option.isSome(url)
      ? { _tag: "Postgres", url: url.value }
      : {
          _tag: "Sqlite",
          filename: join(
            Option.getOrElse(data, () => ".headgate"),
            "headgate.sqlite"
          )
        }
    return chosen
  },
  Effect.catchTag("ConfigError", (error) => new UsageError({ message: `HEADGATE_DATABASE_URL: ${error.message}` }))
)
