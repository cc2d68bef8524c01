// The operator's commands about what charts read: tables, tokens, and queries of an engine whose server is stopped.
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describeChdb } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { query } from "./support/moving.ts"
import { operate, operateIn, readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { makeWarehouse } from "./support/warehouseProcess.ts"
import { withEngine } from "./support/withEngine.ts"

/** A store that a server has made, with its organization. */
const stored = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const file = join(directory, "credentials.json")
  const server = yield* serverProcess("--data", directory, "--credentials-file", file)
  const [owner] = readCredentials(file)
  const write = (sql: string, ...values: ReadonlyArray<string | number>) => {
    const database = new DatabaseSync(join(directory, "headgate.sqlite"))
    database.prepare(sql).run(...values)
    database.close()
  }
  return { directory, server, owner: owner!, write }
})

const pipeId = "b1be0000-0000-4000-8000-000000000001"

describe("headgate-server tables", () => {
  it.live("lists the tables that pipes have opened, and forgets one for charts", () =>
    Effect.gen(function* () {
      const { directory, owner, write } = yield* stored
      const [serviceId = ""] = owner.services.map(({ id }) => id)
      const add = (warehouse: string, table: string, isCreated: number) =>
        write(
          `INSERT INTO pipe_table (organization_id, service_id, pipe_id, warehouse, database_name, table_name, known_by,
            is_created, is_versioned) VALUES (?, ?, ?, ?, 'default', ?, 'x', ?, 0)`,
          owner.organization.id,
          serviceId,
          pipeId,
          warehouse,
          table,
          isCreated
        )
      const tables = (...args: ReadonlyArray<string>) => operate("tables", ...args, "--data", directory)
      assert.strictEqual((yield* tables("list")).stdout.trim().split("\n").length, 1)
      add("*", "clicks", 1)
      add("*", "orders\u001b[31m", 0)
      add(serviceId, "clicks", 1)
      const listed = yield* tables("list", "--json")
      assert.strictEqual(listed.code, 0, listed.stderr)
      const row = { organizationId: owner.organization.id, serviceId, pipeId, database: "default", isVersioned: false }
      assert.deepStrictEqual(JSON.parse(listed.stdout), [
        { ...row, warehouse: "*", table: "clicks", isCreated: true, isDeleted: true },
        { ...row, warehouse: "*", table: "orders\u001b[31m", isCreated: false, isDeleted: true },
        { ...row, warehouse: serviceId, table: "clicks", isCreated: true, isDeleted: true }
      ])
      const human = yield* tables("list")
      assert.notInclude(human.stdout, "\u001b[31m")
      assert.match(human.stdout, /PIPE .*TABLE/)
      const several = yield* tables("forget", "default", "clicks", "--yes")
      assert.deepStrictEqual([several.code, several.stderr.includes("--of-warehouse")], [2, true])
      const careful = yield* tables("forget", "default", "clicks", "--of-warehouse", "*")
      assert.deepStrictEqual([careful.code, careful.stderr.includes("--yes")], [2, true])
      const forgotten = yield* tables("forget", "default", "clicks", "--of-warehouse", "*", "--yes")
      assert.strictEqual(forgotten.code, 0, forgotten.stderr)
      assert.strictEqual(JSON.parse((yield* tables("list", "--json")).stdout).length, 2)
      const unknown = yield* tables("forget", "default", "clicks", "--of-warehouse", "*", "--yes")
      assert.deepStrictEqual([unknown.code, unknown.stderr.includes("no pipe has opened")], [2, true])
      const other = yield* tables("list", "--organization", pipeId)
      assert.deepStrictEqual([other.code, other.stderr.includes("no such organization")], [1, true])
    })
  )
})

describe("headgate-server token grant", () => {
  it.live("grants a token of an earlier version what a new one has", () =>
    Effect.gen(function* () {
      const { directory, write } = yield* stored
      const grants = () => {
        const database = new DatabaseSync(join(directory, "headgate.sqlite"))
        const rows = database.prepare("SELECT grants FROM token ORDER BY seq").all()
        database.close()
        return rows.map((row) => row["grants"])
      }
      assert.deepStrictEqual(grants(), [`["chart:query"]`])
      write("UPDATE token SET grants = '[]'")
      const listed = yield* operate("token", "list", "--json", "--data", directory)
      const [{ id }] = JSON.parse(listed.stdout)
      const granted = yield* operate("token", "grant", id, "--data", directory)
      assert.deepStrictEqual([granted.code, granted.stderr], [0, `granted chart:query to ${id}\n`])
      assert.deepStrictEqual(grants(), [`["chart:query"]`])
      assert.strictEqual((yield* operate("token", "grant", id, "--data", directory)).code, 0)
      assert.strictEqual((yield* operate("token", "grant", pipeId, "--data", directory)).code, 1)
    })
  )
})

describeChdb("headgate-server query", () => {
  const ask = (directory: string, ...args: ReadonlyArray<string>) =>
    operateIn(withEngine, "query", "--warehouse", `embedded:${directory}`, ...args)

  it.live("answers from the tables of an engine whose server is stopped, and changes none", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryDirectory, "warehouse")
      const warehouse = yield* makeWarehouse(directory)
      yield* query(warehouse.front, "CREATE TABLE t (n UInt64, s Nullable(String)) ENGINE = MergeTree ORDER BY n")
      yield* query(warehouse.front, "INSERT INTO t VALUES (18446744073709551615, NULL), (1, 'a\\n\\x1b[31mb')")
      const running = yield* ask(directory, "SELECT 1")
      assert.strictEqual(running.code, 1)
      assert.include(running.stderr, `is open in another process (${warehouse.pid()})`)
      assert.include(running.stderr, "headgate dashboard show")
      assert.include(running.stderr, "headgate pipe rows")
      yield* warehouse.stop

      const human = yield* ask(directory, "SELECT n, s FROM t ORDER BY n -- all;")
      assert.strictEqual(human.code, 0, human.stderr)
      assert.deepStrictEqual(
        human.stdout
          .trimEnd()
          .split("\n")
          .map((line) => line.split(/ {2,}/)),
        [
          ["n", "s"],
          ["1", "a\\n\\x1b[31mb"],
          ["18446744073709551615", "NULL"]
        ]
      )
      const json = yield* ask(directory, "--json", "SELECT n, s FROM t ORDER BY n;\n")
      assert.deepStrictEqual(JSON.parse(json.stdout), [
        { n: "1", s: "a\n\u001b[31mb" },
        { n: "18446744073709551615", s: null }
      ])
      assert.strictEqual((yield* ask(directory, "SELECT count() FROM t FORMAT TSV")).stdout, "2\n")
      for (const sql of ["DROP TABLE t", "INSERT INTO t VALUES (2, '')", "CREATE TABLE u AS t", "SELECT nothing"]) {
        const refused = yield* ask(directory, sql)
        assert.deepStrictEqual(
          [refused.code, refused.stderr.startsWith("headgate-server: the query failed: ")],
          [1, true]
        )
      }
      assert.strictEqual((yield* ask(directory, "SELECT count() FROM t FORMAT TSV")).stdout, "2\n")
    })
  )

  it.live("opens no engine where there is none, and asks no server", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const missing = yield* ask(directory, "SELECT 1")
      assert.deepStrictEqual([missing.code, missing.stderr.includes("there is no embedded engine")], [1, true])
      assert.deepStrictEqual(readdirSync(directory), [])
      const server = yield* operateIn(withEngine, "query", "--warehouse", "http://127.0.0.1:8123", "SELECT 1")
      assert.deepStrictEqual([server.code, server.stderr.includes("clickhouse-client")], [2, true])
      mkdirSync(join(directory, "metadata"))
      assert.strictEqual((yield* ask(directory, " ; ")).code, 2)
    })
  )
})
