import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describePostgres } from "../../../packages/sql-adapter/test/support/postgres.ts"
import { organizationId, pipes, snapshot } from "./support/fullSnapshot.ts"
import { basic, bearer } from "./support/liveServer.ts"
import {
  environmentOf,
  headgate,
  operate,
  operateIn,
  operateInto,
  readCredentials,
  serverProcess,
  temporaryDirectory
} from "./support/processes.ts"
import { dashboardsPath, firstPipe, pipePath, environment } from "./support/environment.ts"

const statusOf = (url: string, authorization: string) =>
  Effect.promise(async () => (await fetch(url, { headers: { authorization } })).status)

const shown = (output: string, label: string) => new RegExp(`${label} +(\\S+)`).exec(output)?.[1] ?? ""

/** The cells of a table. */
const rowsOf = (table: string): ReadonlyArray<ReadonlyArray<string>> =>
  table
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/))

/** A running server over SQLite with the full snapshot, and its first credentials. */
const running = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const data = join(directory, "data")
  const file = join(directory, "snapshot.json")
  const credentials = join(directory, "credentials.json")
  writeFileSync(file, JSON.stringify(snapshot))
  const server = yield* serverProcess("--data", data, "--import", file, "--credentials-file", credentials)
  const owner = readCredentials(credentials)[0]!
  return { directory, data, server, owner }
})

describe("headgate-server token", () => {
  it.live("mints, lists and revokes tokens of a running server, at once", () =>
    Effect.gen(function* () {
      const { data, server } = yield* running
      const created = yield* operate("token", "create", "--name", "grafana", "--data", data)
      assert.strictEqual(created.code, 0)
      const secret = shown(created.stdout, "bearer token")
      const id = shown(created.stdout, "token")
      assert.match(secret, /^hgt_[0-9A-Za-z]{40}$/)
      assert.strictEqual(yield* statusOf(`${server.url}${dashboardsPath}`, bearer(secret)), 200)

      const listed = yield* operate("token", "list", "--data", data)
      assert.deepStrictEqual(
        rowsOf(listed.stdout).map((row) => row[2]),
        ["NAME", '"first token"', '"grafana"']
      )
      assert.include(listed.stdout, id)
      const asJson = yield* operate("token", "list", "--json", "--data", data)
      assert.deepStrictEqual(
        JSON.parse(asJson.stdout).map((token: object) => Object.keys(token)),
        [
          ["id", "name", "createdAt"],
          ["id", "name", "createdAt"]
        ]
      )
      assert.notInclude(listed.stdout, secret)

      assert.strictEqual((yield* operate("token", "revoke", id, "--data", data)).code, 0)
      assert.strictEqual(yield* statusOf(`${server.url}${dashboardsPath}`, bearer(secret)), 401)
      const again = yield* operate("token", "revoke", id, "--data", data)
      assert.strictEqual(again.code, 1)
      assert.include(again.stderr, id)
    }).pipe(Effect.scoped)
  )
})

describe("headgate-server key", () => {
  it.live("lists last uses and expiries, in a table and as the documents of the contract", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "environment.json")
      writeFileSync(file, JSON.stringify({ organizations: environment.organizations.slice(0, 1) }))
      yield* operate("import", file, "--data", directory)
      const { stdout } = yield* operate("key", "list", "--data", directory)
      const rows = rowsOf(stdout).map((row) => row.slice(2))
      assert.deepInclude(rows, ["disabled", "admin", "never", "never", '"disabled"'])
      assert.deepInclude(rows, ["enabled", "admin", "never", "2001-01-01T00:00:00Z", '"expired"'])
      assert.deepInclude(rows, ["enabled", "none", "never", "never", '"no-roles"'])
      const listed = yield* operate("key", "list", "--json", "--data", directory)
      const keys: ReadonlyArray<Record<string, unknown>> = JSON.parse(listed.stdout)
      assert.deepStrictEqual(
        keys.map(({ name }) => name),
        environment.organizations[0]?.keys.map(({ name }) => name)
      )
      const expired = keys.find(({ name }) => name === "expired")
      assert.deepInclude(expired, { roles: ["admin"], expireAt: "2001-01-01T00:00:00Z", keySuffix: "ired" })
      assert.notProperty(expired, "hashData")
    }).pipe(Effect.scoped)
  )

  it.live("creates credentials for an owner who has none, and disables, enables and deletes keys at once", () =>
    Effect.gen(function* () {
      const { data, owner, server } = yield* running
      const pipe = `${server.url}${pipePath(firstPipe)}`
      const created = yield* operate("key", "create", "--admin", "--data", data)
      assert.strictEqual(created.code, 0)
      const key = basic(shown(created.stdout, "key ID"), shown(created.stdout, "key secret"))
      const id = shown(created.stdout, "key")
      assert.strictEqual(yield* statusOf(pipe, key), 200)

      const listed = yield* operate("key", "list", "--data", data)
      const [header, first, second] = rowsOf(listed.stdout)
      assert.deepStrictEqual(header, ["ID", "KEY ID", "STATE", "ROLES", "LAST USED", "EXPIRES", "NAME"])
      assert.deepStrictEqual(first?.slice(2), ["enabled", "admin", "never", "never", '"first admin key"'])
      const suffix = shown(created.stdout, "key ID").slice(-4)
      assert.deepStrictEqual(second?.slice(0, 4), [id, `...${suffix}`, "enabled", "admin"])
      assert.match(second?.[4] ?? "", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:00Z$/)
      // Columns stand under one another.
      const starts = listed.stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.indexOf(line.split(/ {2,}/)[6] ?? "none"))
      assert.strictEqual(new Set(starts).size, 1)
      assert.notInclude(listed.stdout, "hgs_")

      assert.strictEqual((yield* operate("key", "disable", id, "--data", data)).code, 0)
      assert.strictEqual(yield* statusOf(pipe, key), 401)
      assert.strictEqual((yield* operate("key", "enable", id, "--data", data)).code, 0)
      assert.strictEqual(yield* statusOf(pipe, key), 200)
      assert.strictEqual((yield* operate("key", "delete", id, "--data", data)).code, 0)
      assert.strictEqual(yield* statusOf(pipe, key), 401)
      assert.strictEqual((yield* operate("key", "delete", id, "--data", data)).code, 1)
      assert.strictEqual(yield* statusOf(pipe, basic(owner.keyId, owner.keySecret)), 200)
    }).pipe(Effect.scoped)
  )

  it.live("says what is missing or unknown", () =>
    Effect.gen(function* () {
      const { data, directory } = yield* running
      const roles = yield* operate("key", "create", "--data", data)
      assert.strictEqual(roles.code, 2)
      assert.include(roles.stderr, "--admin")
      const unknown = "00000000-0000-4000-8000-000000000000"
      const organization = yield* operate("token", "list", "--organization", unknown, "--data", data)
      assert.strictEqual(organization.code, 1)
      assert.include(organization.stderr, organizationId)
      const empty = yield* operate("token", "list", "--data", join(directory, "empty"))
      assert.strictEqual(empty.code, 1)
      assert.include(empty.stderr, "there is no store in")
      assert.isFalse(existsSync(join(directory, "empty")))
      assert.strictEqual((yield* operate("token", "revoke", "not-a-uuid", "--data", data)).code, 2)
      assert.strictEqual((yield* operate("key", "burn", "--data", data)).code, 2)
    }).pipe(Effect.scoped)
  )
})

/** What was used since is newer, nothing else may differ. */
const unused = (text: string) => text.replaceAll(/,?\n\s*"usedAt": "[^"]*"/g, "")

const withoutConnectionString = (name: string, value: unknown) => (name === "connectionString" ? undefined : value)

/** Fills a server over SQLite, backs it up, restores it to another store, and holds that it is the same service. */
const backUpAndRestore = Effect.fnUntraced(function* (restored: ReadonlyArray<string>) {
  const { data, directory, owner, server } = yield* running
  const env = environmentOf(server.url, owner)
  const minted = yield* headgate(env, "key", "create", "--name", "x", "--role", "developer", "--json")
  const { keyId, keySecret } = JSON.parse(minted.stdout)
  yield* headgate(env, "dashboard", "create", "--name", "Errors", "--json")
  const dashboards = yield* headgate(env, "dashboard", "list", "--json")

  const backup = yield* operate("export", "--data", data)
  assert.strictEqual(backup.code, 0)
  for (const secret of [keySecret, owner.keySecret, owner.token]) assert.notInclude(backup.stdout, secret)
  const file = join(directory, "backup.json")
  writeFileSync(file, backup.stdout)

  const second = yield* serverProcess(...restored, "--import", file)
  assert.notInclude(second.printed.stderr, "New credentials")
  const there = { ...env, HEADGATE_URL: second.url }
  for (const pipe of pipes) {
    const { stdout } = yield* headgate(there, "pipe", "get", pipe["id"], "--json")
    // A backup has no credentials.
    assert.deepStrictEqual(JSON.parse(stdout), JSON.parse(JSON.stringify(pipe, withoutConnectionString)))
  }
  assert.strictEqual((yield* headgate(there, "dashboard", "list", "--json")).stdout, dashboards.stdout)
  assert.strictEqual(yield* statusOf(`${second.url}${pipePath(firstPipe)}`, basic(keyId, keySecret)), 200)

  const again = yield* operate("export", ...restored)
  assert.strictEqual(again.code, 0)
  assert.strictEqual(unused(again.stdout), unused(backup.stdout))
})

describePostgres("headgate-server export to Postgres", (postgres) => {
  it.live("restores there what was backed up from SQLite, byte for byte", () =>
    Effect.gen(function* () {
      const { createEmptyDatabase } = yield* postgres
      yield* backUpAndRestore(["--database-url", Redacted.value(yield* createEmptyDatabase)])
    }).pipe(Effect.scoped)
  )
})

describe("which store is meant", () => {
  it.live("a flag wins over HEADGATE_DATABASE_URL, and two flags exclude one another", () =>
    Effect.gen(function* () {
      const { data } = yield* running
      const elsewhere = { HEADGATE_DATABASE_URL: "postgres://user:the-password@127.0.0.1:1/elsewhere" }
      assert.strictEqual((yield* operateIn(elsewhere, "key", "list", "--data", data)).code, 0)
      const meant = yield* operateIn(elsewhere, "key", "list")
      assert.strictEqual(meant.code, 1)
      assert.include(meant.stderr, "Postgres")
      assert.notInclude(meant.stderr + meant.stdout, "the-password")
      const both = yield* operate("key", "list", "--data", data, "--database-url", "postgres://127.0.0.1:1/x")
      assert.strictEqual(both.code, 2)
      assert.include(both.stderr, "exclude one another")
    }).pipe(Effect.scoped)
  )
})

describe("output that cannot be written", () => {
  const operateFull = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
    const full = yield* Effect.acquireRelease(
      Effect.sync(() => openSync("/dev/full", "w")),
      (file) => Effect.sync(() => closeSync(file))
    )
    return yield* operateInto(full, ...args)
  })

  it.live("is an error that names what nobody has the secret of", () =>
    Effect.gen(function* () {
      const data = join(yield* temporaryDirectory, "data")
      const server = yield* serverProcess("--data", data)
      yield* Effect.promise(() => server.stop())
      for (const [noun, undo, ...args] of [
        ["key", "delete", "--admin"],
        ["token", "revoke", "--name", "grafana"]
      ]) {
        const { code, stderr } = yield* operateFull(`${noun}`, "create", ...args, "--data", data)
        assert.strictEqual(code, 1)
        assert.include(stderr, "ENOSPC")
        assert.notInclude(stderr, "keep it now")
        const [, command = ""] = /run `headgate-server ([^`]+)`/.exec(stderr) ?? []
        assert.match(command, new RegExp(`^${noun} ${undo} `))
        assert.strictEqual((yield* operate(...command.split(" "), "--data", data)).code, 0)
      }
    }).pipe(Effect.scoped)
  )

  it.live.each([["key", "list"], ["token", "list", "--json"], ["--help"], ["--version"]])("is an error: %j", (args) =>
    Effect.gen(function* () {
      const data = join(yield* temporaryDirectory, "data")
      const server = yield* serverProcess("--data", data)
      yield* Effect.promise(() => server.stop())
      const { code, stderr } = yield* operateFull(...args, "--data", data)
      assert.deepStrictEqual(
        [code, stderr.split(":", 3).slice(0, 2).join(":")],
        [1, "headgate-server: The output could not be written"]
      )
    }).pipe(Effect.scoped)
  )
})

describe("headgate-server export", () => {
  it.live("writes a backup: imported elsewhere, it is the same service, and old credentials open it", () =>
    Effect.gen(function* () {
      yield* backUpAndRestore(["--data", join(yield* temporaryDirectory, "restored")])
    }).pipe(Effect.scoped)
  )

  it.live("fails where it cannot write: no half backup looks like a whole one", () =>
    Effect.gen(function* () {
      const { data } = yield* running
      const full = yield* Effect.acquireRelease(
        Effect.sync(() => openSync("/dev/full", "w")),
        (file) => Effect.sync(() => closeSync(file))
      )
      const { code, stderr } = yield* operateInto(full, "export", "--data", data)
      assert.strictEqual(code, 1)
      assert.include(stderr, "could not be written")
    }).pipe(Effect.scoped)
  )

  it.live("takes the state of a moment while the server writes, in either dialect", () =>
    Effect.gen(function* () {
      const { data } = yield* running
      const neutral = yield* operate("export", "--data", data)
      const clickhouse = yield* operate("export", "--data", data, "--dialect", "clickhouse")
      assert.include(neutral.stdout, '"db_max_threads"')
      assert.include(clickhouse.stdout, '"clickhouse_max_threads"')
      assert.notInclude(clickhouse.stdout, '"db_max_threads"')
    }).pipe(Effect.scoped)
  )
})

describe("headgate-server import", () => {
  const exported = (data: string) => Effect.map(operate("export", "--data", data), ({ stdout }) => stdout)

  it.live("restores a backup into a store that is not there yet, and mints nothing", () =>
    Effect.gen(function* () {
      const { data, directory } = yield* running
      const backup = join(directory, "backup.json")
      writeFileSync(backup, yield* exported(data))
      const restored = join(directory, "restored")
      const first = yield* operate("import", backup, "--data", restored)
      assert.deepStrictEqual([first.code, first.stderr], [0, ""])
      assert.match(first.stdout, /^imported .*backup\.json: \d+ added, 0 there already\n$/)
      assert.strictEqual(yield* exported(restored), yield* exported(data))
      const second = yield* operate("import", backup, "--data", restored)
      assert.match(second.stdout, /: 0 added, \d+ there already\n$/)
    }).pipe(Effect.scoped)
  )

  it.live("makes no store for a file that is not there, or no snapshot", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const data = join(directory, "data")
      const bad = join(directory, "bad.json")
      writeFileSync(bad, '{"organisations":[]}')
      for (const file of [join(directory, "nowhere.json"), bad]) {
        const { code, stderr } = yield* operate("import", file, "--data", data)
        assert.strictEqual(code, 1)
        assert.include(stderr, `import ${file}: `)
        assert.isFalse(existsSync(data))
      }
    }).pipe(Effect.scoped)
  )

  it.live("refuses what is no snapshot, by name, and stores nothing of it", () =>
    Effect.gen(function* () {
      const { data, directory } = yield* running
      const before = yield* exported(data)
      const bad = join(directory, "bad.json")
      writeFileSync(bad, '{"organisations":[]}')
      const { code, stderr } = yield* operate("import", bad, "--data", data)
      assert.strictEqual(code, 1)
      assert.match(stderr, /^headgate-server: import .*bad\.json: .*organisations/)
      assert.strictEqual(yield* exported(data), before)
    }).pipe(Effect.scoped)
  )
})

describe("a key's last use", () => {
  it.live("stands in the store to the minute", () =>
    Effect.gen(function* () {
      const { data, owner, server } = yield* running
      const before = yield* operate("export", "--data", data)
      assert.notInclude(before.stdout, "usedAt")
      yield* statusOf(`${server.url}${pipePath(firstPipe)}`, basic(owner.keyId, owner.keySecret))
      const after = yield* operate("export", "--data", data)
      assert.match(after.stdout, /"usedAt": "\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:00.000Z"/)
    }).pipe(Effect.scoped)
  )
})
