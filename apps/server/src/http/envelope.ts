import type { PortError } from "@headgate/core"
import { type AnyOperation, isNoContent } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type HttpProblem, portProblem } from "./HttpProblem.ts"
import { CurrentRequest } from "./RequestLog.ts"

/** A success that is JSON text already: an adapter stores it, or the handler has written it. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Some documents of a list as JSON text, and where the next page begins, if there is one. */
export interface JsonPage {
  readonly documents: ReadonlyArray<string>
  readonly next?: number | undefined
}

/**
 * A list that is read page by page while it is sent: the server holds one page, and reads the next when the client has
 * taken it.
 */
export class JsonList {
  readonly readPage: (after: number) => Effect.Effect<JsonPage, PortError>
  constructor(readPage: (after: number) => Effect.Effect<JsonPage, PortError>) {
    this.readPage = readPage
  }
}

const json = { contentType: "application/json" }

type Respond = Effect.Effect<HttpServerResponse.HttpServerResponse, HttpProblem>

/**
 * Sends a list. What fits one page is sent whole. If a later page fails, the connection is closed before the end of the
 * body, so that no client takes a part for the whole.
 */
const listResponse = (list: JsonList, before: string, after: string): Respond =>
  Effect.map(Effect.mapError(list.readPage(0), portProblem), ({ documents, next }) => {
    const first = `${before}[${documents.join(",")}`
    if (next === undefined) return HttpServerResponse.text(`${first}]${after}`, json)
    const rest = Stream.paginate(next, (from: number) =>
      Effect.map(
        list.readPage(from),
        (page) => [page.documents.map((document) => `,${document}`), Option.fromUndefinedOr(page.next)] as const
      )
    )
    const text = Stream.make(first).pipe(Stream.concat(rest), Stream.concat(Stream.make(`]${after}`)))
    return HttpServerResponse.stream(Stream.encodeText(text), json)
  })

/** Writes the success of an operation in the envelope of its API. Contract: sections 2.1, 4.3 and 4.4. */
export const envelope = ({ api, success }: AnyOperation): ((value: unknown) => Respond) => {
  const encode = Schema.encodeUnknownEffect(Schema.fromJsonString(success))
  const respond = (value: unknown, before: string, after: string): Respond => {
    if (value instanceof JsonText) return Effect.succeed(HttpServerResponse.text(before + value.text + after, json))
    if (value instanceof JsonList) return listResponse(value, before, after)
    return Effect.mapEager(Effect.orDie(encode(value)), (text) => HttpServerResponse.text(before + text + after, json))
  }
  if (api === "observability") return (value) => respond(value, '{"data":', "}")
  return (value) =>
    Effect.contextWith((context: Context.Context<never>) => {
      const start = `{"status":200,"requestId":"${Context.get(context, CurrentRequest).requestId}"`
      return isNoContent(success)
        ? Effect.succeed(HttpServerResponse.text(`${start}}`, json))
        : respond(value, `${start},"result":`, "}")
    })
}
