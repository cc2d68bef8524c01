// ClickHouse's HTTP interface as queries use it, over the engine inside this process: each request has a connection of its own with the
// settings of its address. What a real server does with users, grants and profiles is not here.
import { createClient } from "@clickhouse/client"
import * as Effect from "effect/Effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { directory, loadConnections } from "../../../mover-clickhouse/test/support/engine.ts"

type Connection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>["connection"]>

/** Parameters of the interface that are no settings of the engine. */
const notSettings = new Set([
  "query",
  "query_id",
  "database",
  "default_format",
  "wait_end_of_query",
  "cancel_http_readonly_queries_on_client_close"
])

const unescape = (value: string): string =>
  value.replaceAll(/\\(.)/gsu, (_, sign: string) => (sign === "n" ? "\n" : sign))

const literal = (value: string): string => `'${value.replaceAll(/[\\']/gu, "\\$&")}'`

const fieldsOf = async (type: string, body: Buffer) => {
  if (!type.startsWith("multipart/form-data")) return new Map<string, string>([["query", body.toString("utf8")]])
  const form = await new Response(Uint8Array.from(body), { headers: { "content-type": type } }).formData()
  return new Map(Array.from(form, ([name, value]) => [name, String(value)] as const))
}

/** Serves queries to one user. `profile`: what is set before the settings of a request. */
export const startQueryFront = Effect.fnUntraced(function* (
  user: { readonly name: string; readonly password: string },
  profile: ReadonlyArray<string> = []
) {
  // The package has no types here.
  const { createChdbConnection } = (yield* Effect.promise(loadConnections)) as {
    readonly createChdbConnection: (options: { readonly path: string }) => Connection
  }
  const authorization = `Basic ${Buffer.from(`${user.name}:${user.password}`).toString("base64")}`
  const urls: Array<URL> = []
  const hosts: Array<string> = []
  const run = async (client: ReturnType<typeof createClient>, query: string): Promise<string> => {
    const { stream } = await client.exec({ query })
    const chunks: Array<Buffer> = []
    for await (const chunk of stream) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks).toString("utf8")
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.authorization !== authorization) {
      response
        .writeHead(403)
        .end(`Code: 516. DB::Exception: ${user.name}: Authentication failed. (AUTHENTICATION_FAILED)`)
      return
    }
    const url = new URL(request.url ?? "/", "http://localhost")
    urls.push(url)
    hosts.push(request.headers.host ?? "")
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const fields = await fieldsOf(request.headers["content-type"] ?? "", Buffer.concat(chunks))
    const parameters = [...url.searchParams, ...fields].filter(([name]) => name.startsWith("param_"))
    let sql = fields.get("query") ?? ""
    for (const [name, value] of parameters) {
      const known = new RegExp(`\\{${name.slice("param_".length)}:(\\w+)\\}`, "gu")
      sql = sql.replaceAll(known, (_, type: string) => `CAST(${literal(unescape(value))}, '${type}')`)
    }
    if (url.searchParams.has("default_format") && !/\bFORMAT\b/u.test(sql)) {
      sql += ` FORMAT ${url.searchParams.get("default_format") ?? ""}`
    }
    // The engine inside a process has no ids of queries.
    const id = url.searchParams.get("query_id") ?? ""
    sql = sql.replace(/^KILL QUERY WHERE query_id = '([\w-]+)'/u, "KILL QUERY WHERE query LIKE '/* id $1 */%'")
    const client = createClient({ connection: createChdbConnection({ path: directory() }) })
    try {
      for (const setting of profile) await run(client, setting)
      const settings = Array.from(url.searchParams).filter(
        ([name]) => !notSettings.has(name) && !name.startsWith("param_")
      )
      // `readonly` is the last one: a server takes all of them at once.
      settings.sort(([one], [other]) => Number(one === "readonly") - Number(other === "readonly"))
      for (const [name, value] of settings) await run(client, `SET ${name} = ${literal(value)}`)
      const answer = await run(client, id.startsWith("headgate-") ? `/* id ${id} */ ${sql}` : sql)
      response.writeHead(200).end(answer)
    } finally {
      await client.close()
    }
  }
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.destroyed) return
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      response.writeHead(500).end(cause)
    })
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
  return { url: `http://127.0.0.1:${port}`, port, urls, hosts }
})
