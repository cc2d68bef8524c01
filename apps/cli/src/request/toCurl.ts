import { jsonText } from "@headgate/command-line"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import { masked } from "../output/detailText.ts"
import { operationOf } from "./operationOf.ts"

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

// Set by the client for itself, or by curl.
const ownHeaders = /^(authorization|user-agent|content-length|traceparent|b3)$/

const credentials = (authorization: string): ReadonlyArray<string> => {
  if (authorization.startsWith("Basic ")) return [`-u "$HEADGATE_KEY_ID:$HEADGATE_KEY_SECRET"`]
  return authorization === "" ? [] : [`-H "Authorization: Bearer $HEADGATE_TOKEN"`]
}

// The schema of the operation knows its secrets; their names are all there is to know of other bodies.
const withoutSecrets = (method: string, url: string, body: string): string => {
  const parsed = Option.liftThrowable((): unknown => JSON.parse(body))()
  if (Option.isNone(parsed)) return body
  const operation = operationOf(method, new URL(url).pathname)
  const payload = Option.flatMap(Option.fromUndefinedOr(operation), (operation) =>
    Schema.decodeUnknownOption(operation.payload)(parsed.value)
  )
  const shown: unknown = Option.getOrElse(payload, () => parsed.value)
  return jsonText(Predicate.isObject(shown) && !Array.isArray(shown) ? masked(shown) : shown)
}

/** The request as a curl command without secrets: curl reads the credentials from the environment. */
export const toCurl = ({ body, headers, method, url }: HttpClientRequest): string => {
  const text = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
  return [
    `curl -X ${method} ${quoted(url)}`,
    ...credentials(headers["authorization"] ?? ""),
    ...Object.entries(headers)
      .filter(([name]) => !ownHeaders.test(name))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(text === "" ? [] : [`--data-raw ${quoted(withoutSecrets(method, url, text))}`])
  ].join(" \\\n  ")
}
