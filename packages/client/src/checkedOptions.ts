import { type FieldIssue, fieldIssues } from "@headgate/core/error"
import { dialectNames } from "@headgate/http-contract"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { mannersFields } from "./CallOptions.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import { invalidOptions } from "./invalidOptions.ts"

// Every message is our own: a schema's would repeat the value, which may be a secret in the wrong place.
const text = (what: string) => Schema.String.annotate({ message: `Expected ${what}` })
const secret = (what: string) => {
  const value = text(what)
  return Schema.Union([
    Schema.RedactedFromValue(value),
    Schema.Redacted(value).annotate({ message: `Expected ${what}` })
  ])
}
const baseUrl = Schema.Union([Schema.String, Schema.instanceOf(URL)]).annotate({
  message: "Expected a URL such as https://api.example.com"
})

const number = Schema.Number.annotate({ message: "Expected a number" })

const source = Schema.optional(
  Schema.declare((value): value is (options: { readonly signal: AbortSignal }) => Promise<unknown> =>
    Predicate.isFunction(value)
  ).annotate({ message: "Expected a function that promises credentials" })
)

/** What a source of credentials for the management API must promise. */
export const KeyPair = Schema.Struct({
  keyId: text("the ID of an API key"),
  keySecret: secret("the secret of an API key")
})
/** What a source of credentials for the observability API must promise. */
export const BearerToken = Schema.Struct({ token: secret("a bearer token") })

const Management = Schema.Struct({
  baseUrl,
  credentials: source,
  keyId: Schema.optional(KeyPair.fields.keyId),
  keySecret: Schema.optional(KeyPair.fields.keySecret),
  dialect: Schema.optional(Schema.Literals(dialectNames).annotate({ message: `Expected ${dialectNames.join(" or ")}` }))
}).annotate({ message: "Expected { baseUrl, keyId, keySecret }" })

const Observability = Schema.Struct({
  baseUrl,
  credentials: source,
  token: Schema.optional(BearerToken.fields.token)
}).annotate({
  message: "Expected { baseUrl, token }"
})

const fetchLike = Schema.declare((value): value is typeof globalThis.fetch => Predicate.isFunction(value))
const clientLayer = Schema.declare((value): value is NonNullable<ClientOptions["httpClient"]> => Layer.isLayer(value))

const Fields = Schema.Struct({
  management: Schema.optional(Management),
  observability: Schema.optional(Observability),
  ...mannersFields,
  userAgent: Schema.optional(text("printable ASCII characters, such as my-tool/1.2")),
  allowInsecureHttp: Schema.optional(Schema.Boolean.annotate({ message: "Expected true or false" })),
  maxConcurrency: Schema.optional(number),
  rateLimit: Schema.optional(
    Schema.Struct({ limit: number, window: number }).annotate({ message: "Expected { limit, window }" })
  ),
  circuitBreaker: Schema.optional(
    Schema.Struct({ failures: Schema.optional(number), openDuration: Schema.optional(number) }).annotate({
      message: "Expected { failures, openDuration }"
    })
  ),
  fetch: Schema.optional(fetchLike.annotate({ message: "Expected a function like fetch" })),
  httpClient: Schema.optional(clientLayer.annotate({ message: "Expected a layer of effect/http's HttpClient" }))
}).annotate({ message: "Expected the options of a client" })

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

const decode = Schema.decodeUnknownResult(Options, { errors: "all" })

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
export const checkedOptions = (options: ClientOptions): CheckedOptions => {
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
