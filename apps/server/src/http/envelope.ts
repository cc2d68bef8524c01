import { type PortError, versionOf } from "@headgate/core"
import { jsonEncoder } from "@headgate/core/adapter"
import { type AnyOperation, isNoContent } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type HttpProblem, portProblem } from "./HttpProblem.ts"
import type { CurrentRequest } from "./RequestLog.ts"
import { addHeaders, type HeaderFields } from "./answerHeaders.ts"
import { CursorPage, Page } from "./paging.ts"
import { eventLoopTurn } from "./eventLoopTurn.ts"
import { gzipAnswer } from "./gzip.ts"
import { contentTag, hasContent } from "./ifNoneMatch.ts"

/** A success that is JSON text already: an adapter stores it, or the handler has written it. */
export class JsonText {
  readonly text: string
  /** The version of the resource, if it has one. */
  readonly version: number | undefined
  constructor(text: string, version?: number) {
    this.text = text
    this.version = version
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

const maxPageDocuments = 256
const maxPageLength = 256 * 1024

/** A list in memory, of which one page after the other is encoded while it is sent. */
export const encodedList = <A>(items: ReadonlyArray<A>, encode: (item: A) => string): JsonList =>
  new JsonList((after) =>
    Effect.sync(() => {
      const documents: Array<string> = []
      let length = 0
      for (const item of items.slice(after, after + maxPageDocuments)) {
        const document = encode(item)
        documents.push(document)
        length += document.length
        if (length >= maxPageLength) break
      }
      const next = after + documents.length
      return { documents, next: next < items.length ? next : undefined }
    })
  )

const json = { contentType: "application/json" }

type Respond = Effect.Effect<HttpServerResponse.HttpServerResponse, HttpProblem>

/** A list up to this length has a tag: it is read as a whole before it is sent. */
const maxTaggedLength = 1024 * 1024

/** Reads the beginning of a list: its first page, and more up to a length. */
const readStart = Effect.fnUntraced(function* ({ readPage }: JsonList, length: number) {
  const first = yield* readPage(0)
  let { next } = first
  let text = first.documents.join(",")
  while (next !== undefined && text.length < length) {
    yield* eventLoopTurn
    const page = yield* readPage(next)
    for (const document of page.documents) text += `,${document}`
    next = page.next
  }
  return { text, next }
})

/** Sends a list that is read. `request`: the list has a tag, by which the request may know it. */
const wholeList = (text: string, before: string, after: string, headers: HeaderFields, request?: HttpServerRequest) => {
  const tag = request === undefined ? undefined : contentTag(text)
  const all = tag === undefined ? headers : { ...headers, etag: `W/${tag}` }
  return request !== undefined && tag !== undefined && hasContent(request, tag)
    ? HttpServerResponse.empty({ status: 304, headers: all })
    : addHeaders(HttpServerResponse.text(`${before}[${text}]${after}`, json), all)
}

/**
 * Sends a list. What fits one page is sent whole, and so is a short list that has a tag. If a later page fails, the connection
 * is closed before the end of the body, so that no client takes a part for the whole.
 */
const listResponse = (
  list: JsonList,
  current: CurrentRequest,
  before: string,
  after: string,
  request?: HttpServerRequest
): Respond => {
  const reading = readStart(list, request === undefined ? 0 : maxTaggedLength)
  return Effect.map(Effect.mapError(reading, portProblem), ({ next, text }) => {
    if (next === undefined) return wholeList(text, before, after, current.headers(), request)
    // Handed over, not kept: of a list that is read slowly, one page is in memory.
    let first: Buffer | undefined = Buffer.from(`${before}[${text}`)
    const takeFirst = () => {
      const bytes = first ?? Buffer.of()
      first = undefined
      return bytes
    }
    const pages = Stream.paginate(0, (from) =>
      from === 0
        ? Effect.sync(() => [[takeFirst()], Option.some(next)] as const)
        : Effect.map(Effect.andThen(eventLoopTurn, list.readPage(from)), (page) => {
            const text = page.documents.map((document) => `,${document}`).join("")
            const end = page.next === undefined ? `]${after}` : ""
            return [[Buffer.from(text + end)], Option.fromUndefinedOr(page.next)] as const
          })
    )
    return addHeaders(HttpServerResponse.stream(pages, json), current.headers())
  })
}

/** An answer of JSON. The version of a resource is its `ETag`. */
const jsonResponse = (
  text: string,
  current: CurrentRequest,
  version?: number | undefined
): HttpServerResponse.HttpServerResponse =>
  addHeaders(
    HttpServerResponse.text(text, json),
    current.headers(),
    version === undefined ? undefined : { etag: `"${version}"` }
  )

/** The answer of the management API that has no result. */
export const noResult = (current: CurrentRequest): HttpServerResponse.HttpServerResponse =>
  jsonResponse(`{"status":200,"requestId":"${current.requestId}"}`, current)

/**
 * Writes the success of an operation in the envelope of its API. Contract: docs/wire-contract.md#envelopes,
 * docs/wire-contract.md#create-a-dashboard and docs/wire-contract.md#list-dashboards.
 */
export const envelope = (
  operation: Pick<AnyOperation, "api" | "envelope" | "isConditional" | "success">
): ((value: unknown, current: CurrentRequest, request: HttpServerRequest) => Respond) => {
  const { api, isConditional = false, success } = operation
  const encode = jsonEncoder(success)
  const respond = (
    value: unknown,
    current: CurrentRequest,
    before: string,
    after: string,
    request?: HttpServerRequest
  ): Respond => {
    if (value instanceof JsonText) {
      return Effect.succeed(jsonResponse(before + value.text + after, current, value.version))
    }
    if (value instanceof JsonList) {
      if (request === undefined || !isConditional) return listResponse(value, current, before, after)
      return Effect.flatMap(listResponse(value, current, before, after, request), (list) => gzipAnswer(list, request))
    }
    const version = Predicate.isObject(value) ? versionOf(value) : undefined
    return Effect.mapEager(encode(value), (text) => jsonResponse(before + text + after, current, version))
  }
  if (operation.envelope === "none") return (value, current) => respond(value, current, "", "")
  if (api === "observability") {
    return isNoContent(success)
      ? (_value, current) => Effect.succeed(jsonResponse("{}", current))
      : (value, current) =>
          value instanceof Page
            ? Effect.map(respond(value.items, current, '{"data":', `,"meta":${JSON.stringify(value.meta)}}`), (page) =>
                addHeaders(page, { "x-total-count": String(value.meta.total) })
              )
            : respond(value, current, '{"data":', "}")
  }
  const hasResult = !isNoContent(success)
  return (value, current, request) => {
    if (!hasResult) return Effect.succeed(noResult(current))
    const start = `{"status":200,"requestId":"${current.requestId}"`
    return value instanceof CursorPage
      ? respond(value.items, current, `${start},"result":`, `,${JSON.stringify(value.meta).slice(1)}`)
      : respond(value instanceof Page ? value.items : value, current, `${start},"result":`, "}", request)
  }
}
