import { connect, type Socket } from "node:net"

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number
  /** By lower-case name; repeated headers are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

/** An answer, or how the connection ended without one. */
export type Outcome = WireAnswer | { readonly silence: string }

/** A request as text, for what a trial need not spoil. */
export interface PlainRequest {
  readonly method: string
  readonly path: string
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>
  readonly authorization?: string | undefined
  /** Sent as it is if a string, else as JSON. */
  readonly body?: unknown
}

/** The bytes of a request. */
export const requestBytes = ({ authorization, body, headers = [], method, path }: PlainRequest): Buffer => {
  const text = typeof body === "string" ? body : body === undefined ? "" : JSON.stringify(body)
  const hasType = headers.some(([name]) => name === "content-type")
  return Buffer.from(
    [
      `${method} ${path} HTTP/1.1`,
      "host: headgate.test",
      ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined || hasType ? [] : ["content-type: application/json"]),
      ...(body === undefined ? [] : [`content-length: ${Buffer.byteLength(text)}`]),
      "",
      text
    ].join("\r\n")
  )
}

/** How long an answer may take. Generous, because the machine may be shared. */
const answerTimeout = 10_000

/** A connection is not used in the last second before the server closes it: that request would get no answer. */
const idleMargin = 1_000

const endOfHead = Buffer.from("\r\n\r\n")

const readHead = (bytes: Buffer, length: number) => {
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, length).split("\r\n")
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1])
  if (Number.isNaN(status)) throw new Error(`not HTTP: ${JSON.stringify(statusLine)}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(":")
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value)
  }
  return { status, headers }
}

/** A chunked body and where it ends; `undefined` until it is complete. */
const readChunks = (bytes: Buffer, start: number) => {
  const parts: Array<Buffer> = []
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf("\r\n", at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16)
    const next = lineEnd + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return { body: Buffer.concat(parts), end: next }
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = next
  }
}

/**
 * The first complete answer to a request with this method, and the bytes behind it; `undefined` until it is complete.
 * `isClosed`: no more bytes come, so that a body without a length ends here.
 */
export const readAnswer = (
  bytes: Buffer,
  method: string,
  isClosed: boolean
): { readonly answer: WireAnswer; readonly rest: Buffer } | undefined => {
  const length = bytes.indexOf(endOfHead)
  if (length === -1) return undefined
  const { headers, status } = readHead(bytes, length)
  const start = length + endOfHead.length
  if (status < 200 && status !== 101) return readAnswer(bytes.subarray(start), method, isClosed)
  const isEmpty = method === "HEAD" || status === 204 || status === 304
  if (!isEmpty && headers.get("transfer-encoding") === "chunked") {
    const found = readChunks(bytes, start)
    return found && { answer: { status, headers, body: found.body }, rest: bytes.subarray(found.end) }
  }
  const declared = headers.get("content-length")
  const end = isEmpty ? start : declared === undefined ? (isClosed ? bytes.length : Infinity) : start + Number(declared)
  if (bytes.length < end) return undefined
  return { answer: { status, headers, body: bytes.subarray(start, end) }, rest: bytes.subarray(end) }
}

/** Where a connection goes, and from which address of this machine. */
export interface Route {
  readonly url: string
  readonly localAddress?: string
}

/**
 * A connection that sends bytes as they are and reads the answer, one request at a time. It reconnects when the server
 * has closed it or is about to. No client library corrects, rejects or retries a request.
 */
export class WireConnection {
  private socket: Socket | undefined
  private usableUntil = Infinity
  private bytes: Buffer = Buffer.alloc(0)
  private listener: ((isClosed: boolean, error?: Error) => void) | undefined
  private readonly route: Route

  constructor(route: Route) {
    this.route = route
  }

  /** Sends a request. `method` tells whether its answer has a body. */
  async exchange(request: Uint8Array, method: string): Promise<Outcome> {
    if (performance.now() > this.usableUntil) this.close()
    const socket = this.socket ?? (await this.open())
    return await new Promise<Outcome>((resolve) => {
      const settle = (outcome: Outcome) => {
        clearTimeout(timer)
        this.listener = undefined
        resolve(outcome)
      }
      const timer = setTimeout(() => {
        this.close()
        settle({ silence: `no answer in ${answerTimeout} ms` })
      }, answerTimeout)
      this.listener = (isClosed, error) => {
        const found = readAnswer(this.bytes, method, isClosed)
        if (found === undefined) {
          if (isClosed) settle({ silence: error?.message ?? "the connection was closed without an answer" })
          return
        }
        this.bytes = found.rest
        const seconds = /(?:^|[,\s])timeout=(\d+)/.exec(found.answer.headers.get("keep-alive") ?? "")?.[1]
        this.usableUntil = performance.now() + Number(seconds ?? Infinity) * 1_000 - idleMargin
        if (found.answer.headers.get("connection") === "close") this.close()
        settle(found.answer)
      }
      socket.write(request)
    })
  }

  /** Sends a request and rejects if no answer came. */
  async send(request: PlainRequest): Promise<WireAnswer> {
    const outcome = await this.exchange(requestBytes(request), request.method)
    if ("silence" in outcome) throw new Error(`${request.method} ${request.path}: ${outcome.silence}`)
    return outcome
  }

  close(): void {
    this.socket?.destroy()
    this.socket = undefined
  }

  private async open(): Promise<Socket> {
    const { hostname, port } = new URL(this.route.url)
    this.bytes = Buffer.alloc(0)
    this.usableUntil = Infinity
    const { localAddress } = this.route
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, ...(localAddress && { localAddress }) })
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject))
    let failure: Error | undefined
    socket.on("error", (error) => (failure = error))
    socket.on("data", (chunk: Buffer) => {
      if (socket !== this.socket) return
      this.bytes = Buffer.concat([this.bytes, chunk])
      this.listener?.(false)
    })
    socket.on("close", () => {
      if (this.socket !== socket) return
      this.socket = undefined
      this.listener?.(true, failure)
    })
    this.socket = socket
    return socket
  }
}
