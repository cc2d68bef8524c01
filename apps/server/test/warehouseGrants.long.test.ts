// A warehouse whose user lacks rights: a creation and an update say which statement to run, and work when it was run.
import { assert, it } from "@effect/vitest"
import { objectStorageRequest } from "@headgate/harness/pipeRequests"
import { startStorageDouble } from "@headgate/harness/StorageDouble"
import * as Effect from "effect/Effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describeChdb } from "../../../packages/mover-clickhouse/test/support/chdb.ts"
import { startServing, until } from "./support/moving.ts"
import { temporaryDirectory } from "./support/processes.ts"
import { makeWarehouse } from "./support/warehouseProcess.ts"

/** A configuration whose user has all rights but those to read elsewhere, and these. The engine reads it when it starts. */
const configurationWith = (directory: string, grants: ReadonlyArray<string>): string => {
  mkdirSync(directory)
  const [config, users] = [join(directory, "config.xml"), join(directory, "users.xml")]
  const queries = ["GRANT ALL ON *.*", "REVOKE URL, S3, CREATE TEMPORARY TABLE ON *.*", ...grants]
  writeFileSync(config, `<clickhouse><users_config>${users}</users_config></clickhouse>`)
  writeFileSync(
    users,
    `<clickhouse><profiles><default/></profiles><quotas><default/></quotas><users><default>
    <password></password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
    <grants>${queries.map((query) => `<query>${query}</query>`).join("")}</grants></default></users></clickhouse>`
  )
  return config
}

describeChdb("a warehouse whose user lacks rights", () => {
  it.live(
    "refuses object storage at a creation and at an update with the statement to run",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const key = { accessKeyId: "an-id", secretKey: "a-5ecret" }
        const double = (address: string) => startStorageDouble({ key, address })
        const [storage, trusted] = [yield* double("127.0.0.1"), yield* double("127.0.0.2")]
        const warehouse = yield* makeWarehouse(join(directory, "all"))
        const server = yield* startServing(
          directory,
          {},
          "--data",
          join(directory, "store"),
          "--warehouse",
          warehouse.front.url,
          "--trust-storage",
          "127.0.0.2"
        )
        const requestOf = (url: string, format = "JSONEachRow") => ({
          ...objectStorageRequest(`${url}/bucket/*.json`, "default", { accessKey: key, format }),
          startPaused: true
        })
        const id = yield* server.create(requestOf(storage.url))
        const calls = [
          server.call("POST", "", requestOf(storage.url)),
          server.call("PATCH", `/${id}`, { source: { objectStorage: { url: `${storage.url}/bucket/more/*.json` } } }),
          // It is read by the client of S3.
          server.call("POST", "", requestOf(trusted.url, "Parquet"))
        ]
        storage.put("bucket/a.json", "no row")
        const discovery = server.call("POST", "/schemaDiscovery", { source: requestOf(storage.url).source })
        const restart = Effect.fnUntraced(function* (name: string, grants: ReadonlyArray<string>) {
          yield* warehouse.stop
          const folder = join(directory, name)
          const configuration = configurationWith(folder, grants)
          yield* warehouse.startOver(join(folder, "data"), configuration)
          // Connections to the one before may be open still.
          yield* until(Effect.map(discovery, ({ text }) => /lacks a grant|object cannot be read/.test(text)))
        })

        yield* restart("none", [])
        const statements: Array<string> = []
        for (const call of calls) {
          const { json, status, text } = yield* call
          assert.strictEqual(status, 400, text)
          assert.match(json.error, /^BAD_REQUEST: destination: the warehouse may not read objects: /)
          const [, statement = ""] = / run (GRANT .*) TO default\./.exec(json.error) ?? []
          statements.push(statement)
        }
        const [url = "", , client = ""] = statements
        assert.deepStrictEqual(statements, [
          "GRANT CREATE TEMPORARY TABLE, URL ON *.*",
          url,
          "GRANT CREATE TEMPORARY TABLE, S3 ON *.*"
        ])

        yield* restart("granted", [url, client])
        for (const call of calls) {
          const { status, text } = yield* call
          assert.strictEqual(status, 200, text)
        }
        // Nobody has asked for an object.
        const asked = trusted.requests.filter(({ query }) => !query.has("list-type"))
        assert.deepStrictEqual(asked, [])
      }).pipe(Effect.scoped),
    240_000
  )
})
