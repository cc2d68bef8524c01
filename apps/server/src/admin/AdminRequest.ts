import { fieldIssues, formatFieldIssues, InvalidRequest } from "@headgate/core/error"
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import { MaxBodySize } from "effect/http/HttpIncomingMessage"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"
import { isTooDeep } from "../http/BodyDepth.ts"
import type { Refusal } from "../http/errorResponse.ts"

/** The largest body that `/_admin` takes, in bytes: a seed is as large as the state it brings. */
export const maxAdminBodyBytes = 64 * 1024 * 1024

const strictly = { errors: "all", onExcessProperty: "error" } as const

const decoded = <A>(schema: Schema.Codec<A, unknown>, input: unknown): Effect.Effect<A, InvalidRequest> =>
  Schema.decodeUnknownEffect(
    schema,
    strictly
  )(input).pipe(
    Effect.mapError((error) => {
      const issues = fieldIssues(error)
      return new InvalidRequest({ message: formatFieldIssues(issues), issues })
    })
  )

const parsed = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

const badBody = (message: string) => new InvalidRequest({ message: `body: ${message}`, issues: [] })

/** The body of a request as JSON. Fails with `InvalidRequest`; a body that is too large is a defect, as everywhere. */
export const jsonBody = (request: HttpServerRequest): Effect.Effect<unknown, InvalidRequest> =>
  Effect.gen(function* () {
    const text = yield* Effect.orDie(request.text)
    if (isTooDeep(text)) return yield* badBody("Expected JSON that is nested less deeply")
    return yield* parsed(text).pipe(Effect.mapError(() => badBody("Expected valid JSON")))
  }).pipe(Effect.provideService(MaxBodySize, ByteSize.fromInputUnsafe(maxAdminBodyBytes)))

/** The body of a request, checked. Fails with `InvalidRequest`, which names every field that is wrong. */
export const checkedBody = <A>(request: HttpServerRequest, schema: Schema.Codec<A, unknown>) =>
  Effect.flatMap(jsonBody(request), (body) => decoded(schema, body))

/** The query of a request, checked. Of a parameter that stands twice, the last counts. */
export const checkedQuery = <A>({ url }: HttpServerRequest, schema: Schema.Codec<A, unknown>) =>
  decoded(schema, Object.fromEntries(new URLSearchParams(url.split(/\?(.*)/su, 2)[1] ?? "")))

const isJson = (contentType: string | undefined): boolean => /^application\/json\s*(?:;|$)/iu.test(contentType ?? "")

const hasBody = ({ headers }: HttpServerRequest): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** A body of another type is refused: without asking first, a page in a browser can send no JSON. */
export const unsupportedBody = (request: HttpServerRequest): Refusal | undefined =>
  hasBody(request) && !isJson(request.headers["content-type"])
    ? { code: "UNSUPPORTED_MEDIA_TYPE", message: "content-type: Expected application/json" }
    : undefined
