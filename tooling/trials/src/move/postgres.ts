import { startServer } from "@headgate/harness/PostgresServer"
import { postgresRequest } from "@headgate/harness/pipeRequests"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Client } from "pg"
import type { MovedSource, Query } from "./MovedSource.ts"
import { dropAndAdd, makeRedefiner, replaceByRenaming } from "./redefinitions.ts"

const parts = 12
const firstRows = 10_000
const rowsEach = 300

const targets = ["kept", "dropped", "renamed"] as const
type Target = (typeof targets)[number]

// The last day of a `Date32` is in 2299.
const fits = "d < '2300-01-01'"
const unfitDay = "4000-01-01"

const live = (database: string, target: string) => `${database}.${target} FINAL WHERE _peerdb_is_deleted = 0`

const digestOf = (answer: string) => new Map(answer.split("\n").map((line) => [line.split(" ")[0], line] as const))

/**
 * A Postgres, and for each round tables that change, two of which are redefined: in the end the tables are equal, row by row. It ends
 * with the scope.
 */
export const postgres = Effect.gen(function* () {
  const settings = ["wal_level=logical", "max_wal_senders=20", "max_replication_slots=20"]
  const { createEmptyDatabase, port } = yield* startServer(settings)
  const name = new URL(Redacted.value(yield* createEmptyDatabase)).pathname.slice(1)
  const client = new Client({ host: "127.0.0.1", port, database: name, user: "headgate" })
  yield* Effect.acquireRelease(
    Effect.promise(() => client.connect()),
    () => Effect.promise(() => client.end())
  )
  const run = (sql: string) => client.query(sql)
  const valueOf = async (sql: string) => String((await run(sql)).rows[0]?.["value"] ?? "")
  const source: MovedSource = {
    begin: async (random, round) => {
      const tableOf = (target: Target) => `${target}_${round}`
      let changed = 0
      let next = firstRows + 1
      for (const target of targets) {
        await run(`CREATE TABLE ${tableOf(target)} (id int PRIMARY KEY, d date, v text)`)
        await run(
          `INSERT INTO ${tableOf(target)} SELECT i, date '2000-01-01' + i, 'row ' || i FROM generate_series(1, ${firstRows}) i`
        )
        changed += firstRows
      }
      const redefiner = makeRedefiner(run)
      const redefinitions = new Map([
        [parts / 3, dropAndAdd(tableOf("dropped"), "dropped")],
        [(parts * 2) / 3, replaceByRenaming(tableOf("renamed"), "renamed")]
      ])

      /** A line for each row: its id and a hash of its values. */
      const theirs = (target: Target) =>
        valueOf(
          `SELECT string_agg(id || ' ' || md5(d || ' ' || v), E'\\n' ORDER BY id) AS value FROM ${tableOf(target)} WHERE ${fits}`
        )
      const ours = async (query: Query, database: string, target: Target) =>
        (
          await query(
            `SELECT concat(toString(id), ' ', lower(hex(MD5(concat(toString(d), ' ', v))))) FROM ${live(database, target)} ORDER BY id FORMAT TSVRaw`
          )
        ).trimEnd()
      const unfit = (target: Target) =>
        valueOf(`SELECT string_agg(id::text, ',' ORDER BY id) AS value FROM ${tableOf(target)} WHERE NOT ${fits}`)
      // A replay writes them again.
      const errors = async (query: Query, database: string, target: Target) =>
        (
          await query(
            `SELECT DISTINCT JSONExtractString(raw_message, 'id') AS id FROM ${database}.${target}_pipe_errors ORDER BY toInt32(id)`
          )
        )
          .trimEnd()
          .replaceAll("\n", ",")

      const differences = async (query: Query, database: string, target: Target): Promise<ReadonlyArray<string>> => {
        const [expected, found] = [digestOf(await theirs(target)), digestOf(await ours(query, database, target))]
        const ids = Array.from(new Set([...expected.keys(), ...found.keys()]))
        const differing = ids.filter((id) => expected.get(id) !== found.get(id))
        const isOnly = (one: typeof expected, other: typeof expected) =>
          ids.filter((id) => !other.has(id) && one.has(id))
        const [rejected, inErrors] = [await unfit(target), await errors(query, database, target)]
        return [
          ...(differing.length === 0
            ? []
            : [
                `${differing.length} of ${expected.size} rows of ${target} differ (id ${differing.slice(0, 3).join(", ")}): ` +
                  `${isOnly(expected, found).length} lost, ${isOnly(found, expected).length} too many`
              ]),
          ...(rejected === inErrors ? [] : [`rows in the error table of ${target}: ${inErrors}, expected: ${rejected}`])
        ]
      }

      let [versions, arrived] = [0, 0]
      return {
        parts,
        rows: () => changed,
        afterRestore: { command: "resync" },
        request: (database) =>
          postgresRequest({ name, port }, database, {
            tableMappings: targets.map((target) => ({
              sourceSchemaName: "public",
              sourceTable: tableOf(target),
              targetTable: target
            }))
          }),
        remedy: redefiner.remedy,
        // Versions of rows, so that changes of known rows count as well. A merge and a resync remove some.
        arrived: async (query, database) => {
          const now = Number(await query(`SELECT count() FROM ${database}.kept`))
          arrived += Math.max(0, now - versions)
          versions = now
          return arrived
        },
        produce: async (part) => {
          const redefinition = redefinitions.get(part)
          if (redefinition !== undefined) await redefiner.redefine(redefinition, next)
          const [low, high] = [random.between(1, firstRows - 400), next + rowsEach]
          for (const table of targets.map(tableOf)) {
            await run(`BEGIN;
              INSERT INTO ${table} SELECT i, '2020-02-02', 'new ' || i FROM generate_series(${next}, ${high - 2}) i;
              INSERT INTO ${table} VALUES (${high - 1}, '${unfitDay}', 'does not fit');
              UPDATE ${table} SET v = v || '.' WHERE id BETWEEN ${low} AND ${low + 200};
              DELETE FROM ${table} WHERE id BETWEEN ${low + 300} AND ${low + 320};
              UPDATE ${table} SET id = -id WHERE id = ${next};
              COMMIT`)
            changed += rowsEach + 222
          }
          next = high
        },
        isComplete: async (query, database) => {
          if (redefiner.isPending()) return false
          for (const target of targets) {
            if (redefiner.faults.length > 0) {
              // They never become equal.
              const last = await query(`SELECT count() FROM ${database}.${target} WHERE id = ${next - 2}`)
              if (last.trim() === "0") return false
            } else if ((await differences(query, database, target)).length > 0) return false
          }
          return true
        },
        faults: async (query, database) => {
          const found: Array<string> = []
          for (const target of targets) found.push(...(await differences(query, database, target)))
          return [
            ...redefiner.faults,
            ...(redefiner.isPending() ? ["the pipe did not become Failed after a table was redefined"] : []),
            ...found
          ]
        }
      }
    }
  }
  return source
})
