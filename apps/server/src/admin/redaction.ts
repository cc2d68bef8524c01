import { ApiKeyCreate, DashboardCreate, HashData } from "@headgate/core"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as Headers from "effect/http/Headers"

const redacted = "<redacted>"

// The secrets that Headgate creates, recognized by their form.
const createdSecret = /hg[cst]_[0-9A-Za-z]{40}/gu

const withoutSecrets = (text: string): string => text.replaceAll(createdSecret, redacted)

const schemaFields = (schema: unknown): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap(schemaFields)
  if (!Predicate.isObject(schema)) return []
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === "properties" && Predicate.isObject(value)
      ? [...Object.keys(value), ...Object.values(value).flatMap(schemaFields)]
      : schemaFields(value)
  )
}

const fieldsOf = (schema: Schema.Constraint) => schemaFields(Schema.toJsonSchemaDocument(schema))

const secretFields: ReadonlySet<string> = new Set(["hashData", ...Object.keys(HashData.schema.fields)])

/**
 * The fields of request bodies in the contract, except those that hold credentials. All other fields are redacted: an
 * unknown field may hold a secret.
 */
const makeShownFields = (): ReadonlySet<string> =>
  new Set([ApiKeyCreate, DashboardCreate].flatMap(fieldsOf).filter((field) => !secretFields.has(field)))

/** Redacts a body: the values of fields that hold credentials, and of fields that the contract does not name. */
export const makeRedactBody = () => {
  const shownFields = makeShownFields()
  const redact = (value: unknown): unknown => {
    if (Predicate.isString(value)) return withoutSecrets(value)
    if (Array.isArray(value)) return value.map(redact)
    if (!Predicate.isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([field, held]) => [
        withoutSecrets(field),
        shownFields.has(field) ? redact(held) : redacted
      ])
    )
  }
  // Without fields nothing tells whether a value is a secret.
  return (body: unknown): unknown => (Predicate.isObject(body) && !Array.isArray(body) ? redact(body) : redacted)
}

const shownHeaders: ReadonlySet<string> = new Set([
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "forwarded",
  "host",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "keep-alive",
  "origin",
  "traceparent",
  "transfer-encoding",
  "user-agent",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-request-id"
])

const scheme = /^(?:basic|bearer) /iu

const redactHeader = (name: string, value: string): string => {
  if (shownHeaders.has(name)) return withoutSecrets(value)
  return name === "authorization" ? `${scheme.exec(value)?.[0] ?? ""}${redacted}` : redacted
}

/** Redacts all headers except those known to carry no secret. Keeps the scheme of `Authorization`. */
export const redactHeaders = (headers: Headers.Headers): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactHeader(name, value)]))

/** Redacts the values of a query. The contract has no query parameters, so any value may be a secret. */
export const redactQuery = (url: string): Readonly<Record<string, string>> => {
  const [, query = ""] = url.split(/\?(.*)/su, 2)
  return Object.fromEntries(Array.from(new URLSearchParams(query).keys(), (name) => [withoutSecrets(name), redacted]))
}

/** The path of a URL as it was sent, without its query, secrets and what follows a semicolon, which may hold anything. */
export const redactPath = (url: string): string =>
  withoutSecrets((url.split(/[?#]/, 1)[0] ?? "").replaceAll(/;[^/]*/g, `;${redacted}`))
