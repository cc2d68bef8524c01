import { invalidRequest, withVersion } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Predicate from "effect/Predicate"
import type { Answer, Call } from "./Attempt.ts"
import type { Connection } from "./connect.ts"
import { makeRequest, withHeader } from "./HttpRequest.ts"

/** The version of a resource in the `ETag` of its answer; `undefined` if the service tells none. */
const versionIn = ({ headers }: Answer): number | undefined => {
  const [, version] = /^"([1-9]\d{0,14})"$/.exec(headers["etag"] ?? "") ?? []
  return version === undefined ? undefined : Number(version)
}

/** Adds the version of the answer to the resource that was read from it. */
export const withVersionIn = <Content>({ tellsVersions }: Connection, answer: Answer, content: Content): Content => {
  const version = versionIn(answer)
  if (version === undefined || !Predicate.isObject(content)) return content
  MutableRef.set(tellsVersions, true)
  return withVersion(content, version)
}

const withoutVersions = () =>
  invalidRequest(
    [{ path: "ifMatch", message: "Expected none: the service tells no versions, and would change any of them" }],
    { attempts: 0 }
  )

/**
 * How many segments the path of the resource has that an operation changes: those of `/pipes/:id` in `/pipes/:id/state`. A path without
 * parameters is that of the resource.
 */
const resourceDepth = (path: string): number => {
  const segments = path.split("/")
  return segments.findLastIndex((segment) => segment.startsWith(":")) + 1 || segments.length
}

/**
 * Makes the request of a change conditional. A service that tells no versions would ignore the condition: unless an answer
 * has told one, the resource is asked for its version first.
 */
export const withIfMatch = (connection: Connection, route: string) => {
  const depth = resourceDepth(route)
  return Effect.fnUntraced(function* (call: Call, version: number) {
    if (!connection.tellsVersions.current) {
      const path = call.request.url.split("/").slice(0, depth).join("/")
      const answer = yield* connection.send({ ...call, request: makeRequest("HEAD", path), isRepeatable: true })
      if (versionIn(answer) === undefined) return yield* withoutVersions()
      MutableRef.set(connection.tellsVersions, true)
    }
    const conditional: Call = {
      ...call,
      request: withHeader(call.request, "if-match", `"${version}"`),
      // A repeat of a change that took effect would find another version.
      isRepeatable: false,
      requestPolicy: { ...call.requestPolicy, retryCreates: false },
      attempts: MutableRef.make(0)
    }
    return conditional
  })
}
