import { type FieldIssue, fieldIssues } from "@headgate/core"
import { dialectNames } from "@headgate/http-contract"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { mannersFields } from "./CallOptions.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import { invalidOptions } from "./invalidOptions.ts"
import { option, optionsOf, strictly } from "./option.ts"

// Every message is our own: a schema's would repeat the value, which may be a secret in the wrong place.
const text = (what: string) => Schema.String.annotate({ message: `Expected ${what}` })
const secret = (what: string) => {
  const value = text(what)
  return Schema.Union([
    Schema.RedactedFromValue(value),
    Schema.Redacted(value).annotate({ message: `Expected ${what}` })
  ])
}
// One type to the schema: of several, it would tell what the last of them says.
const baseUrl = Schema.declare(
  (value): value is string | URL => Predicate.isString(value) || value instanceof URL
).annotate({ message: "Expected a URL such as https://api.example.com" })

const requests = Schema.Number.annotate({ message: "Expected a number of requests, such as 10" })
const milliseconds = Schema.Number.annotate({ message: "Expected milliseconds, such as 1000" }).check(
  Schema.makeFilter((value) => (value > 0 && value < Infinity) || "Expected milliseconds above 0, such as 1000")
)

const source = option(
  Schema.declare((value): value is (options: { readonly signal: AbortSignal }) => Promise<unknown> =>
    Predicate.isFunction(value)
  ),
  "a function that promises credentials"
)

/** What a source of credentials for the management API must promise. */
export const ApiKeyCredentials = Schema.Struct({
  keyId: text("the ID of an API key"),
  keySecret: secret("the secret of an API key")
})
/** What a source of credentials for the observability API must promise. */
export const BearerToken = Schema.Struct({ token: secret("a bearer token") })

const Management = optionsOf(
  {
    baseUrl,
    credentials: source,
    keyId: option(ApiKeyCredentials.fields.keyId, "the ID of an API key"),
    keySecret: option(ApiKeyCredentials.fields.keySecret, "the secret of an API key"),
    dialect: option(Schema.Literals(dialectNames), dialectNames.join(" or "))
  },
  "{ baseUrl, keyId, keySecret }"
)

const Observability = optionsOf(
  { baseUrl, credentials: source, token: option(BearerToken.fields.token, "a bearer token") },
  "{ baseUrl, token }"
)

const RateLimit = optionsOf({ limit: requests, window: milliseconds }, "{ limit, window }")
const CircuitBreaker = optionsOf(
  {
    failures: option(Schema.Number, "a number of calls, such as 5"),
    openDuration: option(milliseconds, "milliseconds above 0, such as 30000")
  },
  "{ failures, openDuration }"
)

const fetchLike = Schema.declare((value): value is typeof globalThis.fetch => Predicate.isFunction(value))
const clientLayer = Schema.declare((value): value is NonNullable<ClientOptions["httpClient"]> => Layer.isLayer(value))

const Fields = optionsOf(
  {
    management: option(Management, "{ baseUrl, keyId, keySecret }"),
    observability: option(Observability, "{ baseUrl, token }"),
    ...mannersFields,
    userAgent: option(Schema.String, "printable ASCII characters, such as my-tool/1.2"),
    allowInsecureHttp: option(Schema.Boolean, "true or false"),
    maxResponseBytes: option(Schema.Number, "a whole number of at least 1"),
    maxConcurrency: option(Schema.Number, "a whole number of at least 1"),
    rateLimit: option(RateLimit, "{ limit, window }"),
    circuitBreaker: option(CircuitBreaker, "{ failures, openDuration }, or {} for the defaults"),
    fetch: option(fetchLike, "a function like fetch"),
    httpClient: option(clientLayer, "a layer of effect/http's HttpClient")
  },
  "the options of a client"
)

const Options = Fields.check(
  Schema.makeFilter(
    ({ management, observability }) =>
      (management ?? observability) !== undefined || "Expected management, observability or both"
  ),
  Schema.makeFilter(
    ({ fetch, httpClient }) => (fetch && httpClient) === undefined || "Expected fetch or httpClient, not both"
  )
)

/** {@link ClientOptions} whose types are right, with secrets wrapped. */
export type CheckedOptions = typeof Options.Type

const decode = Schema.decodeUnknownResult(Options, strictly)

// Either all of `names`, or a function that promises them.
const credentialFaults = (api: string, given: unknown, names: ReadonlyArray<string>): Array<FieldIssue> => {
  if (!Predicate.isObject(given)) return []
  const has = (name: string) => Predicate.hasProperty(given, name) && given[name] !== undefined
  if (!has("credentials")) {
    const missing = names.filter((name) => !has(name))
    return missing.map((name) => ({ path: `${api}.${name}`, message: "Missing: it is required, or else credentials" }))
  }
  const message = `Expected ${names.join(" and ")} or credentials, not both`
  return names.some(has) ? [{ path: `${api}.credentials`, message }] : []
}

/** Checks that options have the types that they are declared with: not every caller has a compiler. */
export const validateOptions = (options: ClientOptions): CheckedOptions => {
  const decoded = decode(options)
  const { management, observability } = Predicate.isObject(options) ? options : {}
  const faults = [
    ...(Result.isFailure(decoded) ? fieldIssues(decoded.failure) : []),
    ...credentialFaults("management", management, ["keyId", "keySecret"]),
    ...credentialFaults("observability", observability, ["token"])
  ]
  if (Result.isFailure(decoded) || faults.length > 0) throw invalidOptions(faults)
  return decoded.success
}
