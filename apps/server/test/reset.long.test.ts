import { assert, describe, it, layer } from "@effect/vitest"
import { Snapshot, Snapshots } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describePostgres } from "../../../packages/sql-adapter/test/support/postgres.ts"
import { parseRateLimit } from "../src/flags.ts"
import { journal, putFaults } from "./support/admin.ts"
import { inClickhouseDialect, organizationId, pipes, serviceId } from "./support/fullSnapshot.ts"
import { basic, bearer, call, memoryServer, serverOver } from "./support/liveServer.ts"
import { readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { overEveryStore } from "./support/stores.ts"
import {
  as,
  dashboardsPath,
  firstPipe,
  hashDataOf,
  keysPath,
  pipePath,
  withToken,
  environment
} from "./support/environment.ts"

const authorization = as("admin")
const reset = call("/_admin/reset", { method: "POST" })
const seed = (document: unknown) => call("/_admin/seed", { body: document })
/** All that the store holds, as JSON. */
const held = Snapshots.use(({ exportWithSecrets }) =>
  Effect.flatMap(exportWithSecrets, Schema.encodeEffect(Schema.fromJsonString(Snapshot)))
)
const newId = "00000000-0000-4000-8000-00000000000"

/** An organization with something of every kind: six things. */
const newcomer = {
  id: `${newId}1`,
  name: "newcomer",
  services: [
    {
      id: `${newId}2`,
      name: "service",
      pipes: [{ id: `${newId}3`, serviceId: `${newId}2`, name: "new", state: "Running" }]
    }
  ],
  keys: [{ name: "new", roles: ["admin"], hashData: hashDataOf("new-key", "the-secret-of-new-key") }],
  tokens: [{ name: "new", tokenHash: hashDataOf("new-token", "").keyIdHash }],
  dashboards: [{ id: "new", name: "new" }]
}

const newPipe = pipePath(`${newId}3`, { organization: `${newId}1`, service: `${newId}2` })

overEveryStore((store) =>
  layer(serverOver(store, environment, { admin: true }), { timeout: "1 minute" })(
    `/_admin over ${store.name}`,
    (it) => {
      it.effect("reset takes the store, the faults and the journal back to how they began", () =>
        Effect.gen(function* () {
          const before = yield* held
          assert.include(before, "objectStorage.connectionString")
          yield* call(keysPath(), { authorization, body: { name: "made" } })
          yield* call(dashboardsPath, { authorization: withToken, body: { name: "made" } })
          yield* call(pipePath(firstPipe), { authorization, method: "DELETE" })
          assert.strictEqual((yield* seed({ organizations: [newcomer] })).status, 200)
          yield* putFaults({ match: { path: "/nowhere" }, status: 500 })
          const size = 2 + 1 + pipes.length + 11 + 2
          const answer = yield* reset
          assert.deepStrictEqual([answer.status, answer.json], [200, { removed: size + 1 + 1 - 1 + 6, restored: size }])
          assert.strictEqual(yield* held, before)
          assert.deepStrictEqual(yield* journal(), [])
          assert.deepStrictEqual((yield* call("/_admin/faults")).json, { rules: [] })
          // The suite's own credentials go on.
          assert.strictEqual((yield* call(pipePath(firstPipe), { authorization })).status, 200)
          assert.strictEqual((yield* call(newPipe, { authorization: as("new-key") })).status, 401)
          assert.deepStrictEqual((yield* call(dashboardsPath, { authorization: withToken })).json, { data: [] })
          const again = yield* reset
          assert.deepStrictEqual(again.json, { removed: size, restored: size })
        })
      )

      it.effect("seed adds all that is new, and its keys and tokens let in", () =>
        Effect.gen(function* () {
          const seeded = yield* seed({ organizations: [newcomer] })
          assert.deepStrictEqual([seeded.status, seeded.json], [200, { added: 6, kept: 0 }])
          assert.strictEqual((yield* call(newPipe, { authorization: as("new-key") })).json.result.name, "new")
          const { json } = yield* call(dashboardsPath, { authorization: bearer("new-token") })
          assert.deepStrictEqual(json, { data: [{ id: "new", name: "new" }] })
          assert.deepStrictEqual((yield* seed({ organizations: [newcomer] })).json, { added: 0, kept: 6 })
          yield* reset
        })
      )

      it.effect("seed adds nothing of a document with a mistake, and names each", () =>
        Effect.gen(function* () {
          const before = yield* held
          const stray = { id: `${newId}4`, serviceId: `${newId}2`, name: "no state" }
          const [service] = newcomer.services
          const { json, status } = yield* seed({
            organizations: [newcomer, { ...newcomer, services: [{ ...service, pipes: [stray] }], kees: [] }]
          })
          assert.strictEqual(status, 400)
          assert.include(json.error, "organizations[1].services[0].pipes[0].state: ")
          assert.include(json.error, "organizations[1].kees: ")
          const claimed = yield* seed({
            organizations: [newcomer, { id: `${newId}9`, name: "x", services: [{ id: serviceId, name: "x" }] }]
          })
          assert.strictEqual(claimed.status, 400)
          assert.include(claimed.json.error, "organizations[1].services[0].id: ")
          for (const body of ["", "{", "null", "[]", '{"organizations":{}}']) {
            assert.strictEqual((yield* call("/_admin/seed", { method: "POST", body })).status, 400, body)
          }
          assert.strictEqual(yield* held, before)
        })
      )
    }
  )
)

layer(
  memoryServer(environment, { admin: true, limits: { failedLogins: Option.fromUndefinedOr(parseRateLimit("1/h")) } })
)("reset", (it) => {
  it.effect("forgets who has failed to log in, and how often", () =>
    Effect.gen(function* () {
      const wrong = call(pipePath(firstPipe), { authorization: basic("nobody", "x") })
      assert.deepStrictEqual([(yield* wrong).status, (yield* wrong).status], [401, 429])
      yield* reset
      assert.strictEqual((yield* wrong).status, 401)
    })
  )
})

layer(memoryServer(environment, { admin: true }))("seed", (it) => {
  it.effect("takes documents that are larger than a request to the APIs may be", () =>
    Effect.gen(function* () {
      const dashboards = Array.from({ length: 3000 }, (_, n) => ({ id: `d${n}`, name: "x".repeat(1000) }))
      const { json } = yield* seed({ organizations: [{ id: organizationId, name: "sample", dashboards }] })
      assert.deepStrictEqual(json, { added: 3000, kept: 1 })
    })
  )

  it.effect("rejects a body above 64 MiB with 413, and an encoded one with 415", () =>
    Effect.gen(function* () {
      const tooLarge = yield* seed(" ".repeat(64 * 1024 * 1024 + 1))
      assert.strictEqual(tooLarge.status, 413)
      assert.include(tooLarge.text, "67108864 bytes")
      const encoded = yield* call("/_admin/seed", { body: "{}", headers: { "content-encoding": "gzip" } })
      assert.strictEqual(encoded.status, 415)
      assert.include(encoded.text, "content-encoding")
    })
  )
})

describe("reset of a real server", () => {
  const start = Effect.fnUntraced(function* (...flags: ReadonlyArray<string>) {
    const directory = yield* temporaryDirectory
    const file = join(directory, "snapshot.json")
    const credentials = join(directory, "credentials.json")
    const spelled = pipes.map(inClickhouseDialect)
    const service = { id: serviceId, name: "service", pipes: spelled }
    writeFileSync(
      file,
      JSON.stringify({ organizations: [{ id: organizationId, name: "sample", services: [service] }] })
    )
    const given = ["--admin", "--dialect", "clickhouse", "--import", file, "--credentials-file", credentials]
    const server = yield* serverProcess(...given, ...flags)
    const { keyId, keySecret, token } = readCredentials(credentials)[0]!
    const ask = (path: string, init: RequestInit = {}) =>
      Effect.promise(async () => {
        const headers = {
          authorization: path.startsWith("/api") ? bearer(token) : basic(keyId, keySecret),
          "content-type": "application/json"
        }
        const response = await fetch(`${server.url}${path}`, { ...init, headers })
        const json: any = await response.json()
        return { status: response.status, json }
      })
    return { ask, server }
  })

  const comesBack = Effect.fnUntraced(function* (...flags: ReadonlyArray<string>) {
    const { ask, server } = yield* start(...flags)
    const pipe = pipePath(firstPipe, { segment: "clickpipes" })
    const before = yield* ask(pipe)
    assert.strictEqual((yield* ask(keysPath(), { method: "POST", body: '{"name":"made"}' })).status, 200)
    assert.strictEqual((yield* ask(dashboardsPath, { method: "POST", body: '{"name":"made","tiles":[]}' })).status, 200)
    assert.strictEqual((yield* ask(pipe, { method: "DELETE" })).status, 200)
    const { json, status } = yield* ask("/_admin/reset", { method: "POST" })
    // An organization, a service and its pipes, the first key and the first token.
    const size = 2 + pipes.length + 2
    assert.deepStrictEqual([status, json], [200, { removed: size + 1, restored: size }])
    assert.deepStrictEqual((yield* ask(pipe)).json.result, before.json.result)
    assert.deepStrictEqual((yield* ask(dashboardsPath)).json, { data: [] })
    return { ask, server }
  })

  it.live("in memory: what was imported is there again, and the first credentials still let in", () =>
    Effect.scoped(comesBack("--memory"))
  )

  it.live("over SQLite: what was there before it started stays", () =>
    Effect.gen(function* () {
      const data = join(yield* temporaryDirectory, "data")
      const first = yield* comesBack("--data", data)
      const made = yield* first.ask(dashboardsPath, { method: "POST", body: '{"name":"from before","tiles":[]}' })
      yield* Effect.promise(() => first.server.stop())
      const second = yield* serverProcess("--data", data, "--dialect", "clickhouse", "--admin")
      const answer = yield* Effect.promise(() => fetch(`${second.url}/_admin/reset`, { method: "POST" }))
      const { restored } = yield* Effect.promise(async (): Promise<any> => answer.json())
      assert.strictEqual(restored, 2 + pipes.length + 2 + 1)
      assert.strictEqual(made.json.data.name, "from before")
    }).pipe(Effect.scoped)
  )

  describePostgres("over Postgres", (postgres) => {
    it.live("with --admin-postgres", () =>
      Effect.gen(function* () {
        const { createEmptyDatabase } = yield* postgres
        const url = Redacted.value(yield* createEmptyDatabase)
        yield* comesBack("--database-url", url, "--admin-postgres")
      }).pipe(Effect.scoped)
    )
  })
})
