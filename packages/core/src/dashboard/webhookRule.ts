import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { Conflict } from "../error/CallError.ts"
import type { FieldIssue } from "../error/FieldIssue.ts"
import { alertsOfWebhook } from "./alertsOf.ts"
import { objectOf } from "./config/Issues.ts"
import { badReference, type DocumentRule, nameIssues, noRule, timesOf, trimmedName } from "./DocumentRule.ts"
import { publicUrlIssue } from "./publicUrl.ts"

const maxUrl = 2048
const maxEntries = 100
const maxValue = 4096

const slackHasNo = ["headers", "queryParams", "body"] as const

const control = /\p{Cc}/u
// A name of RFC 9110, not beginning with a digit.
const headerName = /^(?!\d)[!#$%&'*+.^_`|~\dA-Za-z-]{1,256}$/u

/** Names of entries: which are valid, and what an error says of others. */
interface Names {
  readonly isName: (name: string) => boolean
  readonly expected: string
}

const headerNames: Names = {
  isName: (name) => headerName.test(name),
  expected: "Expected names of headers: 1 to 256 letters, digits and !#$%&'*+.^_`|~-, no digit at the beginning"
}
const parameterNames: Names = {
  isName: (name) => name !== "" && name.length <= 1024 && !control.test(name),
  expected: "Expected names of 1 to 1024 characters without control characters"
}

/** What is wrong with texts by their names. A message does not repeat a name, which may hold a part of a secret. */
const entryIssues = (path: string, value: unknown, { expected, isName }: Names): ReadonlyArray<FieldIssue> => {
  const entries = Object.entries(objectOf(value) ?? {})
  const messages = [
    entries.length > maxEntries ? `Expected at most ${maxEntries} entries` : undefined,
    entries.every(([name]) => isName(name)) ? undefined : expected,
    entries.every(([, text]) => String(text).length <= maxValue && !control.test(String(text)))
      ? undefined
      : `Expected values of at most ${maxValue} characters without control characters`
  ]
  return messages.flatMap((message) => (message === undefined ? [] : [{ path, message }]))
}

const urlIssues = (url: unknown): ReadonlyArray<FieldIssue> => {
  const text = Predicate.isString(url) ? url : ""
  const message = text.length > maxUrl ? `Expected at most ${maxUrl} characters` : publicUrlIssue(text)
  return message === undefined ? [] : [{ path: "url", message }]
}

/** The rules of webhooks. None is called. */
export const webhookRule: DocumentRule = {
  ...noRule,
  issues: (request) => [
    ...nameIssues(request),
    ...urlIssues(request.url),
    ...entryIssues("headers", request.headers, headerNames),
    ...entryIssues("queryParams", request.queryParams, parameterNames),
    ...slackHasNo
      .filter((field) => request.service === "slack" && request[field] !== undefined)
      .map((field) => ({ path: field, message: "This is not supported for the service slack" }))
  ],
  references: Effect.fnUntraced(function* (request, id, find) {
    const { service } = request
    const all = yield* find("webhooks")
    // Of one that is not there, the name does not matter.
    if (id !== undefined && !all.some((webhook) => webhook.id === id)) return {}
    const name = trimmedName(request)
    const isTaken = all.some((webhook) => webhook.id !== id && webhook.service === service && webhook.name === name)
    if (isTaken) return yield* badReference("name", "A webhook with this service and name already exists")
    return {}
  }),
  document: (request, context) => ({
    name: trimmedName(request),
    service: request.service,
    description: request.description,
    body: request.body,
    ...timesOf(context)
  }),
  deletion: Effect.fnUntraced(function* (id, find) {
    const alerts = alertsOfWebhook(yield* find("alerts"), id)
    if (alerts.length === 0) return []
    const some = alerts.length > 10 ? [...alerts.slice(0, 10), "..."] : alerts
    return yield* new Conflict({ message: `Alerts still reference the webhook: ${some.join(", ")}` })
  }),
  // What was meant for one address is sent to no other.
  keepsSecrets: (request, stored) => request.url === stored.url && request.service === stored.service
}
