import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { fixtureCredentials, fixtureIds, fixturePipes, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { ApiKeys, Pipe, type PipeAddress, Pipes, Roles, Snapshot, Snapshots } from "@headgate/core"
import { Authenticator, type Credentials, OrganizationDashboards, StepLength, Tokens } from "@headgate/core/adapter"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Path from "effect/Path"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { DatabaseSync } from "node:sqlite"
import { SqlAdapter, SqlMigrations } from "../src/index.ts"
import { importOrganizations } from "./support/importOrganizations.ts"
import { layerTemporary, temporaryFilename } from "./temporaryDatabase.ts"

const { organizations, pipes: pipeIds, services } = fixtureIds

const kafka: PipeAddress = {
  organizationId: organizations.acme,
  serviceId: services.ingest,
  pipeId: pipeIds.kafka
}

const importFixture = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  return yield* snapshots.import(yield* fixtureSnapshot)
})

const createKey = ApiKeys.use((keys) =>
  keys.create({ organizationId: organizations.acme }, { name: "ci", roles: ["admin"] })
)

const signIn = (credentials: Credentials) =>
  Authenticator.use((authenticator) => authenticator.authenticate(credentials, "192.0.2.7"))

it.live("tables that a newer version has changed are not touched", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFilename
    const open = SqlAdapter.layerSqlite({ filename })
    yield* SqlClient.use(
      (sql) => sql`INSERT INTO headgate_migrations (migration_id, name) VALUES (1000, 'later')`
    ).pipe(Effect.provide(open))
    const error = yield* Effect.flip(Effect.scoped(Layer.build(Layer.fresh(open))))
    assert.strictEqual(error._tag, "MigrationError")
    assert.match(error.message, /newer version .* \(to 1000, this version knows \d+\): upgrade/)
  }).pipe(Effect.scoped)
)

it.live.each([
  ["whose disk is full", "max_page_count = 1", /^the database does not answer: .*database or disk is full$/],
  [
    "that may not be written",
    "query_only = 1",
    /^the database does not answer: .*attempt to write a readonly database$/
  ]
] as const)("a file %s is an outage, logged in one line, and can still be read", ([, pragma, line]) =>
  Effect.gen(function* () {
    const logged: Array<unknown> = []
    const logger = Logger.layer([Logger.make(({ message }) => void logged.push(...[message].flat()))])
    const filename = yield* temporaryFilename
    const failure = yield* Effect.gen(function* () {
      const sql = yield* SqlClient
      const dashboards = (yield* OrganizationDashboards).of(organizations.acme)
      yield* importOrganizations(organizations.acme)
      yield* dashboards.create({ name: "first" })
      yield* sql.unsafe(`PRAGMA ${pragma}`)
      const failure = yield* dashboards
        .create({ name: "second", future: "x".repeat(100_000) })
        .pipe(Effect.flip, Effect.provide(logger))
      assert.lengthOf(yield* dashboards.list(), 1)
      return failure
    }).pipe(Effect.provide(SqlAdapter.layerSqlite({ filename })))
    assert.strictEqual(failure._tag, "ServerError")
    assert.lengthOf(logged, 1)
    assert.match(String(logged[0]), line)
  })
)

it.effect("holds no passing state for a day when the clock is set back by a day", () =>
  Effect.gen(function* () {
    yield* importFixture
    const pipes = yield* Pipes
    const read = Effect.all([pipes.get(kafka), pipes.list(kafka)]).pipe(
      Effect.map(([pipe, all]) => [pipe.state, all.find(({ id }) => id === kafka.pipeId)?.state])
    )
    yield* TestClock.setTime(Date.parse("2026-06-02T12:00:00Z"))
    yield* pipes.setState(kafka, { command: "stop" })
    assert.deepStrictEqual(yield* read, ["Stopping", "Stopping"])
    yield* TestClock.setTime(Date.parse("2026-06-01T12:00:00Z"))
    assert.deepStrictEqual(yield* read, ["Stopped", "Stopped"])
  }).pipe(Effect.provide(layerTemporary()))
)

it.effect("a read of a pipe whose steps last longer than a minute waits for no writer", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFilename
    yield* Effect.gen(function* () {
      yield* importFixture
      const pipes = yield* Pipes
      yield* TestClock.setTime(Date.parse("2026-06-02T12:00:00Z"))
      yield* pipes.setState(kafka, { command: "stop" })
      const writer = new DatabaseSync(filename)
      writer.exec("BEGIN IMMEDIATE")
      assert.strictEqual((yield* pipes.get(kafka)).state, "Stopping")
      writer.close()
      yield* TestClock.setTime(Date.parse("2026-06-01T12:00:00Z"))
      assert.strictEqual((yield* pipes.get(kafka)).state, "Stopped")
    }).pipe(
      Effect.provideService(StepLength, Duration.minutes(5)),
      Effect.provide(SqlAdapter.layerSqlite({ filename, busyTimeout: "10 millis" }))
    )
  }).pipe(Effect.scoped)
)

it.effect("a key is accepted although its last use cannot be written, which is tried once a minute for each key", () =>
  Effect.gen(function* () {
    const logged: Array<unknown> = []
    const logger = Logger.layer([Logger.make(({ message }) => void logged.push(...[message].flat()))])
    const sql = yield* SqlClient
    yield* importFixture
    const { admin, developer } = fixtureCredentials.keys
    const use = (minute: string, ...keys: ReadonlyArray<Credentials>) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.parse(`2026-06-01T${minute}:30Z`))
        for (const key of [...keys, ...keys]) yield* signIn(key)
        const stored = yield* ApiKeys.use((each) => each.list({ organizationId: organizations.acme }))
        return stored
          .filter(({ id }) => id === fixtureIds.keys.admin || id === fixtureIds.keys.developer)
          .map(({ usedAt }) => (usedAt ? DateTime.formatIso(usedAt).slice(11, 16) : "never"))
      }).pipe(Effect.provide(logger))
    assert.deepStrictEqual(yield* use("12:00", admin), ["12:00", "03:04"])
    yield* sql`PRAGMA query_only = 1`
    assert.deepStrictEqual(yield* use("12:01", admin, developer), ["12:00", "03:04"])
    assert.deepStrictEqual(yield* use("12:02", admin, developer), ["12:00", "03:04"])
    // One line a minute, for all keys.
    assert.lengthOf(logged, 2)
    assert.match(String(logged[0]), /^last uses of keys are not written down: .*attempt to write a readonly database$/)
    yield* sql`PRAGMA query_only = 0`
    assert.deepStrictEqual(yield* use("12:02", admin), ["12:00", "03:04"])
    assert.deepStrictEqual(yield* use("12:03", admin, developer), ["12:03", "12:03"])
    assert.lengthOf(logged, 2)
  }).pipe(Effect.provide(layerTemporary()))
)

it.live("what was written is there when the file is opened again", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFilename
    // A layer value each: nothing is shared but the file.
    const written = yield* Effect.gen(function* () {
      yield* importFixture
      const dashboards = yield* OrganizationDashboards
      const dashboard = yield* dashboards.of(organizations.acme).create({ name: "kept", tags: ["a"], future: [1] })
      yield* Pipes.use((pipes) => pipes.delete({ ...kafka, pipeId: pipeIds.kinesis }))
      return { dashboard, key: yield* createKey, organizations: yield* Snapshots.use((each) => each.organizations) }
    }).pipe(Effect.provide(SqlAdapter.layerSqlite({ filename })))

    yield* Effect.gen(function* () {
      const pipes = yield* Pipes
      const pipe = yield* pipes.get(kafka)
      assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(Pipe)(pipe), fixturePipes.kafka)
      const error = yield* Effect.flip(pipes.get({ ...kafka, pipeId: pipeIds.kinesis }))
      assert.strictEqual(error._tag, "PipeNotFound")
      const dashboards = yield* OrganizationDashboards
      assert.deepStrictEqual((yield* dashboards.of(organizations.acme).list()).at(-1), written.dashboard)
      const { keyId = "", keySecret = Redacted.make("") } = written.key
      const principal = yield* signIn({ _tag: "KeyCredentials", keyId, keySecret })
      assert.strictEqual(principal._tag === "KeyPrincipal" ? principal.keyId : undefined, written.key.key.id)
      yield* signIn(fixtureCredentials.tokens.globex)
      assert.deepStrictEqual(yield* Snapshots.use((each) => each.organizations), written.organizations)
    }).pipe(Effect.provide(SqlAdapter.layerSqlite({ filename })))
  })
)

it.live("the files contain no credential, neither while they are open nor after", () =>
  Effect.gen(function* () {
    const fileSystem = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const filename = yield* temporaryFilename
    const folder = path.dirname(filename)
    const bytes = Effect.gen(function* () {
      const files = yield* fileSystem.readDirectory(folder)
      const texts = yield* Effect.forEach(files, (file) =>
        Effect.map(fileSystem.readFile(path.join(folder, file)), (each) => Buffer.from(each).toString("latin1"))
      )
      return { files: files.toSorted(), text: texts.join("\n") }
    })

    const { created, open } = yield* Effect.gen(function* () {
      yield* importFixture
      const key = yield* createKey
      yield* signIn({
        _tag: "KeyCredentials",
        keyId: key.keyId ?? "",
        keySecret: key.keySecret ?? Redacted.make("")
      })
      return { created: key, open: yield* bytes }
    }).pipe(Effect.provide(SqlAdapter.layerSqlite({ filename })))
    const closed = yield* bytes

    // The key file seals what the store must be able to read again; it holds nothing of a caller's.
    assert.deepStrictEqual(open.files, ["headgate.db", "headgate.db-shm", "headgate.db-wal", "sealing.key"])
    assert.deepStrictEqual(closed.files, ["headgate.db", "sealing.key"])
    const { keys, tokens } = fixtureCredentials
    const credentials = [
      created.keyId ?? "",
      Redacted.value(created.keySecret ?? Redacted.make("")),
      ...Object.values(keys).flatMap(({ keyId, keySecret }) => [keyId, Redacted.value(keySecret)]),
      ...Object.values(tokens).map(({ token }) => Redacted.value(token))
    ]
    for (const { text } of [open, closed]) {
      // The search finds what is stored.
      assert.include(text, created.key.id)
      for (const credential of credentials) {
        assert.isAbove(credential.length, 16)
        assert.notInclude(text, credential)
      }
    }
  }).pipe(Effect.provide(NodeServices.layer))
)

it.live("migrating again does nothing", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* SqlMigrations.migrate, [])
  }).pipe(Effect.provide(layerTemporary()))
)

/** Dies with a cause that contains the tag. */
const diesWith = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>, tag: string) {
  const exit = yield* Effect.exit(effect)
  assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
  assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", tag)
})

it.live("a stored document that does not decode is a defect", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* importFixture
    const get = Pipes.use((pipes) => pipes.get(kafka))
    yield* sql`UPDATE pipe SET document = '{"id":1}' WHERE id = ${kafka.pipeId}`
    yield* diesWith(get, "SchemaError")
    yield* sql`UPDATE pipe SET document = 'no JSON' WHERE id = ${kafka.pipeId}`
    yield* diesWith(get, "SchemaError")
  }).pipe(Effect.provide(layerTemporary()))
)

it.live("a database that fails is a defect in every port", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* importFixture
    const dashboards = (yield* OrganizationDashboards).of(organizations.acme)
    for (const table of ["dashboard", "token", "api_key", "custom_role", "pipe", "service", "organization"]) {
      yield* sql`DROP TABLE ${sql(table)}`
    }
    yield* diesWith(
      Pipes.use((pipes) => pipes.get(kafka)),
      "no such table: pipe"
    )
    yield* diesWith(
      Pipes.use((pipes) => pipes.delete(kafka)),
      "no such table: service"
    )
    yield* diesWith(createKey, "no such table: organization")
    yield* diesWith(dashboards.create({ name: "lost" }), "no such table: organization")
    yield* diesWith(dashboards.list(), "no such table: dashboard")
    yield* diesWith(signIn(fixtureCredentials.keys.admin), "no such table: api_key")
    yield* diesWith(signIn(fixtureCredentials.tokens.acme), "no such table: token")
    yield* diesWith(
      Tokens.use((tokens) => tokens.create(organizations.acme, "lost")),
      "no such table: organization"
    )
    yield* diesWith(
      Tokens.use((tokens) => tokens.list(organizations.acme)),
      "no such table: token"
    )
    yield* diesWith(
      ApiKeys.use((keys) => keys.list({ organizationId: organizations.acme })),
      "no such table: api_key"
    )
    yield* diesWith(
      ApiKeys.use((keys) => keys.delete({ organizationId: organizations.acme, keyId: fixtureIds.keys.admin })),
      "no such table: api_key"
    )
    yield* diesWith(
      Roles.use((roles) => roles.list({ organizationId: organizations.acme })),
      "no such table: custom_role"
    )
    yield* diesWith(importFixture, "no such table: organization")
    yield* diesWith(
      Snapshots.use((each) => each.export),
      "no such table: organization"
    )
    yield* diesWith(
      Snapshots.use((each) => each.organizations),
      "no such table"
    )
  }).pipe(Effect.provide(layerTemporary()))
)

it.live("an import that fails leaves nothing", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`DROP TABLE dashboard`
    yield* diesWith(importFixture, "no such table: dashboard")
    for (const table of ["organization", "service", "pipe", "api_key", "token"]) {
      assert.deepStrictEqual(yield* sql`SELECT * FROM ${sql(table)}`, [])
    }
  }).pipe(Effect.provide(layerTemporary()))
)

it.effect("a use within the minute that is marked writes nothing", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* importFixture
    const changes = sql`SELECT total_changes() AS changes`
    const imported = yield* changes
    yield* signIn(fixtureCredentials.keys.admin)
    const marked = yield* changes
    assert.notDeepEqual(marked, imported)
    yield* Effect.forEach(Array.from({ length: 20 }), () => signIn(fixtureCredentials.keys.admin))
    assert.deepStrictEqual(yield* changes, marked)
  }).pipe(Effect.provide(layerTemporary()))
)

it.live("a database that another process writes to for too long is a ServerError", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFilename
    const [writer, waiter] = yield* Effect.all([
      Layer.build(Layer.fresh(SqlAdapter.layerSqlite({ filename }))),
      Layer.build(Layer.fresh(SqlAdapter.layerSqlite({ filename, busyTimeout: "20 millis" })))
    ])
    yield* Effect.provide(importOrganizations(organizations.acme), writer)
    const error = yield* Effect.flip(Effect.provide(createKey, waiter)).pipe(
      Context.get(writer, SqlClient).withTransaction,
      Effect.provideService(References.MinimumLogLevel, "None")
    )
    assert.strictEqual(error._tag, "ServerError")
    yield* Effect.provide(createKey, waiter)
  })
)

for (const [what, path, acme] of [
  ["a NUL in an organization's name", "organizations[0].name", { name: "A\0" }],
  ["half of a surrogate pair in a service's name", "organizations[0].services[0].name", { services: ["\ud83d"] }],
  ["a NUL in a dashboard's id", "organizations[0].dashboards[0].id", { dashboards: ["\0"] }]
] as const) {
  it.live(`${what} is an InvalidRequest that names it, and nothing is stored`, () =>
    Effect.gen(function* () {
      const snapshots = yield* Snapshots
      const snapshot = yield* Schema.decodeUnknownEffect(Snapshot)({
        organizations: [
          {
            id: organizations.acme,
            name: "name" in acme ? acme.name : "Acme",
            services: ("services" in acme ? acme.services : []).map((name) => ({ id: services.ingest, name })),
            dashboards: ("dashboards" in acme ? acme.dashboards : []).map((id) => ({ id, name: "x" }))
          }
        ]
      })
      const error = yield* Effect.flip(snapshots.import(snapshot))
      assert.deepStrictEqual(
        error.issues.map((issue) => issue.path),
        [path]
      )
      assert.deepStrictEqual(yield* snapshots.organizations, [])
    }).pipe(Effect.provide(layerTemporary()))
  )
}
