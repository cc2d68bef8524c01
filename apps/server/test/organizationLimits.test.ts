import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { snapshot } from "./support/fullSnapshot.ts"
import { basic, bearer } from "./support/liveServer.ts"
import { operate, readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { dashboardsPath, keysPath } from "./support/world.ts"

it.live(
  "a creation above a limit of the organization is a 409 that names it; imports and operators are not limited",
  () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const data = join(directory, "data")
      const credentials = join(directory, "credentials.json")
      const file = join(directory, "snapshot.json")
      writeFileSync(file, JSON.stringify(snapshot))
      // The import alone holds more than 100 bytes.
      const start = (...flags: ReadonlyArray<string>) =>
        serverProcess("--data", data, "--import", file, "--credentials-file", credentials, ...flags)
      const server = yield* start("--max-keys", "1", "--max-dashboards", "2", "--max-documents", "0")
      const { keyId, keySecret, organization, token } = readCredentials(credentials)[0]!

      const post = (url: string, authorization: string) =>
        Effect.promise(async () => {
          const headers = { authorization, "content-type": "application/json" }
          const response = await fetch(url, { method: "POST", headers, body: '{"name":"x"}' })
          const json: any = await response.json()
          return [response.status, json.error ?? json.message] as const
        })
      const createDashboard = post(`${server.url}${dashboardsPath}`, bearer(token))
      assert.deepStrictEqual(yield* post(`${server.url}${keysPath(organization.id)}`, basic(keyId, keySecret)), [
        409,
        "CONFLICT: the organization has reached its limit of 1 keys: delete one, or have the limit raised"
      ])
      const outcomes = yield* Effect.forEach([1, 2, 3], () => createDashboard)
      assert.deepStrictEqual(outcomes.at(-1), [
        409,
        "the organization has reached its limit of 2 dashboards: delete one, or have the limit raised"
      ])
      const created = yield* operate("key", "create", "--name", "way back in", "--role", "admin", "--data", data)
      assert.strictEqual(created.code, 0)
      yield* Effect.promise(() => server.stop())

      const again = yield* start("--max-documents", "100")
      const [status, message] = yield* post(`${again.url}${dashboardsPath}`, bearer(token))
      assert.strictEqual(status, 409)
      assert.include(message, "100 bytes of documents")
    }).pipe(Effect.scoped)
)
