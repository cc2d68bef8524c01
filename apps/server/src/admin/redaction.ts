import { ApiKeyCreate, DashboardCreate, HashData } from "@headgate/core"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as Headers from "effect/http/Headers"

/** What stands where something is not shown. */
const redacted = "<redacted>"

/** The secrets that Headgate makes are known by their form, wherever they stand. */
const minted = /hg[st]_[0-9A-Za-z]{40}/gu

/** A text without the secrets that Headgate made. */
const withoutMinted = (text: string): string => text.replaceAll(minted, redacted)

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
 * Every field that the contract names in a body, but for those that stand for credentials. What is not among them is
 * not shown, be it a secret under a name that nobody thought of.
 */
const makeShownFields = (): ReadonlySet<string> =>
  new Set([ApiKeyCreate, DashboardCreate].flatMap(fieldsOf).filter((field) => !secretFields.has(field)))

/** Shows a body, but for the values of fields that the contract does not name, or that stand for credentials. */
export const makeRedactBody = () => {
  const shownFields = makeShownFields()
  const redact = (value: unknown): unknown => {
    if (Predicate.isString(value)) return withoutMinted(value)
    if (Array.isArray(value)) return value.map(redact)
    if (!Predicate.isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([field, held]) => [
        withoutMinted(field),
        shownFields.has(field) ? redact(held) : redacted
      ])
    )
  }
  // What is no record has no fields to tell it by.
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
  if (shownHeaders.has(name)) return withoutMinted(value)
  return name === "authorization" ? `${scheme.exec(value)?.[0] ?? ""}${redacted}` : redacted
}

/** Every header by name; its value only if it is one that carries no secrets. Of `Authorization`, the scheme. */
export const redactHeaders = (headers: Headers.Headers): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactHeader(name, value)]))

/** The names of a query's parameters; the contract knows none, so that no value is known to be harmless. */
export const redactQuery = (url: string): Readonly<Record<string, string>> => {
  const [, query = ""] = url.split(/\?(.*)/su, 2)
  return Object.fromEntries(Array.from(new URLSearchParams(query).keys(), (name) => [withoutMinted(name), redacted]))
}

/** The path of a URL as it was sent, without its query. */
export const redactPath = (url: string): string => withoutMinted(url.split(/[?#]/, 1)[0] ?? "")
