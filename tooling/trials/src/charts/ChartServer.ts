// A server that queries, and what a caller of it sends.
import { parseJson } from "@headgate/harness/JsonClient"
import type { Random } from "@headgate/harness/Random"
import { complaintsIn, type ServerProcess, startProcess } from "@headgate/harness/ServerProcess"
import { authorizationOf, makeOrganization, type Organization, organizationDocument } from "@headgate/harness/Snapshot"
import type { Verdict } from "@headgate/harness/Verdict"
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ChartWarehouse } from "./Warehouses.ts"

export const chartPaths = {
  query: "/api/v2/charts/query",
  series: "/api/v2/charts/series",
  search: "/api/v2/search"
} as const

/** The id of the built-in connection to the warehouse that is named `*`. */
export const warehouseConnection = createHash("sha256").update("warehouse *").digest("hex").slice(0, 24)

/** A whole answer. */
export interface ChartAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; `undefined` if it is none. */
  readonly json: any
}

interface Options {
  readonly directory: string
  readonly script: string
  readonly random: Random
  readonly warehouse: ChartWarehouse
  readonly organizations?: number
  /** That of the real service by default. */
  readonly dialect?: "clickhouse" | "neutral"
  readonly flags?: (organizations: ReadonlyArray<Organization>) => ReadonlyArray<string>
}

// A token has this permission only if it was granted.
const tokenFields = { grants: ["chart:query"] }

let servers = 0

/** How long a caller waits for an answer. Generous, because the machine may be shared. */
const answerTimeout = 120_000

/** A caller of one organization. */
export class ChartCaller {
  readonly organization: Organization
  private readonly url: string

  constructor(url: string, organization: Organization) {
    this.url = url
    this.organization = organization
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    {
      authorization = authorizationOf(this.organization).observability,
      signal = AbortSignal.timeout(answerTimeout)
    } = {}
  ): Promise<ChartAnswer> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers: {
        "content-type": "application/json",
        ...(authorization === "" ? {} : { authorization })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parseJson(text) }
  }

  /** With the admin key, below the organization. */
  manage(method: string, path: string, body?: unknown): Promise<ChartAnswer> {
    return this.call(method, path, body, { authorization: authorizationOf(this.organization).management })
  }

  /** Creates a document and returns its id. */
  async create(path: string, body: object): Promise<string> {
    const { json, status, text } = await this.call("POST", path, body)
    const id: unknown = json?.data?.id ?? json?.id
    if (status >= 300 || typeof id !== "string") throw new Error(`POST ${path} answered ${status}: ${text}`)
    return id
  }

  /** Creates a source of logs over a table of the warehouse and returns its id. */
  createSource(fields: object): Promise<string> {
    return this.create("/api/v2/sources", {
      name: "source",
      kind: "log",
      connection: warehouseConnection,
      timestampValueExpression: "Timestamp",
      ...fields
    })
  }
}

/** Stops a server and holds that it exits with 0 and has logged nothing but what pipes do. */
export const stopServer = async (server: ServerProcess, verdict: Verdict): Promise<void> => {
  const { code, stderr } = server.endedAs() ?? (await server.stop())
  verdict.hold(code === 0, `the server exited with ${code} after SIGTERM`)
  const complaints = complaintsIn(stderr)
    .split("\n")
    .filter((line) => line !== "" && !/^\[[\d:.]+\] INFO /.test(line))
  verdict.none(complaints, "the server logged")
}

export interface ChartServer {
  readonly server: ServerProcess
  /** The folder of its store. */
  readonly data: string
  readonly callers: ReadonlyArray<ChartCaller>
  /** The first one. */
  readonly caller: ChartCaller
}

/** Starts a server with organizations that have a token and an admin key each. */
export const startChartServer = async ({
  dialect = "clickhouse",
  directory,
  flags = () => [],
  organizations: count = 1,
  random,
  script,
  warehouse
}: Options): Promise<ChartServer> => {
  const organizations = Array.from({ length: count }, () => makeOrganization(random))
  const own = join(directory, `server-${(servers += 1)}`)
  const snapshot = `${own}.json`
  const documents = organizations.map((organization) => organizationDocument(organization, { tokenFields }))
  writeFileSync(snapshot, JSON.stringify({ organizations: documents }))
  const store = ["--data", own, "--import", snapshot, "--dialect", dialect]
  const args = ["--port", "0", ...store, "--warehouse", warehouse.flag, "--charts", ...flags(organizations)]
  const server = await startProcess(script, args, { env: { ...warehouse.env }, keepStdout: false })
  const callers = organizations.map((organization) => new ChartCaller(server.url, organization))
  const [caller] = callers
  if (caller === undefined) throw new Error("a server needs an organization")
  return { server, data: own, callers, caller }
}
