import { fieldIssues } from "@headgate/core/error"
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

const Management = Schema.Struct({
  baseUrl,
  keyId: text("the ID of an API key"),
  keySecret: secret("the secret of an API key"),
  dialect: Schema.optional(Schema.Literals(dialectNames).annotate({ message: `Expected ${dialectNames.join(" or ")}` }))
}).annotate({ message: "Expected { baseUrl, keyId, keySecret }" })

const Observability = Schema.Struct({ baseUrl, token: secret("a bearer token") }).annotate({
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

/** Checks that options have the types that they are declared with: not every caller has a compiler. */
export const checkedOptions = (options: ClientOptions): CheckedOptions =>
  Result.getOrThrowWith(decode(options), (error) => invalidOptions(fieldIssues(error)))
