import { assert, describe, it, layer } from "@effect/vitest"
import { Snapshot, Snapshots } from "@headgate/core"
import { examples, IdempotentCreations } from "@headgate/core/adapter"
import { type AnyOperation, isChange, neutral, operations } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { inspect } from "node:util"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { type Answer, call, liveServer, serverOver } from "./support/liveServer.ts"
import { decodeSnapshot, memory, overEveryStore } from "./support/stores.ts"
import { documentRequests, namedDocuments } from "./support/namedDocuments.ts"
import { as, environment, firstPipe, keysPath, pipePath, withToken } from "./support/environment.ts"

const tables: { readonly [noun: string]: { readonly [name: string]: AnyOperation } } = operations(neutral)

/** Every operation, with its noun, its name and its path here. */
const all = Object.entries(tables).flatMap(([noun, table]) =>
  Object.entries(table).map(([name, operation]) => ({
    noun,
    name,
    operation,
    path: operation.path.replace(":organizationId", organizationId).replace(":serviceId", serviceId),
    authorization: operation.api === "management" ? as("admin") : withToken
  }))
)

const creations = all.filter(({ operation }) => operation.canValidateOnly)

const [sample, ...others] = environment.organizations
const withDocuments = { organizations: [{ ...sample, ...namedDocuments }, ...others] }

const { alert, savedSearch, source, webhook } = documentRequests

// What the example of a noun refers to is not there, and a webhook has a name of its own.
const bodies: { readonly [noun: string]: object } = {
  key: { name: "x", roles: ["developer"] },
  dashboard: { name: "x" },
  serviceDashboard: { name: "x" },
  source: { ...source, name: "x" },
  serviceSource: { ...source, name: "x" },
  savedSearch: { ...savedSearch, name: "x" },
  serviceSavedSearch: { ...savedSearch, name: "x" },
  webhook: { ...webhook, name: "x" },
  serviceWebhook: { ...webhook, name: "y" },
  alert: { ...alert, name: "x" },
  serviceAlert: { ...alert, name: "x" }
}

const bodyOf = (noun: string): object => {
  const example: { readonly create?: { readonly payload: object } } = Object(Reflect.get(examples, noun))
  return bodies[noun] ?? example.create?.payload ?? {}
}

/** Every row of every table of the database that the server stands on, but for when a key was used last. */
const rows = Effect.fnUntraced(function* (sql: SqlClient) {
  const names = yield* sql.onDialectOrElse({
    pg: () => sql<{ readonly name: string }>`SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'`,
    orElse: () => sql<{ readonly name: string }>`SELECT name FROM sqlite_master WHERE type = 'table'`
  })
  assert.isAbove(names.length, 20)
  const read = (name: string) =>
    sql.onDialectOrElse({
      pg: () => sql<object>`SELECT (to_jsonb(held) - 'used_at')::text AS row FROM ${sql(name)} AS held`,
      orElse: () => sql<object>`SELECT * FROM ${sql(name)}`
    })
  return yield* Effect.forEach(names, ({ name }) =>
    Effect.map(read(name), (found) => [
      name,
      found.map((row) => inspect({ ...row, used_at: 0 }, { maxStringLength: null, maxArrayLength: null })).toSorted()
    ])
  )
})

/** All that the store holds. */
const content = Effect.gen(function* () {
  const sql = yield* Effect.serviceOption(SqlClient)
  if (Option.isSome(sql)) return yield* rows(sql.value)
  // The store in memory is compared to the byte in a test of its package.
  const exported = yield* Snapshots.use((snapshots) => snapshots.export)
  const text = yield* Schema.encodeEffect(Schema.fromJsonString(Snapshot))(exported)
  // Keys are used, and what was created before passes its states.
  return text.replaceAll(/,?"(usedAt|state|status|updatedAt)":"[^"]*"/g, "")
})

const withoutRequestId = ({ json, status }: Answer) => ({ status, ...json, requestId: undefined })

overEveryStore((store) => {
  layer(serverOver(store, withDocuments))(`validateOnly over ${store.name}`, (it) => {
    for (const { authorization, noun, operation, path } of creations) {
      it.effect(`${noun}: nothing is written, then the creation succeeds`, () =>
        Effect.gen(function* () {
          const body = bodyOf(noun)
          const headers = { "idempotency-key": `one-${noun}` }
          const before = yield* content
          for (let n = 0; n < 2; n++) {
            const {
              headers: answered,
              json,
              status
            } = yield* call(`${path}?validateOnly=true`, {
              authorization,
              body,
              headers
            })
            assert.strictEqual(status, 200, JSON.stringify(json))
            assert.deepStrictEqual(operation.api === "management" ? json.result : json.data, {})
            assert.isNull(answered.get("etag"))
          }
          assert.deepStrictEqual(yield* content, before)
          const created = yield* call(`${path}?validateOnly=false`, { authorization, body, headers })
          assert.strictEqual(created.status, 200, created.text)
          assert.notDeepEqual(created.json.result ?? created.json.data, {})
          assert.notDeepEqual(yield* content, before)
        })
      )

      it.effect(`${noun}: a request that is wrong is answered as that of a creation, and nothing is written`, () =>
        Effect.gen(function* () {
          const before = yield* content
          for (const body of [{ ...bodyOf(noun), name: 7, description: 7 }, "no json", []]) {
            const expected = yield* call(path, { authorization, body })
            assert.strictEqual(expected.status, 400, expected.text)
            const found = yield* call(`${path}?validateOnly=true`, { authorization, body })
            assert.deepStrictEqual(withoutRequestId(found), withoutRequestId(expected))
          }
          const stranger = yield* call(`${path}?validateOnly=true`, { body: bodyOf(noun) })
          assert.strictEqual(stranger.status, 401)
          for (const query of ["validateOnly=maybe", "validateOnly=", "validateOnly=true&validateOnly=false"]) {
            const { json, status } = yield* call(`${path}?${query}`, { authorization, body: bodyOf(noun) })
            assert.strictEqual(status, 400, query)
            assert.include(json.error ?? json.message, "validateOnly: Expected true or false, once")
          }
          assert.deepStrictEqual(yield* content, before)
        })
      )
    }

    it.effect("an Idempotency-Key is neither looked up nor kept, nor read", () =>
      Effect.gen(function* () {
        const create = (query: string, key: string, name: string) =>
          call(`${keysPath()}${query}`, {
            authorization: as("admin"),
            body: { name },
            headers: { "idempotency-key": key }
          })
        assert.deepStrictEqual((yield* create("?validateOnly=true", "k-1", "a")).json.result, {})
        const created = yield* create("", "k-1", "b")
        assert.strictEqual(created.json.result.key.name, "b")
        assert.deepStrictEqual((yield* create("?validateOnly=true", "k-1", "c")).json.result, {})
        assert.deepStrictEqual((yield* create("?validateOnly=true", "not a key", "c")).json.result, {})
        assert.strictEqual((yield* create("", "k-1", "b")).json.result.keyId, created.json.result.keyId)
      })
    )

    it.effect("another operation that writes refuses it, and one that reads ignores it", () =>
      Effect.gen(function* () {
        const before = yield* content
        const query = "?validateOnly=true"
        const authorization = as("admin")
        for (const [path, method, body] of [
          [pipePath(firstPipe), "DELETE", undefined],
          [pipePath(firstPipe), "PATCH", { name: "y" }],
          [`${pipePath(firstPipe)}/state`, "PATCH", { command: "stop" }],
          [`${pipePath(firstPipe)}/resume`, "POST", { from: "ledger" }]
        ] as const) {
          const { json, status } = yield* call(`${path}${query}`, { authorization, method, body })
          assert.strictEqual(status, 400, `${method} ${path}`)
          assert.include(json.error, "validateOnly: Expected none: this operation is no creation")
        }
        assert.strictEqual((yield* call(`${pipePath(firstPipe)}${query}`, { authorization })).status, 200)
        assert.deepStrictEqual(yield* content, before)
      })
    )
  })
})

describe("validateOnly", () => {
  it("is of every operation that is called create, and of no other", () => {
    const named = ({ name, noun }: (typeof all)[number]) => `${noun}.${name}`
    assert.deepStrictEqual(creations.map(named), all.filter(({ name }) => name === "create").map(named))
    assert.isAbove(creations.length, 12)
    assert.isTrue(creations.every(({ operation }) => !isChange(operation) && !operation.isRepeatable))
  })

  // A gateway has no such port to its store: it creates at its upstream.
  const withoutCreations = Layer.effectContext(
    Effect.map(Layer.build(memory.holding(decodeSnapshot(environment))), Context.omit(IdempotentCreations))
  )
  layer(liveServer(withoutCreations))("in a gateway", (it) => {
    it.effect("is refused, and nothing is created", () =>
      Effect.gen(function* () {
        const authorization = as("admin")
        const before = yield* call(keysPath(), { authorization })
        const { json, status } = yield* call(`${keysPath()}?validateOnly=true`, { authorization, body: { name: "x" } })
        assert.strictEqual(status, 400)
        assert.include(json.error, "validateOnly: Expected none: a gateway creates at another service")
        const after = yield* call(keysPath(), { authorization })
        assert.strictEqual(after.json.result.length, before.json.result.length)
      })
    )
  })
})
