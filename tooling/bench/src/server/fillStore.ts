import { randomUUID } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { startHeadgate } from "./Contestant.ts"
import { dashboardBody, first, pipeOf, snapshot } from "./environment.ts"

/** Creates a SQLite store that holds the snapshot, then inserts rows while no server has it open. Returns its flag. */
const fillStore = async (folder: string, insert: string, fill: (statement: StatementSync) => void): Promise<string> => {
  const file = join(folder, "snapshot.json")
  const flag = `--data=${join(folder, "data")}`
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, snapshot())
  await (await startHeadgate([flag, `--import=${file}`])).stop()
  const database = new DatabaseSync(join(folder, "data", "headgate.sqlite"))
  database.exec("PRAGMA synchronous = OFF; BEGIN")
  fill(database.prepare(insert))
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
  return flag
}

/** A store with so many pipes, and the ids of at most `sampled` of them, spread evenly. */
export const storeOfPipes = async (folder: string, count: number, sampled: number) => {
  const [before = "", after = ""] = JSON.stringify(pipeOf("<id>", first.serviceId)).split("<id>")
  const every = Math.max(1, Math.floor(count / sampled))
  const ids: Array<string> = []
  const insert = "INSERT INTO pipe (id, organization_id, service_id, document) VALUES (?, ?, ?, ?)"
  const flag = await fillStore(folder, insert, (statement) => {
    for (let index = 0; index < count; index++) {
      const id = randomUUID()
      statement.run(id, first.id, first.serviceId, `${before}${id}${after}`)
      if (index % every === 0) ids.push(id)
    }
  })
  return { flag, ids }
}

/** A store with so many dashboards. */
export const storeOfDashboards = (folder: string, count: number): Promise<string> =>
  fillStore(folder, "INSERT INTO dashboard (id, organization_id, document) VALUES (?, ?, ?)", (statement) => {
    for (let index = 0; index < count; index++) {
      const id = randomUUID()
      const tiles = dashboardBody.tiles.map((tile) => ({ ...tile, id: randomUUID() }))
      statement.run(id, first.id, JSON.stringify({ ...dashboardBody, id, name: `dashboard ${index}`, tiles }))
    }
  })
