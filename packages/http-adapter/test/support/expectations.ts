import { isNoContent } from "@headgate/http-contract"
import type { PortError } from "@headgate/core"
import type { SampleCall } from "@headgate/samples"
import type { FaultName } from "./cell.ts"
import type { ClientName } from "./clients.ts"

/** The result of a call that meets a fault. */
export interface Expected {
  /** The tag of the error; `undefined` for a success. */
  readonly tag?: PortError["_tag"] | undefined
  readonly status?: number
  /** How many requests the server sees. */
  readonly requests: number
  /** How often the call was sent, where that is not how often it arrived. */
  readonly attempts?: number
  readonly connections?: number
  readonly says?: string | RegExp
  /** Whether the client hangs up on each request. */
  readonly aborts?: boolean
}

/** What differs for some operations or clients. */
interface Exceptions {
  readonly create?: Partial<Expected>
  /** A creation with a key: the client asks the service whether it honours it before it repeats the creation. */
  readonly keyed?: Partial<Expected>
  /** An operation whose answer holds nothing. */
  readonly contentless?: Partial<Expected>
  /** An operation that names a resource fails with the NotFound error of its row. */
  readonly isNotFound?: true
  /** A client that asks for no compression, and does not undo it. */
  readonly uncompressed?: Partial<Expected>
}

type Expectation = Expected & { readonly but?: Exceptions }

const fine: Expected = { requests: 1 }
const fails = (tag: Expected["tag"], status: number, says: string): Expected => ({ tag, status, requests: 1, says })
const other = (status: number, what: string): Expected => fails("UnexpectedResponse", status, what)
const odd = (status: number, what = ""): Expected => other(status, `than the contract describes: ${what}`)
const redirects = (status: number): Expected => other(status, ", which is not followed")

/** A failure after which a read and a delete are retried, and a create is not. */
const transient = (expected: Expected): Expectation => ({ ...expected, requests: 3, but: { create: { requests: 1 } } })
const fault = (status: number, says: string) => transient(fails("ServerError", status, says))
const lost = transient({ tag: "ConnectionError", requests: 3, says: "no answer from the service: " })
const late = transient({ tag: "TimeoutError", requests: 3, says: "no answer within 1m", aborts: true })

/** The server never gets a request. */
const noRequest = (says: string | RegExp): Expectation => ({
  tag: "ConnectionError",
  requests: 0,
  attempts: 3,
  says,
  but: { create: { attempts: 1 } }
})
const unreached = (expected: Expectation): Expectation => ({
  ...expected,
  connections: 3,
  but: { create: { attempts: 1, connections: 1 }, keyed: { connections: 2 } }
})
/** A failure that a retry would repeat. */
const distrusted = (words: string): Expected => ({
  tag: "ConnectionError",
  requests: 0,
  attempts: 1,
  connections: 1,
  says: new RegExp(
    `(${words}).*; nothing was sent, since its certificate is not to be trusted: check the base URL; on Node, NODE_EXTRA_CA_CERTS .*$`
  )
})

// Where an envelope need hold nothing, its reader has nothing to miss.
const contentless: Partial<Expected> = { tag: undefined }

const expectations: Readonly<Record<FaultName, Expectation>> = {
  "a good answer": fine,
  "a good answer in chunks": fine,
  "a good answer, compressed": { ...fine, but: { uncompressed: odd(200) } },

  "201 with a good body": fine,
  "202 without a body": odd(202),
  "204": odd(204),
  "an empty 200": odd(200),
  "an empty object": { ...odd(200), but: { contentless } },
  "a null": odd(200, "Expected an object"),
  "a page with 200": odd(200),
  "cut JSON": odd(200),
  "bytes that are no text": odd(200),
  "a body that is not compressed as it says": { ...lost, but: { ...lost.but, uncompressed: odd(200) } },
  "a wrong shape": { ...odd(200), but: { contentless } },
  "a failure inside a success": odd(200),
  "a good body that says it is a failure": odd(200, "its own status says that it is no success"),
  "a failure around a good body": fault(500, "the service failed (HTTP 500)"),

  "a redirect": redirects(302),
  "301 to elsewhere": redirects(301),
  "303 to elsewhere": redirects(303),
  "304 with nothing": redirects(304),
  "307 to another origin": redirects(307),
  "308 to elsewhere": redirects(308),

  "400 that names a field": fails("InvalidRequest", 400, "name: Expected 1 to 255 characters"),
  "plain-text 401": fails("Unauthorized", 401, "credentials: Unauthorized"),
  "401 without a body": fails("Unauthorized", 401, "does not accept the credentials"),
  "403": fails("Forbidden", 403, "do not allow this: role"),
  "404": { ...other(404, "nothing here"), but: { isNotFound: true } },
  "405 with a page": other(405, "405 Not Allowed"),
  "408": transient(fails("TimeoutError", 408, "gave up waiting")),
  "409": fails("Conflict", 409, "cannot do this now: busy"),
  "413 with a page": fails("InvalidRequest", 413, "413 Too Large"),
  "HTML 429": { ...fails("RateLimited", 429, "429 Slow down"), requests: 3 },
  "429 with little": { ...fails("RateLimited", 429, "too many requests"), requests: 3 },
  "429 with Retry-After, then good": { requests: 2 },
  "500": fault(500, "the service failed (HTTP 500)"),
  "500, then good": { requests: 2, but: { create: { ...fails("ServerError", 500, "once") } } },
  "501 without a body": fails("ServerError", 501, "the service failed (HTTP 501)"),
  "502 with a page": fault(502, "502 Bad Gateway"),
  "503 without Retry-After": fault(503, "down"),
  "503 with Retry-After, then good": { requests: 2 },
  "504 with a page": fault(504, "504 Gateway Time-out"),

  "a reset before the answer": lost,
  "a reset, then good": { requests: 2, but: { create: { tag: "ConnectionError", requests: 1 } } },
  "a reset in the answer": lost,
  "a reset between chunks": lost,
  "an end before the answer": lost,
  "an end after an early hint": lost,
  "an end before the declared length": lost,
  "an end between chunks": lost,
  "no HTTP": lost,
  "two lengths": lost,
  "headers without end": lost,

  silence: late,
  "silence in the answer": late,
  "silence between chunks": late,

  "a declared flood": { ...other(200, "larger than 1 MiB"), aborts: true },
  "a compressed flood": { ...other(200, "larger than 1 MiB"), but: { uncompressed: odd(200) } },
  "an endless flood": { ...other(200, "larger than 1 MiB"), aborts: true },

  "a name without an address": noRequest(
    /(ENOTFOUND|EAI_AGAIN) headgate\.invalid; (nothing was sent|the last attempt sent nothing)$/
  ),
  "a refused connection": noRequest(/ECONNREFUSED .*; (nothing was sent|the last attempt sent nothing)$/),
  "a reset before the request is read": unreached(noRequest("no answer from the service: ")),
  "a reset in the TLS handshake": unreached(noRequest("ECONNRESET")),
  "silence in the TLS handshake": { ...noRequest("no answer within 1m"), tag: "TimeoutError" },
  "plain http where TLS is expected": unreached(
    noRequest(/^no answer from the service: TLS: wrong version number($|; it may have taken effect)/)
  ),
  "TLS where plain http is expected": unreached(noRequest("no answer from the service: ")),
  "a self-signed certificate": distrusted("self-signed certificate"),
  "a certificate that has expired": distrusted("self-signed certificate|certificate has expired"),
  "a certificate of another host": distrusted("self-signed certificate|does not match")
}

const supported: ReadonlySet<ClientName> = new Set(["fetch", "fetch alone", "undici"])

/** The result of this operation over this client with this fault. */
export const expectationOf = (client: ClientName, sample: SampleCall, fault: FaultName): Expected => {
  const { but, ...expected } = expectations[fault]
  return {
    ...expected,
    ...(!sample.isRepeatable && but?.create),
    ...(!sample.isRepeatable && sample.operation.method === "POST" && but?.keyed),
    ...(isNoContent(sample.operation.success) && but?.contentless),
    ...(sample.operation.notFound !== undefined && but?.isNotFound && { tag: sample.operation.notFound }),
    // fetch and our undici undo compression; the others do not ask for it.
    ...(!supported.has(client) && but?.uncompressed)
  }
}
