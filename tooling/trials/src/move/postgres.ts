import { startServer } from "@headgate/harness/PostgresServer"
import { postgresRequest } from "@headgate/harness/pipeRequests"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import type { MovedSource, Query } from "./MovedSource.ts"

const parts = 12
const firstRows = 20_000
const rowsEach = 500

const live = (database: string) => `${database}.t FINAL WHERE _peerdb_is_deleted = 0`

/** A Postgres, and for each round a table that is changed: in the end both tables are equal, row by row. It ends with the scope. */
export const postgres = Effect.gen(function* () {
  const settings = ["wal_level=logical", "max_wal_senders=20", "max_replication_slots=20"]
  const { createEmptyDatabase, port } = yield* startServer(settings)
  const name = new URL(Redacted.value(yield* createEmptyDatabase)).pathname.slice(1)
  const client = new Client({ host: "127.0.0.1", port, database: name, user: "headgate" })
  yield* Effect.acquireRelease(
    Effect.promise(() => client.connect()),
    () => Effect.promise(() => client.end())
  )
  const valueOf = async (sql: string) => String((await client.query(sql)).rows[0]?.["value"])
  const source: MovedSource = {
    begin: async (random, round) => {
      const table = `t${round}`
      await client.query(`CREATE TABLE ${table} (id int PRIMARY KEY, v text)`)
      await client.query(`INSERT INTO ${table} SELECT i, 'row ' || i FROM generate_series(1, ${firstRows}) i`)
      let changed = firstRows
      let next = firstRows + 1
      const theirs = () => valueOf(`SELECT md5(string_agg(id || ' ' || v, ',' ORDER BY id)) AS value FROM ${table}`)
      const ours = async (query: Query, database: string) =>
        (
          await query(
            `SELECT lower(hex(MD5(arrayStringConcat(arrayMap(row -> row.2, arraySort(groupArray((id, concat(toString(id), ' ', v))))), ',')))) FROM ${live(database)}`
          )
        ).trim()
      return {
        parts,
        rows: () => changed,
        request: (database) =>
          postgresRequest({ name, port }, database, {
            tableMappings: [{ sourceSchemaName: "public", sourceTable: table, targetTable: "t" }]
          }),
        // Versions of rows, so that changes of known rows count as well.
        arrived: async (query, database) => Number(await query(`SELECT count() FROM ${database}.t`)),
        produce: async () => {
          const [low, high] = [random.between(1, firstRows), next + rowsEach]
          await client.query("BEGIN")
          await client.query(`INSERT INTO ${table} SELECT i, 'new ' || i FROM generate_series(${next}, ${high - 1}) i`)
          await client.query(`UPDATE ${table} SET v = v || '.' WHERE id BETWEEN ${low} AND ${low + 200}`)
          await client.query(`DELETE FROM ${table} WHERE id BETWEEN ${low + 300} AND ${low + 320}`)
          await client.query(`UPDATE ${table} SET id = -id WHERE id = ${next}`)
          await client.query("COMMIT")
          next = high
          changed += rowsEach + 222
        },
        isComplete: async (query, database) => (await ours(query, database)) === (await theirs()),
        faults: async (query, database) => {
          if ((await ours(query, database)) === (await theirs())) return []
          const count = await valueOf(`SELECT count(*) AS value FROM ${table}`)
          const found = (await query(`SELECT count() FROM ${live(database)}`)).trim()
          return [`the tables differ: ${count} rows in Postgres, ${found} in the warehouse`]
        }
      }
    }
  }
  return source
})
