import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { resolve } from "node:path"
import { EngineConfigError } from "./EngineFailure.ts"

const expected = (what: string) => ({ message: `Expected ${what}` })

// `URL` normalizes hosts: `http://127.1` becomes 127.0.0.1, and an IPv6 address gets its shortest form.
const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const Name = Schema.String.check(
  Schema.makeFilter((name) => (name.length > 0 && name.length <= 255) || "Expected 1 to 255 characters")
)

const Timeout = Schema.declare(
  (value): value is Duration.Duration =>
    Duration.isDuration(value) && Duration.isPositive(value) && Duration.isFinite(value),
  expected("a duration above nothing")
)

const shared = {
  /** The database of destinations that name none. */
  database: Name.annotateKey(expected("the name of a database")),
  /** How long a statement may take. An insert's time includes reading the source. */
  timeout: Schema.optionalKey(Timeout)
}

/** A ClickHouse server, by its HTTP interface. */
const Server = Schema.Struct({
  ...shared,
  url: Schema.String.annotateKey(expected("a URL such as https://clickhouse.example.com:8443")),
  user: Schema.String.annotateKey(expected("the name of a user")),
  password: Schema.Redacted(Schema.String).annotateKey(expected("a password, wrapped by Redacted.make")),
  /** Sends the password over plain http to other hosts than loopback, too. */
  allowInsecureHttp: Schema.optionalKey(Schema.Boolean)
}).check(
  Schema.makeFilter(({ allowInsecureHttp = false, url: text }) => {
    const issue = (message: string) => ({ path: ["url"], issue: message })
    if (!URL.canParse(text)) return issue("Expected a URL such as https://clickhouse.example.com:8443")
    const url = new URL(text)
    if (url.username !== "" || url.password !== "") {
      return issue("Expected a URL without credentials: they are the options user and password")
    }
    if (url.search !== "" || url.hash !== "") return issue("Expected a URL without query and fragment")
    if (url.protocol !== "https:" && url.protocol !== "http:") return issue("Expected a URL that begins with https://")
    return url.protocol === "https:" || allowInsecureHttp || loopback.test(url.hostname)
      ? undefined
      : issue("Expected https: plain http would send the password in clear (allowInsecureHttp)")
  })
)

/** The engine inside this process, with its data in a folder. */
const Embedded = Schema.Struct({
  ...shared,
  directory: Schema.NonEmptyString.check(
    // The engine would take the names of files in it for patterns.
    Schema.makeFilter((path) => !/[*?{}]/.test(resolve(path)) || "Expected a folder without * ? { } in its path")
  ).annotateKey(expected("a folder")),
  /** Loads `chdb/connection`, for a package that is not where Node looks. */
  load: Schema.optionalKey(
    Schema.declare((value): value is () => Promise<unknown> => Predicate.isFunction(value), expected("a function"))
  )
})

/** How to reach a ClickHouse server. */
export type ServerOptions = typeof Server.Type
/** Where the embedded engine keeps its data. */
export type EmbeddedOptions = typeof Embedded.Type

// The values of options may be secrets: a message names the field and what was expected, never what was given.
const validator =
  <Options>(schema: Schema.Decoder<Options>) =>
  (options: Options): Effect.Effect<Options, EngineConfigError> =>
    Effect.mapError(
      Schema.decodeUnknownEffect(schema)(options),
      (error) => new EngineConfigError({ message: `the options of the warehouse: ${error.message}` })
    )

export const validateServer = validator<ServerOptions>(Server)
export const validateEmbedded = validator<EmbeddedOptions>(Embedded)

export const defaultTimeout = Duration.minutes(2)
