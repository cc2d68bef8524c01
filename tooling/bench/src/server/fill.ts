import { randomUUID } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { dashboardBody, first, pipeOf } from "./World.ts"

const inOneTransaction = (database: DatabaseSync, work: () => void): void => {
  database.exec("PRAGMA synchronous = OFF; BEGIN")
  work()
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
}

/**
 * Puts pipes into a server's database while no server is over it, as its import would: a snapshot of a million would be
 * a document of 3 GB. Answers the ids of some, spread evenly.
 */
export const fillPipes = (filename: string, count: number, answered: number): ReadonlyArray<string> => {
  const database = new DatabaseSync(filename)
  const insert = database.prepare("INSERT INTO pipe (id, organization_id, service_id, document) VALUES (?, ?, ?, ?)")
  const [before = "", after = ""] = JSON.stringify(pipeOf("<id>", first.serviceId)).split("<id>")
  const every = Math.max(1, Math.floor(count / answered))
  const ids: Array<string> = []
  inOneTransaction(database, () => {
    for (let index = 0; index < count; index++) {
      const id = randomUUID()
      insert.run(id, first.id, first.serviceId, `${before}${id}${after}`)
      if (index % every === 0) ids.push(id)
    }
  })
  return ids
}

/** Puts dashboards into a server's database while no server is over it. */
export const fillDashboards = (filename: string, count: number): void => {
  const database = new DatabaseSync(filename)
  const insert = database.prepare("INSERT INTO dashboard (id, organization_id, document) VALUES (?, ?, ?)")
  inOneTransaction(database, () => {
    for (let index = 0; index < count; index++) {
      const id = randomUUID()
      const tiles = dashboardBody.tiles.map((tile) => ({ ...tile, id: randomUUID() }))
      insert.run(id, first.id, JSON.stringify({ ...dashboardBody, id, name: `dashboard ${index}`, tiles }))
    }
  })
}
