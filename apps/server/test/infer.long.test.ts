// `headgate pipe create --infer` with the real programs: the columns of the table are those of an object.
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describeChdb, startServer } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { describeStorage, makeBucket } from "../../../packages/mover-object-storage/test/support/storage.ts"
import { newDatabase, query, startServing } from "./support/moving.ts"
import { headgate, readCredentials, temporaryDirectory } from "./support/processes.ts"

describeChdb("columns that are inferred", () => {
  describeStorage("from object storage", (storage) => {
    it.live(
      "are those of the table, and the rows move into it",
      () =>
        Effect.gen(function* () {
          const bucket = yield* makeBucket(yield* storage)
          const lines = [
            { at: "2026-11-23 10:00:00", user: 7, page: "/", referrer: null },
            { at: "2026-11-23 10:00:01", user: 8, page: "/a", referrer: "b" }
          ]
          yield* bucket.put("a.json", lines.map((line) => JSON.stringify(line)).join("\n"))
          const warehouse = yield* startServer()
          const database = yield* newDatabase(warehouse)
          const directory = yield* temporaryDirectory
          const server = yield* startServing(directory, {}, "--data", directory, "--warehouse", warehouse.url)
          const [owner] = readCredentials(join(directory, "credentials.json"))
          const env = {
            HEADGATE_URL: server.url,
            HEADGATE_ORGANIZATION: owner!.organization.id,
            HEADGATE_SERVICE: owner!.services[0]!.id,
            HEADGATE_KEY_ID: owner!.keyId,
            HEADGATE_KEY_SECRET: owner!.keySecret
          }
          const file = join(directory, "clicks.json")
          const create = (sortingKey: ReadonlyArray<string>) => {
            const objectStorage = {
              type: "s3",
              format: "JSONEachRow",
              url: `${bucket.base}/*.json`,
              authentication: "IAM_USER",
              accessKey: { accessKeyId: "key", secretKey: "secret" }
            }
            const destination = {
              database,
              table: "clicks",
              managedTable: true,
              tableDefinition: { engine: { type: "MergeTree" }, sortingKey }
            }
            writeFileSync(file, JSON.stringify({ name: "clicks", source: { objectStorage }, destination }))
            return headgate(env, "pipe", "create", "--file", file, "--infer", "--wait")
          }

          const refused = yield* create(["referrer"])
          assert.notStrictEqual(refused.code, 0)
          assert.include(refused.stderr, "is in a key of the table, which takes no null")
          const created = yield* create(["user", "at"])
          assert.strictEqual(created.code, 0, created.stderr)
          assert.match(created.stderr, /^ {2}at +DateTime$/mu)
          const columns = `SELECT name, type FROM system.columns WHERE database = '${database}' AND table = 'clicks' ORDER BY position`
          assert.strictEqual(
            yield* query(warehouse, columns),
            "at\tDateTime\nuser\tInt64\npage\tString\nreferrer\tNullable(String)"
          )
          assert.strictEqual(
            yield* query(warehouse, `SELECT * FROM ${database}.clicks ORDER BY user`),
            "2026-11-23 10:00:00\t7\t/\t\\N\n2026-11-23 10:00:01\t8\t/a\tb"
          )
        }).pipe(Effect.scoped),
      240_000
    )
  })
})
