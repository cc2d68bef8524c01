import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { basic, bearer } from "./support/liveServer.ts"
import { hashDataOf } from "./support/environment.ts"
import { operate, serverProcess, temporaryDirectory } from "./support/processes.ts"

// As docs/testing-your-client.md has them.
const organization = "7e570000-0000-4000-8000-000000000001"
const service = "7e570000-0000-4000-8000-000000000002"
const key = basic("headgateTestAdminKey", "hgs_publishedForTestsOnlyNotForProduction000")
const token = bearer("hgt_publishedForTestsOnlyNotForProduction000")

const warning = /^WARNING: --test-credentials is for tests\./m

const answer = (url: string, authorization: string) =>
  Effect.promise(async () => {
    const response = await fetch(url, { headers: { authorization } })
    const body: any = await response.json()
    return { status: response.status, body }
  })

const statusesAt = (url: string) =>
  Effect.forEach(
    [
      [`${url}/v1/organizations/${organization}/keys`, key],
      [`${url}/v1/organizations/${organization}/services/${service}/dbpipes`, key],
      [`${url}/api/v2/dashboards`, token]
    ] as const,
    ([path, authorization]) => Effect.map(answer(path, authorization), ({ status }) => status)
  )

const document = (organizationId: string, fields: object) =>
  JSON.stringify({ organizations: [{ id: organizationId, name: "acme", ...fields }] })

const published = {
  keys: [
    {
      name: "x",
      roles: ["admin"],
      hashData: hashDataOf("headgateTestAdminKey", "hgs_publishedForTestsOnlyNotForProduction000")
    }
  ],
  tokens: [{ name: "x", tokenHash: hashDataOf("hgt_publishedForTestsOnlyNotForProduction000", "").keyIdHash }]
}

describe("--test-credentials", () => {
  it.live("lets everybody in with what the documentation says, and warns of it", () =>
    Effect.gen(function* () {
      const { printed, url } = yield* serverProcess("--memory", "--test-credentials")
      assert.deepStrictEqual(yield* statusesAt(url), [200, 200, 200])
      assert.match(printed.stderr, warning)
      // They are no new ones, which are shown once.
      assert.notInclude(printed.stderr, "New credentials")
      const { body, status } = yield* answer(`${url}/readyz`, "")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(body, {
        status: "ready",
        warning: "everybody can sign in: the server was started with --test-credentials"
      })
    }).pipe(Effect.scoped)
  )

  it.live("adds them to what an import has, and an organization of another name keeps it", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "state.json")
      writeFileSync(file, document(organization, { dashboards: [{ id: "d1", name: "Errors" }] }))
      const { url } = yield* serverProcess("--memory", "--test-credentials", "--admin", "--import", file)
      const read = Effect.all([
        Effect.map(answer(`${url}/v1/organizations`, key), ({ body }) => body.result[0].name),
        Effect.map(answer(`${url}/api/v2/dashboards`, token), ({ body }) => body.data.map(({ id }: any) => id))
      ])
      assert.deepStrictEqual(yield* read, ["acme", ["d1"]])
      // A reset restores them, and a seed may name them.
      const post = (path: string, body?: string) =>
        Effect.promise(() =>
          fetch(`${url}/_admin/${path}`, {
            method: "POST",
            ...(body && { body, headers: { "content-type": "application/json" } })
          }).then(({ status }) => status)
        )
      assert.deepStrictEqual([yield* post("seed", document(organization, published)), yield* post("reset")], [200, 200])
      assert.deepStrictEqual(yield* read, ["acme", ["d1"]])
    }).pipe(Effect.scoped)
  )

  it.live("stays with the store that was made with it, which starts with nothing else", () =>
    Effect.gen(function* () {
      const data = join(yield* temporaryDirectory, "data")
      const first = yield* serverProcess("--data", data, "--test-credentials")
      assert.deepStrictEqual(yield* statusesAt(first.url), [200, 200, 200])
      yield* Effect.promise(() => first.stop())
      for (const more of [[], ["--admin"], ["--dialect", "clickhouse"]]) {
        const refused = yield* operate("--data", data, "--port", "0", ...more)
        assert.strictEqual(refused.code, 1)
        assert.include(refused.stderr, "the store was made with --test-credentials, which everybody knows")
        assert.notInclude(refused.stderr, "listening")
      }
      const second = yield* serverProcess("--data", data, "--test-credentials")
      assert.deepStrictEqual(yield* statusesAt(second.url), [200, 200, 200])
      assert.match(second.printed.stderr, warning)
    }).pipe(Effect.scoped)
  )

  it.live("is refused by a store that was made without it, which stays as it is", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      const [served, imported, file] = [join(folder, "served"), join(folder, "imported"), join(folder, "state.json")]
      const first = yield* serverProcess("--data", served)
      yield* Effect.promise(() => first.stop())
      writeFileSync(file, document("5d0f1c8e-2b7a-4c39-9a61-0e3f4b7d2c11", {}))
      assert.strictEqual((yield* operate("import", file, "--data", imported)).code, 0)
      for (const data of [served, imported]) {
        const refused = yield* operate("--data", data, "--port", "0", "--test-credentials")
        assert.strictEqual(refused.code, 1)
        assert.include(refused.stderr, "the store was not made with --test-credentials")
      }
      const again = yield* serverProcess("--data", imported)
      assert.deepStrictEqual(yield* statusesAt(again.url), [401, 401, 401])
      assert.notMatch(again.printed.stderr, warning)
      const { body } = yield* answer(`${again.url}/readyz`, "")
      assert.deepStrictEqual(body, { status: "ready" })
    }).pipe(Effect.scoped)
  )

  it.live("is still open for a store of which the first start failed", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      const file = join(folder, "state.json")
      writeFileSync(file, "{")
      for (const [first, then] of [
        [[], ["--test-credentials"]],
        [["--test-credentials"], []]
      ] as const) {
        const data = join(folder, `data${first.length}`)
        const failed = yield* operate("--data", data, "--port", "0", "--import", file, ...first)
        assert.strictEqual(failed.code, 1)
        assert.include(failed.stderr, "the file is not valid JSON")
        const { url } = yield* serverProcess("--data", data, ...then)
        const status = then.length === 0 ? 401 : 200
        assert.deepStrictEqual(yield* statusesAt(url), [status, status, status])
      }
    }).pipe(Effect.scoped)
  )

  it.live("gets into no other store by an export", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryDirectory
      const [tests, own, file] = [join(folder, "tests"), join(folder, "own"), join(folder, "export.json")]
      const first = yield* serverProcess("--data", tests, "--test-credentials")
      yield* Effect.promise(() => first.stop())
      writeFileSync(file, (yield* operate("export", "--data", tests)).stdout)
      const expected =
        "organizations[0].keys[0]: Expected none of the credentials of --test-credentials, which everybody knows: leave it out"
      for (const line of [
        ["import", file, "--data", own],
        ["--data", own, "--port", "0", "--import", file]
      ]) {
        const refused = yield* operate(...line)
        assert.strictEqual(refused.code, 1)
        assert.include(refused.stderr, expected)
        assert.include(refused.stderr, "organizations[0].tokens[0]")
      }
      const server = yield* serverProcess("--memory", "--admin")
      const seeded = yield* Effect.promise(() =>
        fetch(`${server.url}/_admin/seed`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: document(organization, published)
        })
      )
      assert.strictEqual(seeded.status, 400)
    }).pipe(Effect.scoped)
  )
})
