import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { copyFileSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { basic, bearer } from "./support/liveServer.ts"
import { readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { dashboardsPath, keysPath } from "./support/environment.ts"

const lose: ReadonlyArray<readonly [what: string, (data: string) => void]> = [
  ["removed", (data) => rmSync(data, { recursive: true })],
  [
    "replaced",
    (data) => {
      const database = join(data, "headgate.sqlite")
      copyFileSync(database, `${database}.new`)
      renameSync(`${database}.new`, database)
    }
  ]
]

it.live.each(lose)("a server whose database file is %s is not ready and acknowledges no write", ([, act]) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const data = join(directory, "data")
    const credentials = join(directory, "credentials.json")
    const server = yield* serverProcess("--data", data, "--credentials-file", credentials)
    const { keyId, keySecret, organization, token } = readCredentials(credentials)[0]!
    const statusOf = (path: string, authorization?: string) =>
      Effect.promise(async () => {
        const headers = { "content-type": "application/json", authorization: authorization ?? "" }
        const init = authorization === undefined ? {} : { method: "POST", headers, body: '{"name":"x"}' }
        return (await fetch(`${server.url}${path}`, init)).status
      })
    const statuses = Effect.all([
      statusOf("/readyz"),
      statusOf(dashboardsPath, bearer(token)),
      statusOf(keysPath(organization.id), basic(keyId, keySecret))
    ])
    assert.deepStrictEqual(yield* statuses, [200, 200, 200])
    yield* Effect.sync(() => act(data))
    // The result of the probe is kept for a second.
    yield* Effect.sleep("1100 millis")
    assert.deepStrictEqual(yield* statuses, [503, 503, 503])
    assert.match(server.printed.stderr, /headgate\.sqlite was removed or replaced/)
    assert.strictEqual(yield* statusOf("/healthz"), 200)
  }).pipe(Effect.scoped)
)
