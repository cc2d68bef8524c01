import { escapeTerminalLine, jsonText } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import { isRead, operationOf } from "./operationOf.ts"
import { masked } from "../output/detailText.ts"

/** `--dry-run`: print the request that would change something instead of sending it. */
export const dryRun = GlobalFlag.Setting("dry-run")({
  flag: Flag.Boolean("dry-run").pipe(
    Flag.withDescription("Change nothing: print the request that would, as a curl command, and write no file"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
})

/** Ends the command with `--dry-run`, as a defect: nothing between the change and the end of the command handles it. */
export class DryRun {
  /** What is printed instead: a curl command, or a sentence. */
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Ends the command here with `--dry-run`, before it changes something on this machine. `what`: what would be done. */
export const holdBack = (what: string) =>
  Effect.flatMap(dryRun, (isDryRun) =>
    isDryRun ? Effect.die(new DryRun(`Not done because of --dry-run: ${escapeTerminalLine(what)}.`)) : Effect.void
  )

// A POST, because its body is large. It reads a source and changes nothing.
const discovery = /\/schemaDiscovery$/

/** Whether `--dry-run` holds back a request. What a command does only to read is sent. */
export const isHeldBack = ({ method, url }: HttpClientRequest): boolean => !isRead(method) && !discovery.test(url)

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
