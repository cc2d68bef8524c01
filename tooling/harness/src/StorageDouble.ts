// A storage with the interface of S3 that checks signatures, and does what hostile and broken storages do.
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type StorageKey, type Verified, verifySignature } from "./verifySignature.ts"

/** A request as the storage has received it. */
export interface StorageRequest {
  readonly method: string
  /** The `Host` header. */
  readonly host: string
  /** The path as it was sent, and the key with its bucket. */
  readonly path: string
  readonly name: string
  readonly query: URLSearchParams
  readonly range: string | undefined
  readonly ifMatch: string | undefined
  readonly signature: Verified
}

/** What the storage does in the place of its answer. */
export type StorageFault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Breaks the connection after so many bytes of the body. */
  | { readonly cutAfter: number }

/** An answer that leads to another host: by a header, or by a body as S3 has it. */
export const redirectTo = (
  host: string,
  status: number,
  how: "Location" | "PermanentRedirect" | "AuthorizationHeaderMalformed",
  path = "/"
): StorageFault => {
  const error = (code: string, more: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>elsewhere</Message>${more}</Error>`
  if (how === "Location") return { status, headers: { location: `http://${host}${path}` } }
  const headers = { "content-type": "application/xml" }
  const body =
    how === "PermanentRedirect"
      ? error(how, `<Endpoint>${host}</Endpoint><Bucket>bucket</Bucket>`)
      : error(how, `<Region>eu-evil-1</Region><Endpoint>${host}</Endpoint>`)
  return { status, headers, body }
}

interface Held {
  readonly body: Buffer
  readonly etag: string
}

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** The answer to a request for a list, of at most `most` keys. */
const listOf = (objects: ReadonlyMap<string, Held>, bucket: string, query: URLSearchParams, most: number): string => {
  const [prefix, after] = [query.get("prefix") ?? "", query.get("start-after") ?? ""]
  const isAfter = (key: string) => Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0
  const found = Array.from(objects)
    .flatMap(([name, held]) => (name.startsWith(`${bucket}/`) ? [[name.slice(bucket.length + 1), held] as const] : []))
    .filter(([key]) => key.startsWith(prefix) && (after === "" || isAfter(key)))
    .toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  const contents = found.slice(0, most).map(
    ([key, { body, etag }]) =>
      // Of `encoding-type=url`.
      `<Contents><Key>${escapeXml(encodeURIComponent(key).replaceAll("%2F", "/"))}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${body.length}</Size></Contents>`
  )
  return `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${found.length > most}</IsTruncated>${contents.join("")}</ListBucketResult>`
}

const chunkBytes = 64 * 1024

/** Sends a body chunk by chunk, so that no more is counted than the other side has taken, about. */
const sendBody = async (response: ServerResponse, body: Buffer, cutAfter: number, count: (bytes: number) => void) => {
  const most = Math.min(body.length, cutAfter)
  for (let from = 0; from < most && !response.destroyed; from += chunkBytes) {
    const chunk = body.subarray(from, Math.min(from + chunkBytes, most))
    count(chunk.length)
    if (!response.write(chunk)) {
      await new Promise<void>((resume) => {
        const go = () => {
          response.off("drain", go)
          response.off("close", go)
          resume()
        }
        response.on("drain", go)
        response.on("close", go)
      })
    }
  }
  if (cutAfter < body.length) response.destroy()
  else response.end()
}

/** How a double is made. */
export interface StorageDoubleOptions {
  /** The only key that it knows. Absent: anyone may read. */
  readonly key?: StorageKey
  /** Where it listens: loopback, or an address of a network namespace of its own. Without `port`, on any that is free. */
  readonly address?: string
  readonly port?: number
  /** How many keys one list has. */
  readonly keysPerList?: number
}

/** Starts a storage on a free port; it ends with the scope. `bucket/key` are the names of its objects. */
export const startStorageDouble = Effect.fnUntraced(function* (options: StorageDoubleOptions = {}) {
  const { address = "127.0.0.1", key, keysPerList = 1000, port: listensOn = 0 } = options
  const objects = new Map<string, Held>()
  const requests: Array<StorageRequest> = []
  let bytes = 0
  let fault: (request: StorageRequest, index: number) => StorageFault | undefined = () => undefined

  const put = (name: string, body: string | Buffer, etag?: string) => {
    const held = Buffer.from(body)
    objects.set(name, { body: held, etag: etag ?? createHash("md5").update(held).digest("hex") })
  }

  const handle = async (message: IncomingMessage, response: ServerResponse) => {
    const [path = "/", search = ""] = (message.url ?? "/").split("?")
    if (message.method === "POST" || message.method === "PUT") {
      // A test has an engine write an object, by url(). No pipe does.
      const chunks: Array<Buffer> = []
      for await (const chunk of message) chunks.push(chunk)
      put(decodeURIComponent(path.slice(1)), Buffer.concat(chunks))
      return void response.end()
    }
    const request: StorageRequest = {
      method: message.method ?? "",
      host: message.headers.host ?? "",
      path,
      name: decodeURIComponent(path.slice(1)),
      query: new URLSearchParams(search),
      range: message.headers.range,
      ifMatch: message.headers["if-match"],
      signature: key === undefined ? { form: "none", problem: undefined } : verifySignature(message, key)
    }
    requests.push(request)
    const answer = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
      void response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : body)
    const done = fault(request, requests.length - 1)
    if (done !== undefined && "status" in done) return answer(done.status, done.body ?? "", done.headers)
    const { problem } = request.signature
    if (problem !== undefined) return answer(403, `<Error><Code>${problem}</Code></Error>`)
    if (request.query.get("list-type") === "2") {
      const list = Buffer.from(listOf(objects, request.name.replace(/\/$/u, ""), request.query, keysPerList))
      response.writeHead(200, { "content-length": String(list.length) })
      return sendBody(response, list, done === undefined ? Infinity : done.cutAfter, () => undefined)
    }
    const held = objects.get(request.name)
    if (held === undefined) return answer(404, "<Error><Code>NoSuchKey</Code></Error>")
    const etag = `"${held.etag}"`
    if (request.ifMatch !== undefined && request.ifMatch !== etag) {
      return answer(412, "<Error><Code>PreconditionFailed</Code></Error>")
    }
    const [, from, to] = /^bytes=(\d+)-(\d*)$/u.exec(request.range ?? "") ?? []
    const end = to === undefined || to === "" ? held.body.length : Math.min(Number(to) + 1, held.body.length)
    const part = from === undefined ? held.body : held.body.subarray(Number(from), end)
    const headers = {
      etag,
      "accept-ranges": "bytes",
      "content-length": String(part.length),
      "last-modified": new Date(0).toUTCString(),
      ...(from === undefined ? {} : { "content-range": `bytes ${from}-${end - 1}/${held.body.length}` })
    }
    if (from !== undefined && Number(from) >= held.body.length && held.body.length > 0) {
      return answer(416, "<Error><Code>InvalidRange</Code></Error>")
    }
    response.writeHead(from === undefined ? 200 : 206, headers)
    if (request.method === "HEAD") return void response.end()
    const cutAfter = done === undefined ? Infinity : done.cutAfter
    return sendBody(response, part, cutAfter, (sent) => {
      bytes += sent
    })
  }

  const server = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy())
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(listensOn, address, () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const bound = server.address()
  const port = typeof bound === "object" && bound !== null ? bound.port : 0
  return {
    url: `http://${address}:${port}`,
    port,
    /** All requests so far. */
    requests,
    /** How many bytes of objects were sent. */
    bytesSent: () => bytes,
    /** Writes an object, in the place of one of its name. Its version is that of its bytes, unless `etag` lies about it. */
    put,
    remove: (name: string) => void objects.delete(name),
    /** From now on asks what to do with a request in the place of the right answer; `undefined` is that one. */
    failBy: (decide: (request: StorageRequest, index: number) => StorageFault | undefined) => {
      fault = decide
    }
  }
})

/** A storage that runs. */
export type StorageDouble = Effect.Success<ReturnType<typeof startStorageDouble>>
