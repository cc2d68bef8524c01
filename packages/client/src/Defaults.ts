import type { FieldIssue, InvalidRequest } from "@headgate/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { invalidInput } from "./Input.ts"

/** The organization and the service of requests that name none. */
export interface Defaults {
  /** The id of the organization of requests that name none, a UUID. Default: each names its own. */
  readonly organizationId?: string | undefined
  /** The id of the service of requests that name none, a UUID. Default: each names its own. */
  readonly serviceId?: string | undefined
}

/** The defaults of the client that makes a call. */
export const ClientDefaults = Context.Reference<Defaults>("@headgate/client/Defaults", { defaultValue: () => ({}) })

const names = ["organizationId", "serviceId"] as const

const filled = (request: unknown, given: Defaults, accepted: ReadonlyArray<string>): unknown => {
  if (request === undefined) return filled({}, given, accepted)
  if (!Predicate.isObject(request)) return request
  const missing = names.filter(
    (name) =>
      accepted.includes(name) &&
      given[name] !== undefined &&
      (!Predicate.hasProperty(request, name) || request[name] === undefined)
  )
  return missing.length === 0
    ? request
    : { ...request, ...Object.fromEntries(missing.map((name) => [name, given[name]])) }
}

const explained = (issue: FieldIssue): FieldIssue =>
  names.some((name) => issue.path === name) && issue.message.startsWith("Missing")
    ? { path: issue.path, message: `Missing: give it in the request, or ${issue.path} to createClient` }
    : issue

/** Reads a request whose organization and service may be those of the client: the fields of its address are `accepted`. */
export const withDefaults =
  <A>(accepted: ReadonlyArray<string>, read: (request: unknown) => Effect.Effect<A, InvalidRequest>) =>
  (request: unknown): Effect.Effect<A, InvalidRequest> =>
    Effect.flatMap(ClientDefaults, (defaults) =>
      Effect.mapError(read(filled(request, defaults, accepted)), ({ issues }) => invalidInput(issues.map(explained)))
    )
