import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const kafkaPipe = `# The orders of the shop.
name: orders
source:
  kafka:
    type: confluent
    format: JSONEachRow
    brokers: broker.example.com:9092 # the only one
    topics: orders
    authentication: PLAIN
    credentials:
      username: headgate
      password: \${env:ORDERS_PASSWORD}
destination:
  database: analytics
  table: orders
  managedTable: true
  columns:
    - { name: id, type: UInt64 }
`

export const postgresPipe = (...tables: ReadonlyArray<string>): string => `name: shop
source:
  postgres:
    host: db.example.com
    port: 5432
    database: shop
    credentials: { username: headgate, password: "\${file:shop.secret}" }
    settings: { replicationMode: cdc }
    tableMappings:
${tables.map((table) => `      - { sourceSchemaName: public, sourceTable: ${table}, targetTable: ${table} }\n`).join("")}destination: { database: analytics }
`

export const key = `name: ci
roles: [developer]
ipAccessList:
  - { source: 203.0.113.0/24, description: office }
`

export const dashboard = JSON.stringify({
  name: "Errors",
  tiles: [
    { name: "count", x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count" }] },
    { name: "last", x: 0, y: 4, w: 12, h: 4, series: [{ type: "table", aggFn: "none" }] }
  ]
})

/** A directory of files, which a test fills. */
export const resourceDirectory = () => {
  const root = mkdtempSync(join(tmpdir(), "headgate-files-"))
  const directory = join(root, "files")
  mkdirSync(directory)
  const path = (file: string) => join(directory, file)
  return {
    directory,
    secrets: join(root, "secrets"),
    write: (file: string, text: string) => writeFileSync(path(file), text),
    read: (file: string) => readFileSync(path(file), "utf8"),
    edit: (file: string, from: string, to: string) => {
      const text = readFileSync(path(file), "utf8")
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
      writeFileSync(path(file), text.replace(from, to))
    },
    remove: (file: string) => rmSync(path(file)),
    names: () => readdirSync(directory).toSorted(),
    lock: () => JSON.parse(readFileSync(path("headgate.lock.json"), "utf8")).resources,
    /** Takes everything away; with `again`, makes the empty directory again. */
    clear: ({ again }: { readonly again: boolean }) => {
      rmSync(root, { recursive: true, force: true })
      if (again) mkdirSync(directory, { recursive: true })
    }
  }
}
