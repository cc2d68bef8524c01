// A front of a warehouse that knows two users, the mover's and that of charts, and keeps the statements of the latter.
import { bodyOf, type LocalServer, serveLocally } from "@headgate/harness/ReverseProxy"
import { request, type IncomingMessage, type ServerResponse } from "node:http"
import { frontUser } from "../../../../packages/mover-clickhouse/test/support/httpFront.ts"

/** The user of charts. */
export const chartUser = { name: "charts", password: "the-password-of-charts" }

const basic = ({ name, password }: typeof chartUser) => `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`

/** A statement as it came: its text, its parameters and its settings. */
export interface SeenStatement {
  readonly sql: string
  readonly parameters: Readonly<Record<string, string>>
}

/** The fields of a form of the ClickHouse client; none of another body. */
const formOf = async (type: string, body: Buffer): Promise<ReadonlyArray<readonly [string, string]>> => {
  if (!type.startsWith("multipart/form-data")) return []
  const form = await new Response(Uint8Array.from(body), { headers: { "content-type": type } }).formData()
  return Array.from(form, ([name, value]) => [name, String(value)])
}

const statementOf = async (incoming: IncomingMessage, body: Buffer): Promise<SeenStatement> => {
  const { searchParams } = new URL(incoming.url ?? "/", "http://localhost")
  const form = await formOf(incoming.headers["content-type"] ?? "", body)
  const fields = [...searchParams, ...form]
  const parameters = Object.fromEntries(fields.filter(([name]) => name !== "query"))
  const queries = fields.flatMap(([name, value]) => (name === "query" ? [value] : []))
  return { sql: [...queries, ...(form.length === 0 ? [body.toString("utf8")] : [])].join("\n").trim(), parameters }
}

// Names of the interface of HTTP that are no settings of a query.
const ofInterface =
  /^(?:query_id|query|database|default_format|param_.*|cancel_http_readonly_queries_on_client_close|wait_end_of_query|session_.*|enable_http_compression)$/

/**
 * What a server does with the id and the settings of a request: the engine of the trial has neither. The id is a comment, which the
 * statement that ends a query looks for.
 */
const asServer = ({ parameters, sql }: SeenStatement): { readonly body: string; readonly search: string } => {
  const search = new URLSearchParams(Object.entries(parameters).filter(([name]) => name.startsWith("param_")))
  // The engine has one user, who may do everything.
  if (sql.startsWith("SHOW GRANTS")) return { body: `SELECT 'GRANT SELECT ON *.* TO ${chartUser.name}'`, search: "" }
  const killed = /^KILL QUERY WHERE query_id = '([\w-]+)'/.exec(sql)?.[1]
  if (killed !== undefined)
    return { body: `KILL QUERY WHERE trimLeft(query) LIKE '/* ${killed} */%' ASYNC`, search: "" }
  const settings = Object.entries(parameters).flatMap(([name, value]) =>
    ofInterface.test(name) ? [] : [`${name} = ${/^\d+$/.test(value) ? value : `'${value.replaceAll("'", "")}'`}`]
  )
  const id = parameters["query_id"] === undefined ? "" : `/* ${parameters["query_id"]} */ `
  return { body: `${id}${sql}${settings.length === 0 ? "" : ` SETTINGS ${settings.join(", ")}`}`, search: `${search}` }
}

export class StatementFront {
  /** How many statements the engine has not answered yet. */
  atWork = 0
  /** The queries of charts so far, and the most that were sent at once. Look-ups of tables are none. */
  readonly queries = { sent: 0, most: 0 }
  private openQueries = 0
  /** All statements of the user of charts so far. */
  readonly statements: Array<SeenStatement> = []
  private readonly free: Array<string>
  private readonly waiting: Array<(url: string) => void> = []
  private server: LocalServer | undefined

  /** `urls`: the connections of the warehouse, each of which runs one statement at a time. */
  constructor(urls: ReadonlyArray<string>) {
    this.free = [...urls]
  }

  get url(): string {
    return this.server?.url ?? ""
  }

  async start(): Promise<void> {
    this.server = await serveLocally((incoming, answer) => {
      this.forward(incoming, answer).catch(() => answer.destroy())
    })
  }

  async stop(): Promise<void> {
    await this.server?.close()
  }

  private take(): Promise<string> {
    const url = this.free.pop()
    return url === undefined ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve(url)
  }

  private give(url: string): void {
    const next = this.waiting.shift()
    if (next === undefined) this.free.push(url)
    else next(url)
  }

  /** What is sent on for a request. */
  private async sentFor(incoming: IncomingMessage) {
    const body = await bodyOf(incoming)
    // The body is sent at once.
    const { "transfer-encoding": _, ...headers } = incoming.headers
    if (headers.authorization !== basic(chartUser)) return { body, headers, isQuery: false, path: incoming.url ?? "/" }
    const statement = await statementOf(incoming, body)
    this.statements.push(statement)
    const served = asServer(statement)
    return {
      body: Buffer.from(served.body),
      headers: { authorization: basic(frontUser), "content-type": "text/plain" },
      isQuery: statement.sql.endsWith("FORMAT JSONCompact"),
      path: `/?${served.search}`
    }
  }

  private async clear(url: string): Promise<void> {
    const headers = { authorization: basic(frontUser) }
    await (await fetch(url, { method: "POST", headers, body: "SELECT 1" })).text()
  }

  private async forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { body, headers, isQuery, path } = await this.sentFor(incoming)
    if (isQuery) {
      this.openQueries += 1
      this.queries.sent += 1
      this.queries.most = Math.max(this.queries.most, this.openQueries)
    }
    const url = await this.take()
    this.atWork += 1
    try {
      const sent = { method: "POST", headers: { ...headers, connection: "close", "content-length": body.length } }
      const upstream = await new Promise<IncomingMessage>((resolve, reject) => {
        request(new URL(path, url), sent, resolve).once("error", reject).end(body)
      })
      const text = await bodyOf(upstream)
      const code = upstream.headers["x-clickhouse-exception-code"]
      if (code !== undefined) answer.setHeader("x-clickhouse-exception-code", code)
      // A session that has ended a query may answer the next one with what was left of it.
      if (upstream.statusCode !== 200) await this.clear(url)
      answer.writeHead(upstream.statusCode ?? 502).end(text)
    } finally {
      this.atWork -= 1
      if (isQuery) this.openQueries -= 1
      this.give(url)
    }
  }
}
