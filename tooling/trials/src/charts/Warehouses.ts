// The two kinds of warehouses of a trial of charts: an engine behind HTTP, and the one inside the server.
import { freePorts } from "@headgate/harness/freePorts"
import * as Effect from "effect/Effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { env, execPath } from "node:process"
import { fileURLToPath } from "node:url"
import { frontUser } from "../../../../packages/mover-clickhouse/test/support/httpFront.ts"
import type { Query } from "../move/MovedSource.ts"
import { chartUser, type SeenStatement, StatementFront } from "./StatementFront.ts"

/** A warehouse, and how a server is started on it. */
export interface ChartWarehouse {
  /** The value of `--warehouse`. */
  readonly flag: string
  readonly env: Readonly<Record<string, string>>
  /** Runs a statement beside those of the server. For the engine inside a server only once it has started. */
  readonly query: Query
  /** How many queries with this text run. */
  readonly running: (text: string) => Promise<number>
  /** The queries of charts so far, and the most that ran at once; none are seen of the engine inside a server. */
  readonly queries: { readonly sent: number; readonly most: number }
  /** The statements of the user of charts so far; none are seen of the engine inside a server. */
  readonly statements: ReadonlyArray<SeenStatement>
  readonly stop: () => Promise<void>
}

const post = async (url: string, authorization: string, sql: string): Promise<string> => {
  const response = await fetch(url, { method: "POST", headers: { authorization }, body: sql })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** So many statements run at once in an engine behind HTTP. */
const connections = 8

/** An engine behind HTTP, which knows a user of charts. */
export const overHttp = async (directory: string): Promise<ChartWarehouse> => {
  const folder = join(directory, "warehouse")
  mkdirSync(folder, { recursive: true })
  const script = fileURLToPath(new URL("./warehouse.main.ts", import.meta.url))
  const child: ChildProcess = spawn(execPath, [script, folder, String(connections)], {
    env,
    stdio: ["ignore", "pipe", "inherit"]
  })
  process.once("exit", () => child.kill("SIGKILL"))
  if (child.stdout === null) throw new Error("the warehouse has no output")
  const [line] = await once(child.stdout, "data")
  const [own = "", ...urls] = String(line).trim().split(" ")
  const front = new StatementFront(urls)
  await front.start()
  const authorization = `Basic ${Buffer.from(`${frontUser.name}:${frontUser.password}`).toString("base64")}`
  return {
    flag: front.url,
    env: {
      HEADGATE_WAREHOUSE_USER: frontUser.name,
      HEADGATE_WAREHOUSE_PASSWORD: frontUser.password,
      HEADGATE_QUERY_USER: chartUser.name,
      HEADGATE_QUERY_PASSWORD: chartUser.password
    },
    query: (sql) => post(own, authorization, sql),
    // A session of the engine keeps a statement in its list until the next one, also when it has answered it.
    running: () => Promise.resolve(front.atWork),
    queries: front.queries,
    statements: front.statements,
    stop: async () => {
      await front.stop()
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill("SIGKILL")
      await once(child, "exit")
    }
  }
}

/** The engine inside the server, which a probe in the server's process asks beside it. */
export const embedded = async (directory: string): Promise<ChartWarehouse> => {
  const folder = join(directory, "warehouse")
  mkdirSync(folder, { recursive: true })
  const [port = 0] = await Effect.runPromise(Effect.scoped(freePorts(1)))
  const query: Query = (sql) => post(`http://127.0.0.1:${port}`, "", sql)
  const probe = new URL("./engineProbe.mjs", import.meta.url).href
  return {
    flag: `embedded:${folder}`,
    env: {
      NODE_OPTIONS: `--import=${probe}`,
      TRIAL_CHDB: env["HEADGATE_CHDB"] ?? "",
      PROBE_PORT: String(port),
      PROBE_FOLDER: folder
    },
    query,
    running: async (text) =>
      Number(
        await query(
          `SELECT countIf(query LIKE '%${text}%' AND NOT is_cancelled AND query NOT LIKE '%system.processes%')
           FROM system.processes FORMAT TSV`
        )
      ),
    queries: { sent: 0, most: 0 },
    statements: [],
    stop: () => Promise.resolve()
  }
}
