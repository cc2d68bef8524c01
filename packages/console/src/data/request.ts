import { CallFailed } from "./CallFailed.ts"
import { noteDate } from "./clock.ts"
import { endSession, session } from "./session.ts"

/** The kinds of answers: an envelope `{result}` of the management API, `{data}` of the observability API, or the answer as it is. */
type Envelope = "result" | "data" | "none"

/** One request. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  readonly body?: unknown
  readonly envelope?: Envelope
  /** Sent as `Authorization`; false for the exchange of credentials for a session. */
  readonly authorization?: string | false
  /** The version that a change is made to. */
  readonly ifMatch?: string | undefined
  /** Sent with a creation, the same for each attempt of it, so that it happens once. */
  readonly idempotencyKey?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** An answer: its content, and its version. */
export interface Answer {
  readonly value: unknown
  readonly etag: string | undefined
}

/** What answers to a GET are kept, by path: an unchanged one is a 304 without a body. */
const kept = new Map<string, Answer>()
const maxKept = 200

const keep = (path: string, answer: Answer): void => {
  kept.delete(path)
  kept.set(path, answer)
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
}

const signedOut = new CallFailed("The session has ended: sign in again.", { status: 401 })

const headersOf = ({ authorization, body, idempotencyKey, ifMatch, method, path }: HttpRequest): Headers => {
  const headers = new Headers({ accept: "application/json" })
  if (authorization !== false) {
    const sent = authorization ?? (session.value === undefined ? undefined : `Bearer ${session.value.token}`)
    if (sent === undefined) throw signedOut
    headers.set("authorization", sent)
  }
  if (body !== undefined) headers.set("content-type", "application/json")
  if (ifMatch !== undefined) headers.set("if-match", ifMatch)
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey)
  const tag = method === "GET" ? kept.get(path)?.etag : undefined
  if (tag !== undefined) headers.set("if-none-match", tag)
  return headers
}

const retryAfterOf = (response: Response): number | undefined => {
  const text = response.headers.get("retry-after")
  const seconds = text === null ? Number.NaN : Number(text)
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}

/** The message of an error answer: `error` in the envelope of the management API, `message` in that of the other. */
const messageOf = (body: unknown, status: number): string => {
  if (typeof body === "object" && body !== null) {
    for (const name of ["error", "message"] as const) {
      const text: unknown = Reflect.get(body, name)
      if (typeof text === "string" && text !== "") return text
    }
  }
  return typeof body === "string" && body !== "" ? body.slice(0, 1000) : `The server answered ${status}.`
}

const noAnswer = (error: unknown, { signal }: HttpRequest): unknown =>
  signal?.aborted === true ? error : new CallFailed("The server does not answer.")

const bodyOf = async (response: Response, request: HttpRequest): Promise<unknown> => {
  const text = await response.text().catch((error: unknown) => {
    throw noAnswer(error, request)
  })
  if (text === "") return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const strange = new CallFailed("What answered is not this server, or another version of it.")

/**
 * What the envelope holds. What has none was answered by something else, such as by a proxy with a page to sign in. A change may have an
 * answer without a body, or without a result.
 */
const unwrap = (body: unknown, { envelope = "result", method }: HttpRequest): unknown => {
  if (body === undefined && method !== "GET") return undefined
  if (typeof body !== "object" || body === null) throw strange
  if (envelope === "none") return body
  const value: unknown = Reflect.get(body, envelope)
  if (method === "GET" && (value === undefined || value === null)) throw strange
  return value
}

const fetched = async (request: HttpRequest): Promise<Response> => {
  const init: RequestInit = {
    method: request.method,
    headers: headersOf(request),
    body: request.body === undefined ? null : JSON.stringify(request.body),
    // No cookie, and a 401 opens no password box of the browser.
    credentials: "omit",
    cache: "no-store",
    redirect: "error",
    signal: request.signal ?? null
  }
  try {
    return await fetch(request.path, init)
  } catch (error) {
    throw noAnswer(error, request)
  }
}

const failureOf = (response: Response, body: unknown): CallFailed =>
  new CallFailed(messageOf(body, response.status), {
    status: response.status,
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfter: retryAfterOf(response)
  })

/** Sends a request, the only way to the server. Rejects with a {@link CallFailed}, or with what the signal was aborted with. */
export const send = async (request: HttpRequest): Promise<Answer> => {
  const opened = session.value
  const before = request.method === "GET" ? kept.get(request.path) : undefined
  const response = await fetched(request)
  noteDate(response.headers.get("date"))
  const etag = response.headers.get("etag") ?? undefined
  if (response.status === 304 && before !== undefined) return before
  const body = await bodyOf(response, request)
  if (!response.ok) {
    // An answer to an earlier session does not end a later one.
    if (response.status === 401 && request.authorization === undefined && session.value === opened) endSession()
    throw failureOf(response, body)
  }
  const answer = { value: unwrap(body, request), etag }
  if (request.method === "GET" && etag !== undefined && session.value === opened) keep(request.path, answer)
  return answer
}

// Another session may see something else, also one that takes the place of this one without a sign-out.
session.subscribe(() => kept.clear())
