import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { bodyText } from "../http/bodyText.ts"
import { isTooDeep } from "../http/BodyDepth.ts"
import type { JournalBody } from "./Journal.ts"

/** The largest body that is shown, in characters. */
const maxShown = 16 * 1024

const parsed = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

const omitted = (bodySize: number, bodyOmitted: string): JournalBody => ({ bodySize, bodyOmitted })

const described = (text: string, redact: (body: unknown) => unknown): JournalBody => {
  const bodySize = Buffer.byteLength(text)
  if (text === "") return { bodySize }
  if (text.length > maxShown) return omitted(bodySize, `it is longer than ${maxShown} characters`)
  if (isTooDeep(text)) return omitted(bodySize, "it is nested too deeply")
  return Option.match(parsed(text), {
    onNone: () => omitted(bodySize, "it is not JSON"),
    onSome: (body) => ({ bodySize, body: redact(body) })
  })
}

/**
 * The body of a request as it may be shown, read to its end; none where it cannot be read. It is kept for whoever reads
 * it next.
 */
export const observedBody = (
  request: HttpServerRequest,
  redact: (body: unknown) => unknown
): Effect.Effect<Option.Option<JournalBody>> =>
  request.method === "GET" || request.method === "HEAD"
    ? Effect.succeedNone
    : Effect.option(Effect.map(bodyText(request), (text) => described(text, redact)))
