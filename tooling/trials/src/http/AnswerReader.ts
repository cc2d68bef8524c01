/** One answer, as it came over the wire. */
export interface WireAnswer {
  readonly status: number
  /** By lower-case name; what came twice is joined with a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
}

interface Head {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  /** Where the body begins. */
  readonly end: number
}

const endOfHead = Buffer.from("\r\n\r\n")

const readHead = (bytes: Buffer): Head | undefined => {
  const at = bytes.indexOf(endOfHead)
  if (at === -1) return undefined
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, at).split("\r\n")
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1])
  if (Number.isNaN(status)) throw new Error(`this is no HTTP: ${JSON.stringify(statusLine)}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(":")
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return { status, headers, end: at + endOfHead.length }
}

/** The body in chunks, and how many bytes it took; `undefined` until all of it is there. */
const readChunks = (bytes: Buffer, start: number): { readonly body: Buffer; readonly end: number } | undefined => {
  const parts: Array<Buffer> = []
  let at = start
  for (;;) {
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

/** Reads the answers of one connection from its bytes, one request at a time. */
export class AnswerReader {
  private bytes: Buffer = Buffer.alloc(0)

  add(chunk: Buffer): void {
    this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes, chunk])
  }

  /** The next whole answer, if it is there. `closed`: no more bytes come, so that what has no length ends here. */
  take(method: string, closed = false): WireAnswer | undefined {
    const head = readHead(this.bytes)
    if (head === undefined) return undefined
    const { end, headers, status } = head
    if (status < 200 && status !== 101) {
      this.bytes = this.bytes.subarray(end)
      return this.take(method, closed)
    }
    const found = this.bodyOf(method, head, closed)
    if (found === undefined) return undefined
    this.bytes = this.bytes.subarray(found.end)
    return { status, headers, body: found.body }
  }

  private bodyOf(method: string, { end, headers, status }: Head, closed: boolean) {
    if (method === "HEAD" || status === 204 || status === 304) return { body: Buffer.alloc(0), end }
    if (headers.get("transfer-encoding") === "chunked") return readChunks(this.bytes, end)
    const declared = headers.get("content-length")
    const last = declared === undefined ? (closed ? this.bytes.length : Infinity) : end + Number(declared)
    return this.bytes.length < last ? undefined : { body: this.bytes.subarray(end, last), end: last }
  }
}
