import { assert, describe, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { ApiKeys, type PortError, Snapshots } from "@headgate/core"
import { Authenticator, CallingKey, ConsoleSessions, ConsoleSignIn, IdempotentCreations } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { SqlAdapter } from "../src/index.ts"
import { describePostgres, sealingKey } from "./support/postgres.ts"
import { layerTemporary } from "./temporaryDatabase.ts"

const { keys, organizations } = fixtureIds
const address = { organizationId: organizations.acme }

const importFixture = Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.import))
const createSession = ConsoleSessions.use((sessions) => sessions.createSession(address))
const createCode = ConsoleSessions.use((sessions) => sessions.createCode(address))
const exchange = (code: Redacted.Redacted) => ConsoleSignIn.use((signIn) => signIn.exchange(code, undefined))
const signOut = (token: Redacted.Redacted) => ConsoleSignIn.use((signIn) => signIn.signOut(token))
const authenticate = (token: Redacted.Redacted) =>
  Authenticator.use((authenticator) => authenticator.authenticate({ _tag: "SessionCredentials", token }, undefined))

const asAdmin = Effect.provideService(CallingKey, keys.admin)
const asDeveloper = Effect.provideService(CallingKey, keys.developer)

const successes = (exits: ReadonlyArray<Exit.Exit<unknown, unknown>>) => exits.filter(Exit.isSuccess).length

const counts = SqlClient.use(
  (sql) => sql`
    SELECT (SELECT COUNT(*) FROM console_session) AS sessions, (SELECT COUNT(*) FROM console_code) AS codes`
)

describe("the console's sessions and codes in SQL", () => {
  it.effect("are hashes: no table has a token or a code", () =>
    Effect.gen(function* () {
      yield* importFixture
      const { code } = yield* createCode
      const opened = yield* exchange((yield* createCode).code)
      const { token } = yield* createSession
      const sql = yield* SqlClient
      const tables = yield* sql<{ readonly name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`
      let text = ""
      for (const { name } of tables) text += JSON.stringify(yield* sql`SELECT * FROM ${sql(name)}`)
      assert.include(text, "console_session")
      for (const secret of [code, opened.token, token].map(Redacted.value)) {
        assert.notInclude(text, secret)
        assert.notInclude(text, secret.slice(4))
      }
    }).pipe(asAdmin, Effect.provide(layerTemporary()))
  )

  it.effect("are removed when one of their kind is made after they have expired, also those of other keys", () =>
    Effect.gen(function* () {
      yield* importFixture
      yield* Effect.replicateEffect(asDeveloper(createSession), 3)
      yield* Effect.replicateEffect(asDeveloper(createCode), 3)
      yield* TestClock.adjust("6 minutes")
      yield* createSession
      assert.deepStrictEqual(yield* counts, [{ sessions: 4, codes: 3 }])
      yield* createCode
      assert.deepStrictEqual(yield* counts, [{ sessions: 4, codes: 1 }])
      yield* TestClock.adjust("8 hours")
      yield* createSession
      assert.deepStrictEqual(yield* counts, [{ sessions: 1, codes: 1 }])
    }).pipe(asAdmin, Effect.provide(layerTemporary()))
  )

  it.effect("are made once under an Idempotency-Key, whose kept answer is sealed", () =>
    Effect.gen(function* () {
      yield* importFixture
      const { once } = yield* IdempotentCreations
      const request = { ...address, scope: "key 1 POST /consoleSessions", key: "k-1", body: "" }
      const sessions = yield* ConsoleSessions
      const create = Effect.map(sessions.createSession(address), ({ token }) => ({ text: Redacted.value(token) }))
      const first = yield* once(request, create)
      assert.deepStrictEqual(yield* once(request, create), first)
      assert.deepStrictEqual(yield* counts, [{ sessions: 1, codes: 0 }])
      const sql = yield* SqlClient
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM idempotent_creation`), first.text)
      yield* authenticate(Redacted.make(first.text))
    }).pipe(asAdmin, Effect.provide(layerTemporary()))
  )
})

type Ports = Layer.Success<ReturnType<typeof SqlAdapter.layerPostgres>>

describePostgres("two servers over one Postgres", (postgres) => {
  /** Two adapters with connections and caches of their own. */
  const twoServers = Effect.gen(function* () {
    const { lendDatabase } = yield* postgres
    const url = yield* lendDatabase
    const build = Layer.build(Layer.fresh(SqlAdapter.layerPostgres({ url, sealingKey })))
    const one = yield* build
    yield* Effect.provideContext(importFixture, one)
    return [one, yield* build] as const
  })

  it.live("let one of those that use a code at once have a session", () =>
    Effect.gen(function* () {
      const servers = yield* twoServers
      for (let round = 0; round < 5; round += 1) {
        const { code } = yield* Effect.provideContext(createCode, servers[0])
        const both = Array.from({ length: 10 }, (_, n) => Effect.provideContext(exchange(code), servers[n % 2 ? 1 : 0]))
        assert.strictEqual(successes(yield* Effect.forEach(both, Effect.exit, { concurrency: "unbounded" })), 1)
      }
    }).pipe(asAdmin, Effect.scoped)
  )

  it.live("keep the numbers of a key, and end what one of them made too many", () =>
    Effect.gen(function* () {
      const servers = yield* twoServers
      const onBoth = <A, E>(create: Effect.Effect<A, E, Ports>) =>
        Effect.forEach(Array.from({ length: 40 }), (_, n) => Effect.provideContext(create, servers[n % 2 ? 1 : 0]), {
          concurrency: "unbounded"
        })
      const sessions = yield* onBoth(createSession)
      const codes = yield* onBoth(createCode)
      const live = Effect.forEach(sessions, ({ token }) => Effect.exit(authenticate(token)))
      assert.strictEqual(successes(yield* Effect.provideContext(live, servers[0])), 20)
      const used = Effect.forEach(codes, ({ code }) => Effect.exit(exchange(code)))
      assert.strictEqual(successes(yield* Effect.provideContext(used, servers[1])), 5)
    }).pipe(asAdmin, Effect.scoped)
  )

  it.live("see at once what the other one ends, also of a session that they have just authenticated", () =>
    Effect.gen(function* () {
      const [one, other] = yield* twoServers
      const session = asDeveloper(createSession)
      const developer = { ...address, keyId: keys.developer }
      const setState = (state: "enabled" | "disabled") => ApiKeys.use((apiKeys) => apiKeys.update(developer, { state }))
      const endings: ReadonlyArray<(token: Redacted.Redacted) => Effect.Effect<unknown, PortError, Ports>> = [
        signOut,
        () => setState("disabled"),
        () => Effect.andThen(setState("disabled"), setState("enabled")),
        () => ApiKeys.use((apiKeys) => apiKeys.delete(developer))
      ]
      for (const end of endings) {
        yield* Effect.provideContext(setState("enabled"), one)
        const { token } = yield* Effect.provideContext(session, one)
        for (const server of [one, other, other]) yield* Effect.provideContext(authenticate(token), server)
        yield* Effect.provideContext(end(token), one)
        for (const server of [one, other]) {
          const refused = yield* Effect.flip(Effect.provideContext(authenticate(token), server))
          assert.strictEqual(refused._tag, "Unauthorized")
        }
      }
    }).pipe(asAdmin, Effect.scoped)
  )
})
