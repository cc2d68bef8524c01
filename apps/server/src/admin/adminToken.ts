import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Flag from "effect/cli/Flag"
import { readFileSync } from "node:fs"
import type { FlagValues } from "../flags.ts"
import { StartupError, UsageError } from "../StartupError.ts"

/** The flags of `/_admin`. */
export const adminFlags = {
  admin: Flag.Boolean("admin").pipe(
    Flag.withDescription(
      "For tests: reset, seed, a journal of requests and faults at /_admin; on loopback only, unless there is an admin token"
    ),
    Flag.withDefault(false)
  ),
  adminPostgres: Flag.Boolean("admin-postgres").pipe(
    Flag.withDescription("Allow --admin over Postgres: a reset affects all servers on the database"),
    Flag.withDefault(false)
  ),
  adminTokenFile: Flag.String("admin-token-file").pipe(
    Flag.withMetavar("file"),
    Flag.withDescription(
      "Let callers from anywhere use /_admin with the token in this file, at least 32 characters, and none without it [HEADGATE_ADMIN_TOKEN]"
    ),
    Flag.optional
  )
}

export type AdminOptions = FlagValues<typeof adminFlags>

/** What a header can carry, without spaces. */
const tokenForm = /^[\x21-\x7e]{32,512}$/u

/** The token in a file, without the end of its line. A message never has it. */
const readToken = (path: string) =>
  Effect.try({
    try: () => readFileSync(path, "utf8").replace(/\r?\n$/u, ""),
    // Not the name: it may be a token, which belongs in the file.
    catch: (cause) => {
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : "it cannot be read"
      return new StartupError({ message: `--admin-token-file: ${code}: name a file that holds the token` })
    }
  })

/** The admin token of a server, if it has one. */
export type AdminToken = Effect.Effect<Option.Option<Redacted.Redacted>, StartupError | UsageError>

const environmentToken = Config.option(Config.Redacted("HEADGATE_ADMIN_TOKEN"))

/**
 * The admin token: of `--admin-token-file`, else of `HEADGATE_ADMIN_TOKEN`. None without `--admin`, for which it is. Fails with
 * `StartupError` if the file cannot be read, and with `UsageError` if the token is too short.
 */
export const adminToken = Effect.fnUntraced(
  function* ({ admin, adminTokenFile }: AdminOptions) {
    if (!admin) return Option.none<Redacted.Redacted>()
    const given = Option.isSome(adminTokenFile)
      ? Option.some(yield* readToken(adminTokenFile.value))
      : Option.map(yield* environmentToken, Redacted.value)
    if (Option.isNone(given)) return Option.none<Redacted.Redacted>()
    if (tokenForm.test(given.value)) return Option.some(Redacted.make(given.value, { label: "admin token" }))
    const source = Option.isSome(adminTokenFile) ? "--admin-token-file" : "HEADGATE_ADMIN_TOKEN"
    return yield* new UsageError({
      message: `${source}: Expected a token of 32 to 512 visible ASCII characters, such as \`openssl rand -hex 32\` makes`
    })
  },
  Effect.catchTag("ConfigError", (error) => new UsageError({ message: `HEADGATE_ADMIN_TOKEN: ${error.message}` }))
)
