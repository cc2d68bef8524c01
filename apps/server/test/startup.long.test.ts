import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { organizationId, pipes, sampleFile, serviceId, snapshot } from "./support/fullSnapshot.ts"
import { basic } from "./support/liveServer.ts"
import { operate, readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"

const sample = fileURLToPath(sampleFile)

const statusOf = (url: string, authorization: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url, { ...init, headers: { authorization, "content-type": "application/json" } })
    const json: any = await response.json()
    return { status: response.status, json }
  })

const secretsOf = (file: string) => readCredentials(file).flatMap(({ keySecret, token }) => [keySecret, token])

describe("the first start", () => {
  it.live("writes no secret into the data directory, whatever was created", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const data = join(directory, "data")
      const file = join(directory, "credentials.json")
      const server = yield* serverProcess("--data", data, "--import", sample, "--credentials-file", file)
      const { keyId, keySecret, organization } = readCredentials(file)[0]!
      const keysUrl = `${server.url}/v1/organizations/${organization.id}/keys`
      const created = yield* Effect.forEach(Array.from({ length: 10 }), () =>
        statusOf(keysUrl, basic(keyId, keySecret), { method: "POST", body: '{"name":"x","roles":["admin"]}' })
      )
      const secrets = [...secretsOf(file), ...created.map(({ json }) => json.result.keySecret)]
      assert.strictEqual(secrets.length, 12)
      const search = () => {
        for (const name of readdirSync(data)) {
          const bytes = readFileSync(join(data, name))
          // The search must be able to find something: what is stored in clear is there.
          for (const secret of secrets) assert.strictEqual(bytes.indexOf(secret), -1, `a secret stands in ${name}`)
        }
        return readdirSync(data).some((name) => readFileSync(join(data, name)).includes("first admin key"))
      }
      assert.isTrue(search())
      yield* Effect.promise(() => server.stop())
      assert.isTrue(search())
    }).pipe(Effect.scoped)
  )

  it.live("writes the credentials file for its owner only, and adds to it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "private", "credentials.json")
      const other = { organizations: [{ id: "00000000-0000-4000-8000-0000000000ff", name: "other" }] }
      writeFileSync(join(directory, "other.json"), JSON.stringify(other))
      const first = yield* serverProcess("--data", join(directory, "data"), "--credentials-file", file)
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      yield* Effect.promise(() => first.stop())
      const [before] = readCredentials(file)
      yield* serverProcess(
        "--data",
        join(directory, "data"),
        "--credentials-file",
        file,
        "--import",
        join(directory, "other.json")
      )
      const after = readCredentials(file)
      assert.deepStrictEqual(after[0], before)
      assert.strictEqual(after[1]?.organization.name, "other")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    }).pipe(Effect.scoped)
  )
})

describe("--credentials-file", () => {
  it.live("keeps secrets out of what is printed, which a journal or a CI log may keep", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "credentials.json")
      const { printed } = yield* serverProcess("--memory", "--credentials-file", file)
      const { keyId, organization } = readCredentials(file)[0]!
      assert.include(printed.stderr, `New credentials are in ${file}`)
      assert.include(printed.stderr, organization.id)
      for (const secret of [keyId, ...secretsOf(file)]) assert.notInclude(printed.stderr, secret)
    }).pipe(Effect.scoped)
  )

  it.live("that cannot be written stops the start before any credentials are created, and none are shown", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const data = join(directory, "data")
      const start = ["--port", "0", "--data", data]
      const { code, stderr } = yield* operate(...start, "--credentials-file", directory)
      assert.strictEqual(code, 1)
      assert.include(stderr, `--credentials-file ${directory}: Expected a file, or none yet: name another\n`)
      assert.notMatch(stderr, /hg[st]_/)
      const keys = yield* operate("key", "list", "--data", data)
      assert.notInclude(keys.stdout, "first admin key")
      // The next start, with a file that can be written, creates them.
      const file = join(directory, "credentials.json")
      yield* serverProcess("--data", data, "--credentials-file", file)
      assert.lengthOf(readCredentials(file), 1)
      assert.deepStrictEqual(
        readdirSync(directory).filter((name) => name.endsWith(".new")),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live("that holds something else stops the start, and stays as it is", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "other.json")
      writeFileSync(file, "{}")
      const { code, stderr } = yield* operate("--memory", "--port", "0", "--credentials-file", file)
      assert.strictEqual(code, 1)
      assert.include(
        stderr,
        `--credentials-file ${file}: the file holds something else than credentials: name another file\n`
      )
      assert.strictEqual(readFileSync(file, "utf8"), "{}")
    }).pipe(Effect.scoped)
  )
})

describe("--import", () => {
  it.live("twice changes nothing", () =>
    Effect.gen(function* () {
      const data = join(yield* temporaryDirectory, "data")
      const first = yield* serverProcess("--data", data, "--import", sample)
      assert.include(first.printed.stderr, "6 added, 0 there already")
      yield* Effect.promise(() => first.stop())
      const second = yield* serverProcess("--data", data, "--import", sample)
      assert.include(second.printed.stderr, "0 added, 6 there already")
    }).pipe(Effect.scoped)
  )

  const refusals: ReadonlyArray<readonly [what: string, document: string, named: ReadonlyArray<string>]> = [
    ["broken JSON", '{"organizations":', ["not valid JSON"]],
    ["a misspelt field", JSON.stringify({ organisations: [] }), ["organizations", "organisations"]],
    [
      "a pipe without a state and with a wrong type",
      JSON.stringify({
        organizations: [
          {
            id: organizationId,
            name: "x",
            services: [
              { id: serviceId, name: "x", pipes: [{ ...pipes[0], state: undefined, scaling: { replicas: "2" } }] }
            ]
          }
        ]
      }),
      ["organizations[0].services[0].pipes[0].state", "organizations[0].services[0].pipes[0].scaling.replicas"]
    ],
    [
      "a pipe of another service",
      JSON.stringify({
        organizations: [
          { id: organizationId, name: "x", services: [{ id: organizationId, name: "x", pipes: [pipes[0]] }] }
        ]
      }),
      ["organizations[0].services[0].pipes[0].serviceId"]
    ],
    [
      "the same organization twice",
      JSON.stringify({ organizations: [...snapshot.organizations, { id: organizationId, name: "again" }] }),
      ["organizations[1].id"]
    ]
  ]

  for (const [what, document, named] of refusals) {
    it.live(`of ${what} is refused by name, and nothing is stored`, () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const file = join(directory, "bad.json")
        writeFileSync(file, document)
        const { code, stderr } = yield* operate("--port", "0", "--data", join(directory, "data"), "--import", file)
        assert.strictEqual(code, 1)
        assert.include(stderr, `--import ${file}: `)
        for (const path of named) assert.include(stderr, path)
        assert.notInclude(stderr, "key secret")
        const server = yield* serverProcess("--data", join(directory, "data"))
        assert.include(server.printed.stderr, "Organization default")
      }).pipe(Effect.scoped)
    )
  }

  it.live("of a file that is not there is refused", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* operate("--port", "0", "--memory", "--import", "nowhere.json")
      assert.strictEqual(code, 1)
      assert.include(stderr, "--import nowhere.json: there is no such file")
    })
  )
})

describe("the command line", () => {
  it.live("does not put credentials on a network in clear unless told to", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* operate("--memory", "--port", "0", "--host", "0.0.0.0")
      assert.strictEqual(code, 2)
      assert.include(stderr, "--insecure-http")
      const server = yield* serverProcess("--memory", "--host", "0.0.0.0", "--insecure-http")
      assert.include(server.printed.stderr, "listening")
    }).pipe(Effect.scoped)
  )
})
