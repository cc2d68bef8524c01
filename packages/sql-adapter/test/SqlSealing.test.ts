import { assert, describe, it } from "@effect/vitest"
import {
  fixtureIds,
  fixturePipes,
  fixtureSnapshot,
  pipeRequests,
  secretMark,
  unknownSources
} from "@headgate/conformance/fixtures"
import { Pipe, PipeCreate, Pipes, PipeSource, PipeUpdate, type Snapshot, Snapshots } from "@headgate/core"
import {
  decodeRequest,
  IdempotentCreations,
  MovedPipes,
  OrganizationConnections,
  OrganizationDocuments,
  PipeMover,
  PipeSimulation,
  Sealing,
  UnknownFields
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { NodeSqlite, Postgres, SqlAdapter, SqlSealing, StoredDocuments } from "../src/index.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"
import { temporaryFilename } from "./temporaryDatabase.ts"

const otherKey = Redacted.make("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
const crypto = Layer.merge(Digest.layerWebCrypto, SecureRandom.layerWebCrypto)

const secret = fixturePipes.objectStorage.source.objectStorage.connectionString
const address = {
  organizationId: fixtureIds.organizations.acme,
  serviceId: fixturePipes.objectStorage.serviceId,
  pipeId: fixtureIds.pipes.objectStorage
}

const importFixture = Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.import))

/** The connection string, as the port and the stored text tell it. */
const told = Effect.gen(function* () {
  const pipe = yield* Pipes.use((pipes) => pipes.get(address))
  const { document } = yield* StoredDocuments.use((stored) => stored.pipe(address))
  const { connectionString } = pipe.source?.objectStorage ?? {}
  return [
    connectionString ? Redacted.value(connectionString) : undefined,
    JSON.parse(document).source.objectStorage.connectionString
  ]
})

/** The connections of the organization. */
const connections = OrganizationConnections.useSync((every) => every.of(address.organizationId))

const connectionsIn = <A, E>(
  store: ReturnType<typeof open>,
  use: (port: Effect.Success<typeof connections>) => Effect.Effect<A, E>
) => Effect.provide(Effect.flatMap(connections, use), store)

const request = (name: string, password?: string) => ({
  name,
  host: "https://db.example.com:8443",
  ...(password === undefined ? {} : { password: Redacted.make(password) })
})

/** The documents as the database holds them. */
const stored = SqlClient.SqlClient.use((sql) => sql<{ readonly document: string }>`SELECT document FROM pipe`)

/** Searches every file of a store, its write-ahead log included, for secrets. */
const assertNoSecret = (filename: string) => {
  for (const name of readdirSync(dirname(filename))) {
    const bytes = readFileSync(join(dirname(filename), name), "latin1")
    for (const text of [secret, secretMark]) assert.notInclude(bytes, text, name)
  }
}

const open = (filename: string, key?: Redacted.Redacted) =>
  Layer.fresh(SqlAdapter.layerSqlite({ filename, ...(key === undefined ? {} : { sealingKey: key }) }))

const openError = (layer: Layer.Layer<never, unknown> | ReturnType<typeof open>) =>
  Effect.map(Effect.flip(Effect.scoped(Layer.build(layer))), String)

describe("SqlSealing over SQLite", () => {
  it.live("makes a key beside a new database, readable by its owner, and no file shows a secret", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const file = join(dirname(filename), "sealing.key")
      yield* Effect.gen(function* () {
        yield* importFixture
        for (const body of Object.values(pipeRequests)) {
          const request = yield* decodeRequest(PipeCreate)(body)
          const { id } = yield* Pipes.use((pipes) => pipes.create(address, request))
          // The changed pipe is checked with the credentials that it had, so they were opened and are sealed again.
          const update = { name: "x", source: { [PipeSource.kind(request.source)]: {} } }
          yield* Pipes.use((pipes) => pipes.update({ ...address, pipeId: id }, update))
        }
        const { create, list, update } = yield* connections
        yield* create(request("created", `${secretMark}created`))
        const { id } = yield* create(request("changed", `${secretMark}before`))
        yield* update({ connectionId: id }, request("changed", `${secretMark}after`))
        // The password stays as it is.
        yield* update({ connectionId: id }, request("renamed"))
        assert.includeMembers(
          (yield* list()).map(({ name }) => name),
          ["created", "renamed"]
        )
        assert.deepStrictEqual(yield* told, [secret, secret])
        assert.notInclude(JSON.stringify(yield* stored), secret)
        assertNoSecret(filename)
      }).pipe(Effect.provide(open(filename)))
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assertNoSecret(filename)
      const key = readFileSync(file, "utf8")
      assert.deepStrictEqual(yield* Effect.provide(told, open(filename)), [secret, secret])
      assert.strictEqual(readFileSync(file, "utf8"), key)
    }).pipe(Effect.scoped)
  )

  it.live("no file shows an unknown field of a source that was kept or imported, and another key seals it again", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const imported = { ...pipeRequests.kafkaWithRole.source, auth: { p: `${secretMark}imported` } }
      const pipe = yield* Schema.decodeUnknownEffect(Pipe)({
        id: fixtureIds.pipes.unknown,
        serviceId: address.serviceId,
        name: "imported",
        state: "Stopped",
        source: imported
      })
      const organization = { id: address.organizationId, name: "Acme" }
      const unknown = { ...address, pipeId: pipe.id }
      const change = (p: string) =>
        Pipes.use((pipes) => pipes.update(unknown, { source: { auth: { p: `${secretMark}${p}` } } }))
      yield* Effect.gen(function* () {
        yield* Snapshots.use((snapshots) =>
          snapshots.import({
            organizations: [{ ...organization, services: [{ id: address.serviceId, name: "ingest", pipes: [pipe] }] }]
          })
        )
        assertNoSecret(filename)
        for (const body of Object.values(pipeRequests)) {
          for (const { isMisspelt, source } of unknownSources(body)) {
            // A source needs its credentials: their misspelt name is in a change.
            const created = yield* decodeRequest(PipeCreate)(isMisspelt ? body : { ...body, source })
            const { id } = yield* Pipes.use((pipes) => pipes.create(address, created))
            const changes = yield* decodeRequest(PipeUpdate)({ source })
            yield* Pipes.use((pipes) => pipes.update({ ...address, pipeId: id }, changes))
          }
        }
        yield* change("changed")
        assertNoSecret(filename)
      }).pipe(Effect.provideService(UnknownFields, "keep"), Effect.provide(open(filename)))
      const { unopened } = yield* resealTo(otherKey, keyBeside(filename), NodeSqlite.layer({ filename }))
      assert.deepStrictEqual(unopened, [])
      // It is held: without it, this field would be refused.
      const { source } = yield* Effect.provide(change("again"), open(filename, otherKey))
      assert.notProperty(source, "auth")
      assertNoSecret(filename)
    }).pipe(Effect.scoped)
  )

  it.live("refuses another key, a missing key and what is no key, and changes nothing", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const file = join(dirname(filename), "sealing.key")
      yield* Effect.provide(importFixture, open(filename))
      const key = readFileSync(file, "utf8")
      assert.match(yield* openError(open(filename, otherKey)), /sealed with the key .{16}, and this is the key .{16}/u)
      assert.match(yield* openError(open(filename, Redacted.make("password"))), /Expected 32 random bytes in base64/u)
      rmSync(file)
      assert.include(yield* openError(open(filename)), `its key ${file} is missing: restore it from the backup`)
      writeFileSync(file, key)
      assert.deepStrictEqual(yield* Effect.provide(told, open(filename)), [secret, secret])
    }).pipe(Effect.scoped)
  )

  it.live("seals what a database from before holds, and reseals with another key", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      yield* Effect.provide(importFixture, open(filename))
      const sqlite = NodeSqlite.layer({ filename })
      const opened = yield* Effect.provide(told, open(filename))
      // As a version without sealing left it.
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [pipe] = yield* sql<{ readonly document: string }>`SELECT document FROM pipe WHERE id = ${address.pipeId}`
        const document = JSON.parse(String(pipe?.document))
        document.source.objectStorage.connectionString = secret
        yield* sql`UPDATE pipe SET document = ${JSON.stringify(document)} WHERE id = ${address.pipeId}`
        yield* sql`DELETE FROM sealing_key`
      }).pipe(Effect.provide(sqlite))
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* told, opened)
        assert.notInclude(JSON.stringify(yield* stored), secret)
      }).pipe(Effect.provide(open(filename)))

      const { id } = yield* connectionsIn(open(filename), ({ create }) => create(request("kept", "password")))
      const { serviceId } = fixturePipes.kafka
      const service = { organizationId: address.organizationId, serviceId }
      yield* Effect.gen(function* () {
        const pipes = yield* Pipes
        const { id: pipeId } = yield* pipes.create(service, yield* decodeRequest(PipeCreate)(pipeRequests.kafka))
        yield* pipes.delete({ ...service, pipeId })
      }).pipe(
        Effect.provideService(PipeMover, {
          ...PipeMover.defaultValue(),
          warehouses: new Set(["w"]),
          checkDestination: () => Effect.succeed("w")
        }),
        Effect.provide(open(filename))
      )
      assertNoSecret(filename)
      const held = Redacted.make(readFileSync(join(dirname(filename), "sealing.key"), "utf8"))
      const { fingerprint, unopened } = yield* SqlSealing.reseal(otherKey).pipe(
        Effect.provide(SqlSealing.layer(held)),
        Effect.provide(Layer.provideMerge(crypto, sqlite))
      )
      assert.strictEqual(
        yield* Sealing.use((sealing) => Effect.succeed(sealing.fingerprint)).pipe(
          Effect.provide(Sealing.layer(otherKey)),
          Effect.provide(crypto)
        ),
        fingerprint
      )
      assert.deepStrictEqual(unopened, [])
      assert.deepStrictEqual(yield* Effect.provide(told, open(filename, otherKey)), opened)
      const password = Effect.gen(function* () {
        const [row] = yield* SqlClient.SqlClient.use(
          (sql) => sql<{ readonly credentials: string }>`SELECT credentials FROM connection WHERE id = ${id}`
        )
        const sealed = JSON.parse(row?.credentials ?? "").password
        return yield* Sealing.use(({ open }) => open(sealed, `connection/${id}/password`))
      }).pipe(Effect.provide(Sealing.layer(otherKey)), Effect.provide(Layer.merge(crypto, sqlite)))
      assert.deepStrictEqual(yield* password, Option.some("password"))
      const [deleted] = yield* Effect.provide(
        MovedPipes.use((moved) =>
          Effect.flatMap(moved.deleted(), (found) => Effect.forEach(found, ({ pipeId }) => moved.findDeleted(pipeId)))
        ),
        open(filename, otherKey)
      )
      const credentials = Object.values(deleted?.record.credentials ?? {}).map((one) =>
        JSON.stringify(Redacted.value(one))
      )
      assert.include(credentials.join(), `${secretMark}password`)
      assert.include(yield* openError(open(filename, held)), "pass the right one")
    }).pipe(Effect.scoped)
  )

  it.live("a value that was moved to another pipe does not open: the pipe is answered without it", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      yield* Effect.gen(function* () {
        yield* importFixture
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE pipe SET document = (SELECT document FROM pipe WHERE id = ${address.pipeId})
          WHERE id = ${fixtureIds.pipes.kafka}`
        yield* sql`UPDATE pipe SET document = replace(document, ${address.pipeId}, ${fixtureIds.pipes.kafka})
          WHERE id = ${fixtureIds.pipes.kafka}`
        const moved = Pipes.use((pipes) =>
          pipes.get({ ...address, serviceId: fixturePipes.kafka.serviceId, pipeId: fixtureIds.pipes.kafka })
        )
        const { source } = yield* moved
        assert.isDefined(source?.objectStorage)
        assert.notProperty(source.objectStorage, "connectionString")
      }).pipe(Effect.provide(open(filename)))
    }).pipe(Effect.scoped)
  )

  it.live("a pipe whose stored credentials do not open is read, stopped and scaled; what uses them names it", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      yield* Effect.gen(function* () {
        yield* importFixture
        const sql = yield* SqlClient.SqlClient
        const pipes = yield* Pipes
        const created = yield* pipes.create(address, yield* decodeRequest(PipeCreate)(pipeRequests.kafka))
        const damaged = { ...address, pipeId: created.id }
        yield* sql`UPDATE pipe SET credentials = '{"kafka.credentials":"damaged"}' WHERE id = ${created.id}`
        yield* PipeSimulation.use(({ hold }) => hold(damaged, "Running"))
        assert.strictEqual((yield* pipes.get(damaged)).name, created.name)
        assert.include(
          (yield* pipes.list(address)).map(({ id }) => id),
          created.id
        )
        assert.strictEqual((yield* pipes.status(damaged)).state, "Running")
        yield* pipes.scale(damaged, { replicas: 2 })
        yield* pipes.updateSettings(damaged, {})
        assert.strictEqual((yield* pipes.setState(damaged, { command: "stop" })).state, "Stopping")
        assert.deepStrictEqual((yield* pipes.update(damaged, {})).name, created.name)
        for (const update of [{ name: "renamed" }, { source: { kafka: { topics: "others" } } }]) {
          const error = yield* Effect.flip(pipes.update(damaged, update))
          assert.strictEqual(error._tag, "InvalidRequest")
          assert.include(
            error.message,
            "source.kafka.credentials: Expected new ones: those that are stored do not open"
          )
        }
        const credentials = { username: "new", password: `${secretMark}new` }
        const repair = { name: "repaired", source: { kafka: { credentials } } }
        yield* pipes.update(damaged, yield* decodeRequest(PipeUpdate)(repair))
        assert.strictEqual((yield* pipes.update(damaged, { name: "renamed" })).name, "renamed")
      }).pipe(Effect.provide(open(filename)))
      assertNoSecret(filename)
    }).pipe(Effect.scoped)
  )

  it.live(
    "a pipe whose connection string does not open is listed, read and stopped without it, and repaired by an update",
    () =>
      Effect.gen(function* () {
        const filename = yield* temporaryFilename
        yield* Effect.gen(function* () {
          yield* importFixture
          const sql = yield* SqlClient.SqlClient
          const pipes = yield* Pipes
          const stored = yield* StoredDocuments
          const [before] = yield* sql<{
            readonly document: string
          }>`SELECT document FROM pipe WHERE id = ${address.pipeId}`
          const document = JSON.parse(before?.document ?? "")
          document.source.objectStorage.connectionString = "damaged"
          yield* sql`UPDATE pipe SET document = ${JSON.stringify(document)} WHERE id = ${address.pipeId}`

          assert.deepStrictEqual(yield* told, [undefined, undefined])
          const list = Effect.map(pipes.list(address), (all) => all.find(({ id }) => id === address.pipeId))
          assert.notProperty((yield* list)?.source?.objectStorage, "connectionString")
          const { documents } = yield* stored.pipes(address)(0)
          assert.lengthOf(documents, (yield* pipes.list(address)).length)
          yield* PipeSimulation.use(({ hold }) => hold(address, "Running"))
          const stopped = yield* pipes.setState(address, { command: "stop" })
          assert.notProperty(stopped.source?.objectStorage, "connectionString")
          const [held] = yield* sql<{
            readonly document: string
          }>`SELECT document FROM pipe WHERE id = ${address.pipeId}`
          assert.strictEqual(JSON.parse(held?.document ?? "").source.objectStorage.connectionString, "damaged")

          const error = yield* Effect.flip(pipes.update(address, { name: "renamed" }))
          assert.include(error.message, "source.objectStorage.connectionString: Expected new ones")
          const connectionString = Redacted.make(secret)
          yield* pipes.update(address, { name: "repaired", source: { objectStorage: { connectionString } } })
          assert.deepStrictEqual(yield* told, [secret, secret])
        }).pipe(Effect.provide(open(filename)))
      }).pipe(Effect.scoped)
  )

  it.live("a reseal names what does not open, leaves it as it is, and seals all else", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const { connectionId, documentId, pipeId } = yield* Effect.gen(function* () {
        yield* importFixture
        const sql = yield* SqlClient.SqlClient
        const pipes = yield* Pipes
        const { id: pipeId } = yield* pipes.create(address, yield* decodeRequest(PipeCreate)(pipeRequests.kafka))
        yield* sql`UPDATE pipe SET credentials = '{"kafka.credentials":"damaged"}', warehouse = '*' WHERE id = ${pipeId}`
        yield* pipes.delete({ ...address, pipeId })
        const { id: connectionId } = yield* (yield* connections).create(request("damaged", "password"))
        yield* sql`UPDATE connection SET credentials = '{"password":"damaged"}' WHERE id = ${connectionId}`
        const { id: documentId } = yield* createWebhook
        yield* sql`UPDATE webhook SET credentials = 'damaged' WHERE id = ${documentId}`
        return { connectionId, documentId, pipeId }
      }).pipe(Effect.provide(open(filename)))
      const { unopened } = yield* resealTo(otherKey, keyBeside(filename), NodeSqlite.layer({ filename }))
      assert.sameMembers(Array.from(unopened), [
        `connection/${connectionId}/password`,
        `webhook/${documentId}/secrets`,
        `pipe/${pipeId}/source.kafka.credentials`
      ])
      assert.deepStrictEqual(yield* Effect.provide(told, open(filename, otherKey)), [secret, secret])
    }).pipe(Effect.scoped)
  )

  it.live("a reseal beside an open store ends what it seals and what it cannot open with a reason", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const context = yield* Layer.build(open(filename))
      yield* Effect.provide(importFixture, context)
      const sealed = yield* Effect.provide(exportedWebhook, context)
      yield* Effect.provide(createWebhook, context)
      yield* resealTo(otherKey, keyBeside(filename), NodeSqlite.layer({ filename }))
      yield* Effect.provide(assertResealed(sealed), context)
      assert.deepStrictEqual(yield* Effect.provide(told, open(filename, otherKey)), [secret, secret])
    }).pipe(Effect.scoped)
  )

  it.live("every write seals in its own transaction: a reseal comes before it or after it", () =>
    Effect.gen(function* () {
      const outside: Array<string> = []
      const inside: Array<string> = []
      const noted = Layer.effect(
        Sealing,
        Effect.gen(function* () {
          const sealing = yield* Sealing
          const { transactionService } = yield* SqlClient.SqlClient
          const seal: Sealing["Service"]["seal"] = (text, context) =>
            Effect.flatMap(Effect.serviceOption(transactionService), (transaction) => {
              const [kind = ""] = context.split("/")
              ;(Option.isSome(transaction) ? inside : outside).push(kind)
              return sealing.seal(text, context)
            })
          return { ...sealing, seal }
        })
      ).pipe(Layer.provide(SqlSealing.layer(sealingKey)))
      const client = NodeSqlite.layer({ filename: yield* temporaryFilename })
      yield* Effect.gen(function* () {
        yield* importFixture
        for (const body of Object.values(pipeRequests)) {
          const create = yield* decodeRequest(PipeCreate)(body)
          yield* Pipes.use((pipes) => pipes.create(address, create))
        }
        yield* (yield* connections).create(request("created", "password"))
        yield* createWebhook
        const once = { organizationId: address.organizationId, scope: "key 1 POST /keys", key: "k-1", body: "{}" }
        yield* IdempotentCreations.use((creations) => creations.once(once, Effect.succeed({ text: "made" })))
        yield* Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.replace))
      }).pipe(Effect.provide(SqlAdapter.layerNoDeps.pipe(Layer.provide(noted), Layer.provideMerge([crypto, client]))))
      assert.deepStrictEqual(outside, [])
      assert.includeMembers(inside, ["pipe", "connection", "webhook", "idempotent_creation"])
    }).pipe(Effect.scoped)
  )

  it.live("two that open a new database at the same time use one key", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      yield* Effect.all([openBoth(filename), openBoth(filename)], { concurrency: "unbounded" })
      yield* Effect.provide(Effect.void, open(filename))
    }).pipe(Effect.scoped)
  )
})

const keyBeside = (filename: string) => Redacted.make(readFileSync(join(dirname(filename), "sealing.key"), "utf8"))

const resealTo = <E>(next: Redacted.Redacted, held: Redacted.Redacted, client: Layer.Layer<SqlClient.SqlClient, E>) =>
  SqlSealing.reseal(next).pipe(
    Effect.provide(SqlSealing.layer(held)),
    Effect.provide(Layer.provideMerge(crypto, Layer.fresh(client)))
  )

const webhooks = OrganizationDocuments.useSync((every) => every.of(address.organizationId).webhooks)

const createNamed = (name: string) =>
  Effect.flatMap(webhooks, ({ create }) =>
    create({ name, service: "generic", url: Redacted.make("https://example.com/hook") })
  )

const createWebhook = createNamed("w")

/** A snapshot with the sealed secrets of a webhook that the store does not hold any more. */
const exportedWebhook = Effect.gen(function* () {
  const port = yield* webhooks
  const { id } = yield* createWebhook
  const sealed = yield* Snapshots.use(({ exportWithSecrets }) => exportWithSecrets)
  yield* port.delete({ webhookId: id })
  return sealed
})

/** Holds that a store whose key another process has replaced says so, and stores nothing. */
const assertResealed = Effect.fnUntraced(function* (sealed: Snapshot) {
  const sql = yield* SqlClient.SqlClient
  const counts = sql`SELECT (SELECT COUNT(*) FROM connection) AS connections, (SELECT COUNT(*) FROM webhook) AS webhooks,
    (SELECT COUNT(*) FROM pipe) AS pipes`
  const before = yield* counts
  const pipes = yield* Pipes
  const kafka = yield* decodeRequest(PipeCreate)(pipeRequests.kafka)
  const calls: ReadonlyArray<Effect.Effect<unknown, unknown, any>> = [
    Effect.flatMap(connections, ({ create }) => create(request("late", "password"))),
    createNamed("late"),
    pipes.create(address, kafka),
    pipes.get(address),
    Effect.flatMap(webhooks, ({ list }) => list()),
    Snapshots.use((snapshots) => snapshots.import(sealed))
  ]
  for (const call of calls) {
    const exit = yield* Effect.exit(call)
    assert.include(JSON.stringify(exit), "sealed with another key: this server must be started with that key")
  }
  assert.deepStrictEqual(yield* counts, before)
  // What seals nothing goes on.
  yield* (yield* connections).create(request("without a password"))
})

const openBoth = (filename: string) => Effect.asVoid(Effect.scoped(Layer.build(open(filename))))

describePostgres("SqlSealing over Postgres", (postgres) => {
  it.live("seals, and refuses another key; servers that start at the same time agree", () =>
    Effect.gen(function* () {
      const { lendDatabase } = yield* postgres
      const url = yield* lendDatabase
      const server = (key: Redacted.Redacted) => Layer.fresh(SqlAdapter.layerPostgres({ url, sealingKey: key }))
      const [first] = yield* Effect.all([Layer.build(server(sealingKey)), Layer.build(server(sealingKey))], {
        concurrency: "unbounded"
      })
      yield* Effect.gen(function* () {
        yield* importFixture
        assert.deepStrictEqual(yield* told, [secret, secret])
        assert.notInclude(JSON.stringify(yield* stored), secret)
      }).pipe(Effect.provide(first))
      assert.include(yield* openError(server(otherKey)), "it is sealed with the key")
    }).pipe(Effect.scoped)
  )

  it.live("a reseal waits for a write that has sealed, and no write seals with the old key after it", () =>
    Effect.gen(function* () {
      const url = yield* (yield* postgres).lendDatabase
      const server = (key: Redacted.Redacted) => Layer.fresh(SqlAdapter.layerPostgres({ url, sealingKey: key }))
      const context = yield* Layer.build(server(sealingKey))
      yield* Effect.provide(importFixture, context)
      const sealed = yield* Effect.provide(exportedWebhook, context)
      const resealing = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* createWebhook
            const fiber = yield* Effect.forkDetach(resealTo(otherKey, sealingKey, Postgres.layer({ url })))
            // Its UPDATE of the fingerprint waits for this transaction.
            yield* Effect.repeat(sql`SELECT pid FROM pg_locks WHERE NOT granted`, {
              until: (rows) => rows.length > 0,
              schedule: Schedule.spaced("10 millis")
            })
            return fiber
          })
        )
      }).pipe(Effect.provide(context))
      assert.deepStrictEqual((yield* Fiber.join(resealing)).unopened, [])
      yield* Effect.provide(assertResealed(sealed), context)
      const after = yield* Layer.build(server(otherKey))
      const all = yield* Effect.provide(
        Effect.flatMap(webhooks, ({ list }) => list()),
        after
      )
      const webhook = all.find(({ name }) => name === "w")
      assert.strictEqual(String(webhook?.url && Redacted.value(webhook.url)), "https://example.com/hook")
    }).pipe(Effect.scoped)
  )
})
