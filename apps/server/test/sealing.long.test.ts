import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { operate, operateIn, temporaryDirectory } from "./support/processes.ts"

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
  it.live("no file of the store shows the secret, and its owner reads it", () =>
    Effect.gen(function* () {
      const { data } = yield* filledStore
      assert.include(readdirSync(data), "sealing.key")
      for (const name of readdirSync(data)) assert.notInclude(readFileSync(join(data, name), "latin1"), "MARKED", name)
      const exported = yield* operate("export", "--data", data)
      assert.include(exported.stdout, secret)
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
      assert.include((yield* operate("export", "--data", data)).stdout, secret)

      writeFileSync(key, old)
      assert.include((yield* operate("export", "--data", data)).stderr, "pass the right one")
      writeFileSync(key, "password")
      assert.include((yield* operate("export", "--data", data)).stderr, "Expected 32 random bytes in base64")
      rmSync(key)
      assert.include((yield* operate("export", "--data", data)).stderr, "is missing: restore it from the backup")
      assert.include((yield* operate("export", "--data", data, "--sealing-key-file", next)).stdout, secret)
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
