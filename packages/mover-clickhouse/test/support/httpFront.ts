import * as Effect from "effect/Effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

/** A session of the engine, as the front uses it. */
export interface Session {
  readonly queryAsync: (sql: string, options: { readonly format: string }) => Promise<{ text: () => string }>
  readonly queryBindAsync: (
    sql: string,
    parameters: object,
    options: { readonly format: string }
  ) => Promise<{ text: () => string }>
  readonly close: () => void
}

/** A server of HTTP over a session of the engine. */
export interface Front {
  readonly url: string
  /** The paths and queries of all requests so far. */
  readonly urls: ReadonlyArray<string>
  /** Breaks the connection of the next insert when it has received so many rows. */
  readonly breakNextInsert: (rows: number) => Effect.Effect<void>
}

/** The user that the front knows. */
export const frontUser = { name: "mover", password: "the-password-of-the-mover" }

const authorization = `Basic ${Buffer.from(`${frontUser.name}:${frontUser.password}`).toString("base64")}`

// The engine reads a parameter as a field of TSV.
const escapes: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", 0: "\0" }
const unescape = (value: string): string =>
  value.replace(/\\(.)/gs, (_, escaped: string) => escapes[escaped] ?? escaped)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The fields of a form; none of another body. */
const fieldsOf = async (type: string, body: Buffer): Promise<ReadonlyArray<readonly [string, string]>> => {
  if (!type.startsWith("multipart/form-data")) return []
  const form = await new Response(Uint8Array.from(body), { headers: { "content-type": type } }).formData()
  return Array.from(form, ([name, value]) => [name, String(value)])
}

/** Serves what the client needs of ClickHouse's interface: a statement in the address, the body or a form, parameters, errors. */
export const startFront = Effect.fnUntraced(function* (session: Session, listensOn = 0) {
  let breaksAfter: number | undefined
  const urls: Array<string> = []
  const answer = (response: ServerResponse, status: number, text: string) => {
    const [, code] = /^Code: (\d+)/.exec(text) ?? []
    if (status !== 200 && code !== undefined) response.setHeader("X-ClickHouse-Exception-Code", code)
    response.writeHead(status).end(text)
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.authorization !== authorization) {
      return answer(response, 403, "Code: 516. DB::Exception: mover: Authentication failed. (AUTHENTICATION_FAILED)")
    }
    urls.push(request.url ?? "")
    const { searchParams } = new URL(request.url ?? "/", "http://localhost")
    const query = searchParams.get("query") ?? ""
    const chunks: Array<Buffer> = []
    let rows = 0
    for await (const chunk of request) {
      chunks.push(chunk)
      if (breaksAfter === undefined || query === "") continue
      for (const byte of chunk) if (byte === 0x0a) rows += 1
      if (rows < breaksAfter) continue
      breaksAfter = undefined
      return request.socket.destroy()
    }
    const body = Buffer.concat(chunks)
    const fields = await fieldsOf(request.headers["content-type"] ?? "", body)
    const parameters = Object.fromEntries(
      [...searchParams, ...fields].flatMap(([name, value]) =>
        name.startsWith("param_") ? [[name.slice("param_".length), unescape(value)]] : []
      )
    )
    const inForm = fields.flatMap(([name, value]) => (name === "query" ? [value] : []))
    const sql = fields.length === 0 ? `${query}\n${body.toString("utf8")}` : `${query}${inForm.join("")}`
    const format = { format: "TSV" }
    const result = await (Object.keys(parameters).length === 0
      ? session.queryAsync(sql, format)
      : session.queryBindAsync(sql, parameters, format))
    answer(response, 200, result.text())
  }
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A connection that broke off has nobody to answer.
      if (!response.destroyed) answer(response, 500, messageOf(error))
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(listensOn, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const front: Front = {
    url: `http://127.0.0.1:${port}`,
    urls,
    breakNextInsert: (rows) =>
      Effect.sync(() => {
        breaksAfter = rows
      })
  }
  return front
})
