import { IfMatch, type PortError, PreconditionFailed } from "@headgate/core"
import { type AnyOperation, isChange, isOfVersioned } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { HttpProblem } from "./HttpProblem.ts"
import { nodeHeaders } from "./requestUrl.ts"

const maxVersions = 10

/** No resource has it: for tags that never match. */
const noVersion = 0

const malformed: HttpProblem = {
  code: "BAD_REQUEST",
  message: `if-match: Expected * or a list of entity tags such as "3", of at most ${maxVersions} versions`
}

/**
 * The versions that a list of entity tags names (RFC 9110, section 8.8.3); `undefined` if it is malformed. A weak tag, and
 * a strong one that is no version, never matches.
 */
const versionsIn = (list: string): ReadonlyArray<number> | undefined => {
  const tag = /[\t ]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*)?(?:,|$)/y
  const versions = new Set<number>()
  while (tag.lastIndex < list.length) {
    const found = tag.exec(list)
    if (found === null) return undefined
    const [, weak, opaque = ""] = found
    if (weak === undefined && /^[1-9]\d{0,14}$/.test(opaque)) versions.add(Number(opaque))
  }
  if (!list.includes('"') || versions.size > maxVersions) return undefined
  return versions.size === 0 ? [noVersion] : Array.from(versions)
}

/** Runs the change of an operation, whatever the versions are. */
type RunChange = <A>(change: Effect.Effect<A, PortError>) => Effect.Effect<A, PortError>

const unconditionally: Effect.Effect<RunChange> = Effect.succeed((change) => change)

const neverMatches: RunChange = () =>
  new PreconditionFailed({ message: "this resource has no version: leave out If-Match" })

/** With several versions, the change is tried with each: the store checks one version, in the transaction of the change. */
const withVersions =
  (versions: ReadonlyArray<number>): RunChange =>
  (change) =>
    versions
      .map((version) => Effect.provideService(change, IfMatch, version))
      .reduce((tried, next) => Effect.catchTag(tried, "PreconditionFailed", () => next))

/**
 * How the change of an operation is run under the `If-Match` of its request. Contract: docs/wire-contract.md#versions.
 */
export const ifMatchOf = (
  operation: AnyOperation
): ((request: HttpServerRequest) => Effect.Effect<RunChange, HttpProblem>) => {
  if (!isChange(operation)) return () => unconditionally
  const run = isOfVersioned(operation) ? withVersions : () => neverMatches
  return (request) => {
    const header = nodeHeaders(request)["if-match"]
    // A change to what does not exist is a 404 without it.
    if (header === undefined || header.trim() === "*") return unconditionally
    const versions = versionsIn(header)
    return versions === undefined ? Effect.fail(malformed) : Effect.succeed(run(versions))
  }
}
