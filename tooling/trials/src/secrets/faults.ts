import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { basic, bearer } from "../load/World.ts"
import { ask, type Question } from "./ask.ts"
import type { MarkedServer } from "./markedServer.ts"
import { runAndKeep } from "./run.ts"
import type { Stage } from "./Stage.ts"
import { dashboardsPath, ids, keysPath, pipePath } from "./world.ts"

/** A way in which the database fails the server. */
interface Breakage {
  readonly how: string
  readonly sql: ReadonlyArray<string>
  readonly repair: ReadonlyArray<string>
  /** What strangers are answered: 401 where their credentials can still be looked up. */
  readonly strangers: 401 | 500
}

const gone = (...tables: ReadonlyArray<string>) => tables.map((table) => `ALTER TABLE ${table} RENAME TO gone_${table}`)
const back = (...tables: ReadonlyArray<string>) => tables.map((table) => `ALTER TABLE gone_${table} RENAME TO ${table}`)

const breakages: ReadonlyArray<Breakage> = [
  {
    how: "credentials cannot be looked up",
    sql: gone("api_key", "token"),
    repair: back("api_key", "token"),
    strangers: 500
  },
  {
    how: "nothing else can be looked up or stored",
    sql: [
      ...gone("pipe", "dashboard"),
      "CREATE TRIGGER full BEFORE INSERT ON api_key BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
    ],
    repair: ["DROP TRIGGER full", ...back("pipe", "dashboard")],
    strangers: 401
  }
]

const operations = (inBody: string): ReadonlyArray<Omit<Question, "status">> => [
  { name: "pipe.get", method: "GET", path: pipePath() },
  { name: "pipe.delete", method: "DELETE", path: pipePath() },
  { name: "key.create", method: "POST", path: keysPath(), body: { name: "x", keySecret: inBody } },
  {
    name: "dashboard.create",
    method: "POST",
    path: dashboardsPath,
    body: { name: "x", tiles: [{ x: 0, y: 0, w: 1, h: 1, series: [{ where: inBody }] }] }
  },
  { name: "dashboard.list", method: "GET", path: dashboardsPath }
]

/** Every operation while the database fails, by who is known and by who is not. Answers how many it failed at. */
const whileBroken = async (stage: Stage, { server, where, world }: MarkedServer, { how, strangers }: Breakage) => {
  let faults = 0
  const inBody = stage.marks.plant(`text of a body that could not be stored: ${how}`).value
  const guess = stage.marks.plant(`guess at a secret: ${how}`).value
  for (const one of operations(inBody)) {
    const isDashboard = one.path === dashboardsPath
    const known = isDashboard ? world.bearer : world.keys.admin.authorization
    const unknown = isDashboard ? bearer(guess) : basic("nobody", guess)
    await ask(stage, `${where}, ${how}`, server.url, { ...one, authorization: known, status: 500 })
    await ask(stage, `${where}, ${how}`, server.url, { ...one, authorization: unknown, status: strangers })
    faults += strangers === 500 ? 2 : 1
  }
  return faults
}

/**
 * A pipe whose stored document is none any more: whoever reads it, and fails, must not show its secret. The server hands
 * a stored text on and does not look into it (ADR 13): the export does.
 */
const spoiledDocument = async (stage: Stage, { data, where, world }: MarkedServer, database: DatabaseSync) => {
  const { document } = database.prepare("SELECT document FROM pipe WHERE id = ?").get(ids.pipe) ?? {}
  const whole = String(document)
  const { value } = world.connectionString
  if (!whole.includes(value)) throw new Error("the pipe is not stored as this trial expects it")
  const update = database.prepare("UPDATE pipe SET document = ? WHERE id = ?")
  const documents = [
    ["a document of another shape", whole.replace(`"AccountKey=${value};"`, `["AccountKey=${value};"]`)],
    ["a document that is no JSON", whole.slice(0, whole.indexOf(value) + value.length)]
  ] as const
  for (const [how, spoiled] of documents) {
    update.run(spoiled, ids.pipe)
    const args = ["export", "--data", data, "--log-level", "all"]
    await runAndKeep(stage, `${where}, export of ${how}`, stage.server, { args })
  }
  update.run(whole, ids.pipe)
}

/** Makes a running server fail, from behind, and asks for everything. Answers how many requests it failed at. */
export const provokeFaults = async (stage: Stage, marked: MarkedServer): Promise<number> => {
  const database = new DatabaseSync(join(marked.data, "headgate.sqlite"))
  let faults = 0
  for (const breakage of breakages) {
    for (const statement of breakage.sql) database.exec(statement)
    faults += await whileBroken(stage, marked, breakage)
    for (const statement of breakage.repair) database.exec(statement)
  }
  await spoiledDocument(stage, marked, database)
  database.close()
  return faults
}
