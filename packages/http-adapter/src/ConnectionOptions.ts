import { type Dialect, dialectNames, neutral } from "@headgate/http-contract"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { baseUrlIssue, isUrl } from "./BaseUrl.ts"
import { callFields, type CallOptions } from "./CallOptions.ts"
import { Count, Flag, group, optionalGroup, Secret, validator, value, Wait } from "./optionSchemas.ts"

/** How many requests are sent at most. */
export interface RateLimitOptions {
  /** How many in any `window`. */
  readonly limit: number
  readonly window: Duration.Input
}

/** When to stop sending to a failing service, and for how long. */
export interface CircuitBreakerOptions {
  /** After how many failed calls in a row nothing more is sent. Default 5. */
  readonly failures?: number | undefined
  /** How long nothing is sent; then one call probes the service. Default 30 seconds. */
  readonly openDuration?: Duration.Input | undefined
}

/** What happens to an element of a list that does not decode. */
const onUnreadable = ["warn", "fail"] as const
export type OnUnreadable = (typeof onUnreadable)[number]

/** Where an API is, and how every call to it behaves. */
export interface ConnectionOptions extends CallOptions {
  /** The origin and, if need be, the path of the API: `https://api.example.com`. */
  readonly baseUrl: string | URL
  /** Products named before our own in `User-Agent`: `my-tool/1.2`. */
  readonly userAgent?: string | undefined
  /** Send credentials over plain http to hosts other than loopback, too. Default false. */
  readonly allowInsecureHttp?: boolean | undefined
  /** How many bytes of an answer are read at most; a larger one ends as `UnexpectedResponse`. Default: 64 MiB. */
  readonly maxResponseBytes?: number | undefined
  /**
   * What happens to an element of a list that cannot be read. `"warn"`: it is left out, and one warning is logged for the
   * list. `"fail"`: the call fails with `UnexpectedResponse`. Default: `"warn"`.
   */
  readonly onUnreadable?: OnUnreadable | undefined
  /** How many requests may be in flight at once; more wait in order. Default: any number. */
  readonly maxConcurrency?: number | undefined
  /** How many requests may be sent in a time; more wait in order. Default: any number. */
  readonly rateLimit?: RateLimitOptions | undefined
  /** Send nothing to a failing service for a while. `{}` for the defaults. Default: off. */
  readonly circuitBreaker?: CircuitBreakerOptions | undefined
}

/** The ID and the secret of an API key, for HTTP Basic. */
export interface ApiKeyCredentials {
  readonly keyId: string
  readonly keySecret: Redacted.Redacted
}

/** A bearer token of one organization. */
export interface BearerToken {
  readonly token: Redacted.Redacted
}

/** Credentials, or an effect that gives them. */
export type CredentialOptions<Fixed> =
  | (Fixed & { readonly credentials?: undefined })
  | ({ readonly [Name in keyof Fixed]?: undefined } & {
      /**
       * Gives the credentials. It runs for the first call, and its result is kept. It runs again when the service
       * answers 401, once for all calls that got this answer. Its failure ends a call as `Unauthorized`.
       */
      readonly credentials: Effect.Effect<Fixed, unknown>
    })

/**
 * How to reach the management API. Contract: docs/wire-contract.md#read-a-pipe, docs/wire-contract.md#create-an-api-key
 * and docs/wire-contract.md#access. Either `keyId` and `keySecret`, or `credentials`.
 *
 * @example
 * ```ts
 * import type { ManagementOptions } from "@headgate/http-adapter"
 * import * as Config from "effect/Config"
 * import * as Effect from "effect/Effect"
 *
 * export const options: ManagementOptions = {
 *   baseUrl: "https://api.example.com",
 *   credentials: Effect.all({
 *     keyId: Config.String("HEADGATE_KEY_ID"),
 *     keySecret: Config.Redacted("HEADGATE_KEY_SECRET")
 *   })
 * }
 * ```
 */
export type ManagementOptions = ConnectionOptions &
  CredentialOptions<ApiKeyCredentials> & {
    /** How the service spells its names. Default: `neutral`, as in the contract. */
    readonly dialect?: Dialect | undefined
  }

/**
 * How to reach the observability API. Contract: docs/wire-contract.md#create-a-dashboard,
 * docs/wire-contract.md#list-dashboards and docs/wire-contract.md#access. Either `token` or `credentials`.
 */
export type ObservabilityOptions = ConnectionOptions & CredentialOptions<BearerToken>

/** A schema for each option: a new option does not compile without one. */
type FieldsOf<Options> = { readonly [Name in keyof Options]-?: Schema.Constraint }

const isOnUnreadable = Schema.is(Schema.Literals(onUnreadable))

const printableAscii = /^[\x20-\x7e]+$/

const connectionFields = {
  ...callFields,
  baseUrl: value(isUrl, "a URL such as https://api.example.com"),
  userAgent: Schema.optional(
    value(
      (value): value is string => Predicate.isString(value) && printableAscii.test(value),
      "printable ASCII characters, such as my-tool/1.2"
    )
  ),
  allowInsecureHttp: Schema.optional(Flag),
  maxResponseBytes: Schema.optional(Count),
  onUnreadable: Schema.optional(value(isOnUnreadable, `"warn" or "fail"`)),
  maxConcurrency: Schema.optional(Count),
  rateLimit: optionalGroup({ limit: Count, window: Wait } satisfies FieldsOf<RateLimitOptions>, "{ limit, window }"),
  circuitBreaker: optionalGroup(
    {
      failures: Schema.optional(Count),
      openDuration: Schema.optional(Wait)
    } satisfies FieldsOf<CircuitBreakerOptions>,
    "{ failures, openDuration }, or {} for the defaults"
  )
} satisfies FieldsOf<ConnectionOptions>

const apiKeyFields = {
  // RFC 7617: the first colon ends the user name.
  keyId: value(
    (value): value is string => Predicate.isString(value) && value !== "" && !value.includes(":"),
    "the ID of an API key, without a colon"
  ),
  keySecret: Secret("the secret of an API key", (secret) => secret !== "", ", got nothing")
} satisfies FieldsOf<ApiKeyCredentials>

// A runtime refuses any other header, and quotes it in its error.
const visibleAscii = /^[\x21-\x7e]+$/

const tokenFields = {
  token: Secret("a bearer token", (token) => visibleAscii.test(token), ": visible ASCII characters without spaces")
} satisfies FieldsOf<BearerToken>

// All fields of a dialect are texts: a schema for each would add a kilobyte to every bundle.
const dialectFields = Struct.keys(neutral)
const dialect = value(
  (value): value is Dialect =>
    Predicate.isObject(value) &&
    dialectFields.every((field) => Predicate.isString(value[field]) && value[field] !== ""),
  `a dialect of @headgate/http-contract: ${dialectNames.join(" or ")}`
)

const validBaseUrl = Schema.makeFilter(({ allowInsecureHttp = false, baseUrl }: ConnectionOptions) => {
  const issue = baseUrlIssue(baseUrl, allowInsecureHttp)
  return issue === undefined || { path: ["baseUrl"], issue }
})

/** Validates options whose credentials have these fields. */
const optionsValidator = <Options extends { readonly credentials?: unknown }>(
  others: Schema.Struct.Fields,
  credentialFields: Schema.Struct.Fields
) => {
  const names = Object.keys(credentialFields)
  const whole = `{ baseUrl, ${names.join(", ")} }`
  const what = names.join(" and ")
  const notBoth = Schema.makeFilter(
    (options: Readonly<Record<string, unknown>>) =>
      names.every((name) => options[name] === undefined) || {
        path: ["credentials"],
        issue: `Expected ${what} or credentials, not both`
      }
  )
  const withCredentials = group({ ...connectionFields, ...others, ...credentialFields }, whole).check(validBaseUrl)
  const withSource = group(
    {
      ...connectionFields,
      ...others,
      ...Record.map(credentialFields, () => Schema.optional(Schema.Unknown)),
      credentials: value(Effect.isEffect, `an effect that gives ${what}`)
    },
    whole
  ).check(validBaseUrl, notBoth)
  const validateCredentials = validator<Options>(withCredentials, "options")
  const validateSource = validator<Options>(withSource, "options")
  return (options: Options) =>
    Predicate.isObject(options) && options.credentials !== undefined
      ? validateSource(options)
      : validateCredentials(options)
}

export const validateManagementOptions = optionsValidator<ManagementOptions>(
  { dialect: Schema.optional(dialect) },
  apiKeyFields
)
export const validateObservabilityOptions = optionsValidator<ObservabilityOptions>({}, tokenFields)

/** Validates what an effect gives as credentials of the management API. */
export const validateApiKeyCredentials = validator<ApiKeyCredentials>(
  group(apiKeyFields, "{ keyId, keySecret }"),
  "credentials"
)
/** Validates what an effect gives as credentials of the observability API. */
export const validateBearerToken = validator<BearerToken>(group(tokenFields, "{ token }"), "credentials")
