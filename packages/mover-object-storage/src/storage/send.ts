import { isLinkLocal, SourceError } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { LookupAddress, LookupOptions } from "node:dns"
import { lookup } from "node:dns/promises"
import * as http from "node:http"
import * as https from "node:https"
import { isIP } from "node:net"

/** What a storage has answered. */
export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

const timeout = "30 seconds"
// A list has at most 1,000 keys of 1,024 bytes, which may be percent-encoded.
const maxAnswerBytes = 16 * 1024 * 1024

/** The address of a host, if none that its name leads to is link-local: for a process that is given no other rule. */
export const resolveHost = Effect.fnUntraced(function* (hostname: string) {
  const host = hostname.replace(/^\[(.*)\]$/u, "$1")
  const found = yield* Effect.tryPromise({
    try: () => lookup(host, { all: true, order: "verbatim" }),
    catch: (error) => {
      const code = Predicate.hasProperty(error, "code") ? String(error.code) : "no answer"
      return new SourceError({
        message: `the storage ${hostname} cannot be reached: its name cannot be resolved: ${code}`
      })
    }
  })
  const [first] = found
  if (first === undefined || found.some(({ address }) => isLinkLocal(address))) {
    const message = `the storage ${hostname} cannot be reached: it has a link-local address`
    return yield* new SourceError({ message })
  }
  return first.address
})

type Found = (error: NodeJS.ErrnoException | null, address: string | Array<LookupAddress>, family?: number) => void

/** Answers each lookup with this address. */
const lookupTo =
  (address: string) =>
  (_: string, options: LookupOptions, found: Found): void => {
    const family = isIP(address)
    if (options.all === true) found(null, [{ address, family }])
    else found(null, address, family)
  }

/** Sends a request without a body to an address of the host, and follows no redirect. */
export const send = (method: string, url: URL, headers: Readonly<Record<string, string>>, address: string) =>
  Effect.callback<Answer, SourceError>((resume) => {
    const fail = (message: string) =>
      resume(Effect.fail(new SourceError({ message: `the storage ${url.host} cannot be reached: ${message}` })))
    const { request: open } = url.protocol === "https:" ? https : http
    const request = open(url, { method, headers, lookup: lookupTo(address) }, (response) => {
      const chunks: Array<Buffer> = []
      let bytes = 0
      response.on("error", (error) => fail(error.message))
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= maxAnswerBytes) return void chunks.push(chunk)
        request.destroy()
        fail(`its answer has more than ${maxAnswerBytes} bytes`)
      })
      response.on("end", () => {
        const { headers, statusCode: status = 0 } = response
        resume(Effect.succeed({ status, headers, body: Buffer.concat(chunks).toString("utf8") }))
      })
    })
    request.on("error", (error) => fail(error.message))
    request.end()
    return Effect.sync(() => void request.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(new SourceError({ message: `the storage ${url.host} did not answer within ${timeout}` }))
    })
  )
