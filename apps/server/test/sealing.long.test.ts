import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { operate, operateIn, readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"

const secret = "AccountKey=MARKED-connection-string"
const organizationId = "1c9f6a0e-3b7d-4f2a-8e5c-7d4b6a9f0e21"
const serviceId = "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d"
const pipe = {
  id: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f",
  serviceId,
  name: "files",
  state: "Running",
  source: { objectStorage: { url: "https://example.com/x", connectionString: secret } }
}
const snapshot = {
  organizations: [{ id: organizationId, name: "Acme", services: [{ id: serviceId, name: "s", pipes: [pipe] }] }]
}

/** A store with a secret, in a directory. */
const filledStore = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const file = join(directory, "in.json")
  writeFileSync(file, JSON.stringify(snapshot))
  const data = join(directory, "data")
  const imported = yield* operate("import", file, "--data", data)
  assert.strictEqual(imported.code, 0, imported.stderr)
  return { directory, data }
})

describe("the sealing key of a store", () => {
  it.live("no file of the store and no export shows the secret; with the key an export moves it", () =>
    Effect.gen(function* () {
      const { data, directory } = yield* filledStore
      assert.include(readdirSync(data), "sealing.key")
      for (const name of readdirSync(data)) assert.notInclude(readFileSync(join(data, name), "latin1"), "MARKED", name)
      const plain = (yield* operate("export", "--data", data)).stdout
      const sealed = (yield* operate("export", "--data", data, "--with-secrets")).stdout
      assert.notInclude(plain + sealed, "MARKED")
      assert.notInclude(plain, "secrets")
      const name = `pipe/${pipe.id}/source.objectStorage.connectionString`
      assert.hasAllKeys(JSON.parse(sealed).secrets.values, [name])

      const importTo = Effect.fnUntraced(function* (to: string, text: string, ...flags: ReadonlyArray<string>) {
        const file = join(directory, `${to}.json`)
        writeFileSync(file, text)
        return yield* operate("import", file, "--data", join(directory, to), ...flags)
      })
      const refused = yield* importTo("other", sealed)
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, `secrets.values.${name}: It is sealed with the key`)
      assert.include(refused.stderr, "import into a store with that key, or export without secrets")
      assert.strictEqual((yield* importTo("without", plain)).code, 0)
      assert.strictEqual((yield* operate("export", "--data", join(directory, "without"))).stdout, plain)
      const key = ["--sealing-key-file", join(data, "sealing.key")]
      assert.strictEqual((yield* importTo("moved", sealed, ...key)).code, 0)
      const moved = yield* operate("export", "--with-secrets", "--data", join(directory, "moved"), ...key)
      assert.strictEqual(moved.stdout, sealed)
    }).pipe(Effect.scoped)
  )

  it.live("reseal changes it; the old key, a missing key and no key are refused with a reason", () =>
    Effect.gen(function* () {
      const { data, directory } = yield* filledStore
      const [key, next] = [join(data, "sealing.key"), join(directory, "next.key")]
      const old = readFileSync(key, "utf8")
      writeFileSync(next, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
      const wrong = yield* operate("key", "list", "--data", data, "--sealing-key-file", next)
      assert.strictEqual(wrong.code, 1)
      assert.include(wrong.stderr, "it is sealed with the key")

      const resealed = yield* operate("reseal", "--data", data, "--new-key-file", next)
      assert.strictEqual(resealed.code, 0, resealed.stderr)
      assert.strictEqual(readFileSync(key, "utf8"), readFileSync(next, "utf8"))
      const exported = yield* operate("export", "--data", data, "--with-secrets")
      assert.strictEqual(exported.code, 0, exported.stderr)

      writeFileSync(key, old)
      assert.include((yield* operate("export", "--data", data)).stderr, "pass the right one")
      writeFileSync(key, "password")
      assert.include((yield* operate("export", "--data", data)).stderr, "Expected 32 random bytes in base64")
      rmSync(key)
      assert.include((yield* operate("export", "--data", data)).stderr, "is missing: restore it from the backup")
      const given = yield* operate("export", "--data", data, "--with-secrets", "--sealing-key-file", next)
      assert.strictEqual(given.stdout, exported.stdout)
    }).pipe(Effect.scoped)
  )

  it.live("a server beside which the store was resealed says so, and stores nothing that it seals", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const [data, credentials, next] = ["data", "credentials.json", "next.key"].map((name) => join(directory, name))
      writeFileSync(next!, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
      const server = yield* serverProcess("--data", data!, "--credentials-file", credentials!)
      const { token } = readCredentials(credentials!)[0]!
      const call = (url: string, body?: object) =>
        Effect.promise(async () => {
          const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
          const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) }
          const response = await fetch(url, init)
          return { status: response.status, text: await response.text() }
        })
      const webhook = { name: "w", service: "generic", url: "https://example.com/MARKED" }
      const path = "/api/v2/webhooks"
      assert.strictEqual((yield* call(`${server.url}${path}`, webhook)).status, 200)
      const old = readFileSync(join(data!, "sealing.key"), "utf8")
      const { code, stderr } = yield* operate("reseal", "--data", data!, "--new-key-file", next!)
      assert.strictEqual(code, 0, stderr)
      const kept = /the old key is in (\S+): backups/.exec(stderr)?.[1] ?? ""
      assert.strictEqual(readFileSync(kept, "utf8"), old)

      for (const body of [undefined, { ...webhook, name: "another" }]) {
        const refused = yield* call(`${server.url}${path}`, body)
        assert.deepStrictEqual(
          [refused.status, refused.text],
          [503, '{"message":"the store was sealed with another key: this server must be started with that key"}']
        )
      }
      // The result of the probe is kept for a second.
      const { text } = yield* Effect.repeat(call(`${server.url}/readyz`), {
        until: ({ status }) => status === 503,
        schedule: Schedule.spaced("100 millis")
      })
      assert.include(text, "sealed with another key than this server has")
      assert.strictEqual((yield* call(`${server.url}/healthz`)).status, 200)

      yield* Effect.promise(() => server.stop())
      assert.match(server.printed.stderr, /resealed with the key \S+, and this server has the key/)
      const again = yield* serverProcess("--data", data!)
      assert.include((yield* call(`${again.url}${path}`)).text, "MARKED")
    }).pipe(Effect.scoped)
  )

  it.live("Postgres wants one, and says how to make it", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* operateIn(
        { HEADGATE_SEALING_KEY: "", HEADGATE_DATABASE_URL: "postgres://127.0.0.1:1/x" },
        "key",
        "list"
      )
      assert.strictEqual(code, 2)
      assert.include(stderr, "openssl rand -base64 32")
    }).pipe(Effect.scoped)
  )
})
