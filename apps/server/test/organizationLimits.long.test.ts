import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { serviceId, snapshot } from "./support/fullSnapshot.ts"
import { basic, bearer } from "./support/liveServer.ts"
import { operate, readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { dashboardsPath, keysPath } from "./support/environment.ts"

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

      const post = (url: string, authorization: string, body: object = { name: "x" }) =>
        Effect.promise(async () => {
          const headers = { authorization, "content-type": "application/json" }
          const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
          const json: any = await response.json()
          return [response.status, json.error ?? json.message, json.data?.id] as const
        })
      const createDashboard = post(`${server.url}${dashboardsPath}`, bearer(token))
      assert.deepStrictEqual(yield* post(`${server.url}${keysPath(organization.id)}`, basic(keyId, keySecret)), [
        409,
        "CONFLICT: the organization has reached its limit of 1 keys: delete one, or have the limit raised",
        undefined
      ])
      const outcomes = yield* Effect.forEach([1, 2, 3], () => createDashboard)
      assert.deepStrictEqual(outcomes.at(-1), [
        409,
        "the organization has reached its limit of 2 dashboards: delete one, or have the limit raised",
        undefined
      ])
      const created = yield* operate("key", "create", "--name", "way back in", "--role", "admin", "--data", data)
      assert.strictEqual(created.code, 0)
      yield* Effect.promise(() => server.stop())

      const again = yield* start("--max-documents", "100")
      const [status, message] = yield* post(`${again.url}${dashboardsPath}`, bearer(token))
      assert.strictEqual(status, 409)
      assert.include(message, "100 bytes of documents")
      yield* Effect.promise(() => again.stop())

      const third = yield* start("--max-pipes", "4", "--max-roles", "1", "--max-others", "1")
      const kafka = { type: "kafka", format: "JSONEachRow", brokers: "b.example.com:9092", topics: "orders" }
      const destination = { database: "default", table: "orders", managedTable: true, columns: [] }
      const key = basic(keyId, keySecret)
      const of = `${third.url}/v1/organizations/${organization.id}`
      const service = `${of}/services/${serviceId}`
      const endpoint = { description: "x", type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "vpce-svc" }
      const ids: Record<string, string> = {}
      const condition = { threshold: 1, thresholdType: "above", interval: "5m" }
      const webhook = { service: "generic", url: "https://hooks.example.com/T0" }
      for (const [limit, url, authorization, bodyOf] of [
        // The import has four.
        ["4 pipes", `${service}/dbpipes`, key, () => ({ source: { kafka }, destination })],
        ["1 roles", `${of}/roles`, key, () => ({ actors: [], policies: [] })],
        ["1 endpoints", `${service}/dbpipesReversePrivateEndpoints`, key, () => endpoint],
        ["1 connections", `${third.url}/api/v2/connections`, bearer(token), () => ({ host: "localhost:8123" })],
        [
          "1 sources",
          `${third.url}/api/v2/sources`,
          bearer(token),
          () => ({ kind: "log", connection: ids["1 connections"] })
        ],
        [
          "1 saved searches",
          `${third.url}/api/v2/saved-searches`,
          bearer(token),
          () => ({ sourceId: ids["1 sources"] })
        ],
        ["1 webhooks", `${third.url}/api/v2/webhooks`, bearer(token), () => webhook],
        [
          "1 alerts",
          `${third.url}/api/v2/alerts`,
          bearer(token),
          () => ({
            ...condition,
            savedSearchId: ids["1 saved searches"],
            channel: { type: "webhook", webhookId: ids["1 webhooks"] }
          })
        ]
      ] as const) {
        const create = (name: string) => post(url, authorization, { name, ...bodyOf() })
        if (limit !== "4 pipes") {
          const [status, message, id] = yield* create("x")
          assert.strictEqual(status, 200, `${limit}: ${message}`)
          ids[limit] = id
        }
        const [status, message] = yield* create("y")
        assert.strictEqual(status, 409, limit)
        assert.include(message, `the organization has reached its limit of ${limit}: `)
      }
    }).pipe(Effect.scoped)
)
