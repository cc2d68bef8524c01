import { type FieldIssue, fieldIssues, OrganizationId, ServiceId } from "@headgate/core"
import { dialectNames } from "@headgate/http-contract"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { invalidOptions, option, options, type RequestPolicy, requestPolicy, strict } from "./CallOptions.ts"
import type { Defaults } from "./Defaults.ts"
import type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "./Hooks.ts"
import type { Secret } from "./Secret.ts"

// Every message is written here: the message of a schema would repeat the value, which may be a secret.
const text = (what: string) => Schema.String.annotate({ message: `Expected ${what}` })
const secretText = (what: string) => {
  const value = text(what)
  return Schema.Union([
    Schema.RedactedFromValue(value),
    Schema.Redacted(value).annotate({ message: `Expected ${what}` })
  ])
}
// One declaration and no union: the message of a union is that of its last member.
const baseUrl = Schema.declare(
  (value): value is string | URL => Predicate.isString(value) || value instanceof URL
).annotate({ message: "Expected a URL such as https://api.example.com" })

const requests = Schema.Number.annotate({ message: "Expected a number of requests, such as 10" })
const milliseconds = Schema.Number.annotate({ message: "Expected milliseconds, such as 1000" }).check(
  Schema.makeFilter((value) => (value > 0 && value < Infinity) || "Expected milliseconds above 0, such as 1000")
)

/** An API key, for HTTP Basic: what a function that fetches credentials of the management API resolves to. */
export interface ApiKeyCredentials {
  /** The ID of the API key: the user name of HTTP Basic. */
  readonly keyId: string
  /** The secret of the API key: the password of HTTP Basic. */
  readonly keySecret: string | Secret
}

/** A bearer token: what a function that fetches credentials of the observability API resolves to. */
export interface BearerToken {
  /** A bearer token. It also determines the organization of the dashboards. */
  readonly token: string | Secret
}

const apiKeyFields = {
  keyId: text("the ID of an API key"),
  keySecret: secretText("the secret of an API key")
} satisfies { readonly [Name in keyof ApiKeyCredentials]: Schema.Constraint }
const tokenFields = {
  token: secretText("a bearer token")
} satisfies { readonly [Name in keyof BearerToken]: Schema.Constraint }

/** The schema of {@link ApiKeyCredentials}. */
export const apiKeyCredentials = Schema.Struct(apiKeyFields)

/** The schema of {@link BearerToken}. */
export const bearerToken = Schema.Struct(tokenFields)

// The type of what the function resolves to is in `Credentials`.
const credentials = option(
  Schema.declare((value): value is (options: { readonly signal: AbortSignal }) => Promise<unknown> =>
    Predicate.isFunction(value)
  ),
  "a function that promises credentials"
)

/** What a function that fetches credentials gets. */
export interface CredentialsOptions {
  /** Is aborted when no call waits for the credentials any more. */
  readonly signal: AbortSignal
}

// Credentials that are given, or that a function fetches.
type Credentials<Given> =
  | (Given & { readonly credentials?: undefined })
  | ({ readonly [Name in keyof Given]?: undefined } & {
      /**
       * Fetches the credentials: for the first call, and again after a 401, once for all calls that were rejected, each
       * of which is then repeated once. If the function rejects, or takes longer than `timeout`, the call rejects with
       * `UnauthorizedError`.
       */
      readonly credentials: (options: CredentialsOptions) => Promise<Given>
    })

/** The address and the credentials of the management API: `keyId` and `keySecret`, or `credentials`. */
export type ManagementOptions = {
  /** The origin and, if need be, the path of the API: `https://api.example.com`. It may end in `/v1`. */
  readonly baseUrl: string | URL
  /** The names that the service uses: `clickhouse` for the real one. Default `neutral`, as in the contract. */
  readonly dialect?: "neutral" | "clickhouse" | undefined
} & Credentials<ApiKeyCredentials>

/** The address and the credentials of the observability API: `token`, or `credentials`. */
export type ObservabilityOptions = {
  /** The origin and, if need be, the path of the API. It may end in `/api` or `/api/v2`. */
  readonly baseUrl: string | URL
} & Credentials<BearerToken>

const Management = options(
  {
    baseUrl,
    credentials,
    keyId: option(apiKeyFields.keyId, "the ID of an API key"),
    keySecret: option(apiKeyFields.keySecret, "the secret of an API key"),
    dialect: option(Schema.Literals(dialectNames), dialectNames.join(" or "))
  },
  "{ baseUrl, keyId, keySecret }"
)

const Observability = options(
  { baseUrl, credentials, token: option(tokenFields.token, "a bearer token") },
  "{ baseUrl, token }"
)

/** How many requests to an API may start in a time window. */
export interface RateLimit {
  /** How many requests start in any window at most. */
  readonly limit: number
  /** The length of the window, in milliseconds. */
  readonly window: number
}

/** When nothing is sent to an API that fails. */
export interface CircuitBreaker {
  /** After how many failed calls in a row nothing more is sent. Default 5. */
  readonly failures?: number | undefined
  /** For how many milliseconds nothing is sent; then one call tries the service again. Default 30,000. */
  readonly openDuration?: number | undefined
}

/** The options of a client for all its calls, to either API. */
export interface ConnectionOptions extends RequestPolicy, Defaults, Hooks {
  /** Products named before our own in `User-Agent`: `my-tool/1.2`. */
  readonly userAgent?: string | undefined
  /** Send credentials over plain http to other hosts than loopback too. Default false. */
  readonly allowInsecureHttp?: boolean | undefined
  /** The size limit of a response in bytes; a larger one is an `UnexpectedResponseError`. Default 64 MiB. */
  readonly maxResponseBytes?: number | undefined
  /**
   * What happens to an element of a list that cannot be read. `"warn"`: it is left out, and one `console.warn` says how many
   * are. `"fail"`: the call rejects with `UnexpectedResponseError`. Default `"warn"`.
   */
  readonly onUnreadable?: "warn" | "fail" | undefined
  /** How many requests to each API may be in flight at once; more wait in a queue. Default: no limit. */
  readonly maxConcurrency?: number | undefined
  /** How many requests to each API may start in a time window; more wait in a queue. Default: no limit. */
  readonly rateLimit?: RateLimit | undefined
  /** Send nothing to an API for a while after repeated failures. `{}` for the defaults. Default: off. */
  readonly circuitBreaker?: CircuitBreaker | undefined
  /** Sends the requests in place of `globalThis.fetch`: with a proxy, or in a test. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

const rateLimit = options({ limit: requests, window: milliseconds }, "{ limit, window }")
const circuitBreaker = options(
  {
    failures: option(Schema.Number, "a number of calls, such as 5"),
    openDuration: option(milliseconds, "milliseconds above 0, such as 30000")
  },
  "{ failures, openDuration }"
)

const fetchLike = Schema.declare((value): value is typeof globalThis.fetch => Predicate.isFunction(value))

const hook = <Event>() => Schema.declare((value): value is (event: Event) => unknown => Predicate.isFunction(value))

const connectionFields = {
  ...requestPolicy,
  organizationId: option(Schema.toEncoded(OrganizationId), "the id of an organization, a UUID"),
  serviceId: option(Schema.toEncoded(ServiceId), "the id of a service, a UUID"),
  userAgent: option(Schema.String, "printable ASCII characters, such as my-tool/1.2"),
  allowInsecureHttp: option(Schema.Boolean, "true or false"),
  maxResponseBytes: option(Schema.Number, "a whole number of at least 1"),
  onUnreadable: option(Schema.Literals(["warn", "fail"]), "warn or fail"),
  maxConcurrency: option(Schema.Number, "a whole number of at least 1"),
  rateLimit: option(rateLimit, "{ limit, window }"),
  circuitBreaker: option(circuitBreaker, "{ failures, openDuration }, or {} for the defaults"),
  fetch: option(fetchLike, "a function like fetch"),
  onRequest: option(hook<RequestEvent>(), "a function"),
  onResponse: option(hook<ResponseEvent>(), "a function"),
  onRetry: option(hook<RetryEvent>(), "a function")
} satisfies { readonly [Name in keyof ConnectionOptions]-?: Schema.Constraint }

/** The same options, each of which may be `undefined`. */
export type Optional<Given> = { readonly [Name in keyof Given]?: Given[Name] | undefined }

/** The management API is given. */
export interface GivenManagement {
  /** The management API, for organizations, services, pipes, keys and roles. */
  readonly management: ManagementOptions
}

/** The observability API is given. */
export interface GivenObservability {
  /** The observability API, for dashboards and the documents beside them. */
  readonly observability: ObservabilityOptions
}

/** The options of `createClient`: at least one of the two APIs. */
export type ClientOptions = ConnectionOptions &
  ((GivenManagement & Optional<GivenObservability>) | (Optional<GivenManagement> & GivenObservability))

/** The options of a client of one noun of the management API. Those of the other API are not used. */
export type ManagementClientOptions = ConnectionOptions & GivenManagement & Optional<GivenObservability>

/** The options of a client of one noun of the observability API. Those of the other API are not used. */
export type ObservabilityClientOptions = ConnectionOptions & Optional<GivenManagement> & GivenObservability

const Options = options(
  {
    management: option(Management, "{ baseUrl, keyId, keySecret }"),
    observability: option(Observability, "{ baseUrl, token }"),
    ...connectionFields
  },
  "the options of a client"
).check(
  Schema.makeFilter(
    ({ management, observability }) =>
      (management ?? observability) !== undefined || "Expected management, observability or both"
  )
)

/** Validated {@link ClientOptions}, with secrets wrapped. */
export type ValidOptions = typeof Options.Type

const decode = Schema.decodeUnknownResult(Options, strict)

// Either all of `names`, or a function that fetches them.
const credentialIssues = (api: string, given: unknown, names: ReadonlyArray<string>): ReadonlyArray<FieldIssue> => {
  if (!Predicate.isObject(given)) return []
  const has = (name: string) => Predicate.hasProperty(given, name) && given[name] !== undefined
  if (!has("credentials")) {
    const missing = names.filter((name) => !has(name))
    return missing.map((name) => ({ path: `${api}.${name}`, message: "Missing: it is required, or else credentials" }))
  }
  const message = `Expected ${names.join(" and ")} or credentials, not both`
  return names.some(has) ? [{ path: `${api}.credentials`, message }] : []
}

/** Validates the options of a client: not every caller has a compiler. Throws `InvalidRequestError`. */
export const validateOptions = (options: ClientOptions): ValidOptions => {
  const decoded = decode(options)
  const { management, observability } = Predicate.isObject(options) ? options : {}
  const issues = [
    ...(Result.isFailure(decoded) ? fieldIssues(decoded.failure) : []),
    ...credentialIssues("management", management, Object.keys(apiKeyFields)),
    ...credentialIssues("observability", observability, Object.keys(tokenFields))
  ]
  if (Result.isFailure(decoded) || issues.length > 0) throw invalidOptions(issues)
  return decoded.success
}
