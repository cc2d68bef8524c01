import type { ObjectReference } from "@headgate/mover"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createHash } from "node:crypto"
import { createServer } from "node:http"

/** An object that anyone may read at a URL. */
export const objectAt = (url: string, change: Partial<ObjectReference> = {}): ObjectReference => ({
  key: "an object",
  format: "JSONEachRow",
  compression: "none",
  address: Effect.succeed({ _tag: "Url", url: Redacted.make(url), headers: {}, isSigned: false }),
  ...change
})

/**
 * A storage of objects that anyone may read, as the engine asks for them: GET and HEAD of a bucket's keys, with ranges.
 * `beforeAnswer` runs before each answer.
 */
export const startObjectsWith = Effect.fnUntraced(function* (beforeAnswer: () => Promise<void>) {
  const objects = new Map<string, Buffer>()
  const requests: Array<{ readonly path: string; readonly isSigned: boolean }> = []
  const server = createServer(async (request, response) => {
    await beforeAnswer()
    const { pathname } = new URL(request.url ?? "/", "http://localhost")
    requests.push({ path: pathname, isSigned: request.headers.authorization !== undefined })
    const body = objects.get(decodeURIComponent(pathname))
    if (body === undefined) return response.writeHead(404).end()
    const etag = `"${createHash("md5").update(body).digest("hex")}"`
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? []
    const part = from === undefined ? body : body.subarray(Number(from), to === "" ? undefined : Number(to) + 1)
    const headers = { etag, "content-length": part.length, "last-modified": new Date(0).toUTCString() }
    const total = `bytes ${from}-${Number(from) + part.length - 1}/${body.length}`
    response.writeHead(
      from === undefined ? 200 : 206,
      from === undefined ? headers : { ...headers, "content-range": total }
    )
    return response.end(request.method === "HEAD" ? undefined : part)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const urlOf = (key: string) => `http://127.0.0.1:${port}/bucket/${key.split("/").map(encodeURIComponent).join("/")}`
  return {
    requests,
    urlOf,
    /** Writes an object, and says how to read it. */
    put: (key: string, body: string | Buffer, change: Partial<ObjectReference> = {}) =>
      Effect.sync((): ObjectReference => {
        objects.set(`/bucket/${key}`, Buffer.from(body))
        return objectAt(urlOf(key), { key, ...change })
      })
  }
})

export const startObjects = startObjectsWith(() => Promise.resolve())
