import { assert } from "@effect/vitest"
import {
  ApiKeys,
  type OrganizationId,
  PipeCreate,
  Pipes,
  Roles,
  Snapshot,
  Snapshots,
  systemRoleIds
} from "@headgate/core"
import {
  answeredSecretFields,
  credentialFields,
  type Credentials,
  decodeRequest,
  OrganizationConnections,
  OrganizationDashboards,
  OrganizationDocuments,
  Tokens
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { fixtureCredentials } from "../fixtures/credentials.ts"
import { fixtureIds } from "../fixtures/ids.ts"
import { pipeRequests, secretMark } from "../fixtures/pipeRequests.ts"
import { fixturePipes } from "../fixtures/pipes.ts"
import { fixtureDocument, fixtureSnapshot } from "../fixtures/snapshot.ts"
import { failsWith } from "../internal/failsWith.ts"
import { importFixture, importSnapshot, signIn, type SnapshotPorts, type SnapshotSuite } from "./SnapshotSuite.ts"

const { keys: keyIds, organizations, pipes: pipeIds, services, tokens: tokenIds } = fixtureIds
const { acme } = organizations
const { keys, tokens } = fixtureCredentials

const textOf = Schema.encodeEffect(Schema.fromJsonString(Snapshot))

/** The export as text. */
const exported = Snapshots.use((snapshots) => Effect.flatMap(snapshots.export, textOf))

/** The export with secrets. */
const exportedSecrets = Snapshots.use((snapshots) => snapshots.exportWithSecrets)

/** Pipes, a connection and a webhook with every secret that a request may have. */
const createSecrets = Effect.gen(function* () {
  const pipes = yield* Pipes
  for (const body of Object.values(pipeRequests)) {
    const request = yield* decodeRequest(PipeCreate)(body)
    yield* pipes.create({ organizationId: acme, serviceId: services.ingest }, request)
  }
  const connections = yield* OrganizationConnections
  const password = Redacted.make(`${secretMark}password`)
  const host = "https://db.example.com:8443"
  yield* connections.of(acme).create({ name: "secret", host, password })
  const documents = yield* OrganizationDocuments
  yield* documents.of(acme).webhooks.create({
    name: "secret",
    service: "generic",
    url: Redacted.make(`https://hooks.example.com/${secretMark}url`),
    headers: Redacted.make({ authorization: `${secretMark}headers` }),
    queryParams: Redacted.make({ token: `${secretMark}query` })
  })
})

const importText = (text: string) =>
  Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(Snapshot))(text), importSnapshot)

/** Whether `actual` has every field of `expected`. It may have more, such as ids that were assigned. */
const contains = (actual: unknown, expected: unknown): boolean => {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => contains(actual[index], item))
    )
  }
  if (!Predicate.isObject(expected)) return Object.is(actual, expected)
  return (
    Predicate.isObject(actual) &&
    Object.entries(expected).every(([field, value]) => contains(Reflect.get(actual, field), value))
  )
}

/** Creates, changes and deletes resources of every kind, and returns what was created. */
const changeEverything = Effect.gen(function* () {
  const dashboards = yield* OrganizationDashboards
  const apiKeys = yield* ApiKeys
  const roles = yield* Roles
  const [auditor, operator] = yield* Effect.forEach(["auditor", "operator"], (name) =>
    roles.create(
      { organizationId: acme },
      {
        name,
        actors: ["user/1"],
        policies: [{ allowDeny: "ALLOW", permissions: ["x:view"], resources: ["instance/*"], tags: { grants: ["db"] } }]
      }
    )
  )
  const custom = [auditor, operator].flatMap((role) => (role === undefined ? [] : [role.id]))
  yield* apiKeys.create(
    { organizationId: acme },
    { name: "custom roles", assignedRoleIds: [...custom, systemRoleIds.developer] }
  )
  const made = {
    key: yield* apiKeys.create({ organizationId: acme }, { name: "made", roles: ["admin"] }),
    off: yield* apiKeys.create({ organizationId: acme }, { name: "made, off", state: "disabled" }),
    gone: yield* apiKeys.create({ organizationId: acme }, { name: "made, gone" }),
    token: yield* Tokens.use((each) => each.create(acme, "made")),
    dashboard: yield* dashboards.of(acme).create({ name: "made", future: { nested: [1, null, "x"] } })
  }
  yield* signIn(keys.developer)
  yield* apiKeys.update({ organizationId: acme, keyId: keyIds.admin }, { state: "disabled" })
  yield* apiKeys.update({ organizationId: acme, keyId: keyIds.disabled }, { state: "enabled" })
  yield* apiKeys.delete({ organizationId: acme, keyId: made.gone.key.id })
  yield* Tokens.use((each) => each.revoke(acme, tokenIds.acme))
  yield* Pipes.use((pipes) =>
    pipes.delete({ organizationId: acme, serviceId: services.ingest, pipeId: pipeIds.kinesis })
  )
  return made
})

const dashboardsAndTokens = (snapshot: Snapshot) =>
  snapshot.organizations
    .filter(({ id }) => id === acme)
    .map(({ dashboards = [], tokens: held = [] }) => [dashboards.length, held.length] as const)

/** Creates a token and then a dashboard, 40 times: the organization never has more dashboards than tokens. */
const tokenBeforeDashboard = (organizationId: OrganizationId) =>
  Effect.gen(function* () {
    const dashboards = yield* OrganizationDashboards
    yield* Effect.forEach(
      Array.from({ length: 40 }, (_, n) => `${n}`),
      (name) =>
        Effect.andThen(
          Tokens.use((each) => each.create(organizationId, name)),
          dashboards.of(organizationId).create({ name })
        ),
      { discard: true }
    )
  })

/** The laws of `Snapshots.export`. */
export const exportLaws = ({ emptyStore, law }: SnapshotSuite): void => {
  /** Runs the effect over another empty store. */
  const inAnotherStore = <A, E>(body: Effect.Effect<A, E, SnapshotPorts>) =>
    Effect.provide(body, emptyStore(), { local: true })

  law(
    "the export of an empty store holds nothing",
    Effect.gen(function* () {
      assert.strictEqual(yield* exported, `{"organizations":[]}`)
    })
  )

  law(
    "the export of an empty organization is imported again",
    Effect.gen(function* () {
      yield* importSnapshot({ organizations: [{ id: acme, name: "Acme" }] })
      const text = yield* exported
      assert.deepStrictEqual(yield* inAnotherStore(importText(text)), { added: 1, kept: 0 })
    })
  )

  law(
    "an export holds all that was imported, in order",
    Effect.gen(function* () {
      yield* importFixture
      const actual: unknown = JSON.parse(yield* exported)
      const expected: unknown = JSON.parse(
        JSON.stringify(yield* fixtureDocument, (name, value) =>
          name === "connectionString" || name === "url" ? undefined : value
        )
      )
      // This assertion always fails here. It is made for its message, which shows the difference.
      if (!contains(actual, expected)) assert.deepStrictEqual(actual, expected)
    })
  )

  law(
    "an export holds no credential in plain text",
    Effect.gen(function* () {
      yield* importFixture
      const { key, token } = yield* changeEverything
      const text = yield* exported
      const secrets = [
        key.keyId ?? "",
        Redacted.value(key.keySecret ?? Redacted.make("")),
        Redacted.value(token.secret),
        ...Object.values(keys).flatMap(({ keyId, keySecret }) => [keyId, Redacted.value(keySecret)]),
        ...Object.values(tokens).map((each) => Redacted.value(each.token))
      ]
      for (const secret of secrets) {
        assert.isAbove(secret.length, 16)
        assert.notInclude(text, secret)
      }
    })
  )

  law(
    "an export has no credentials of pipes, connections and webhooks, and an import of it makes them without",
    Effect.gen(function* () {
      yield* importFixture
      yield* createSecrets
      const text = yield* exported
      assert.notInclude(text, secretMark)
      assert.notInclude(text, "AccountKey")
      assert.notInclude(text, '"secrets"')
      const { secrets = { values: {} } } = yield* exportedSecrets
      for (const { label } of Object.values(secrets.values)) assert.strictEqual(label, "secret")
      const names = Object.keys(secrets.values).join()
      for (const path of [...credentialFields, ...answeredSecretFields]) assert.include(names, `/source.${path}`)
      assert.include(names, "/password")
      assert.include(names, "webhook/")

      const imported = Effect.andThen(importText(text), Effect.all([exported, exportedSecrets]))
      const [again, { secrets: held }] = yield* inAnotherStore(imported)
      assert.strictEqual(again, text)
      assert.deepStrictEqual(held?.values, {})
    })
  )

  law(
    "an export with secrets restores them byte for byte",
    Effect.gen(function* () {
      yield* importFixture
      yield* createSecrets
      const snapshot = yield* exportedSecrets
      const text = yield* textOf(snapshot)
      yield* Snapshots.use((snapshots) => snapshots.replace({ organizations: [] }))
      assert.strictEqual(yield* exported, `{"organizations":[]}`)
      yield* importText(text)
      assert.strictEqual(yield* Effect.flatMap(exportedSecrets, textOf), text)
      yield* Snapshots.use((snapshots) => snapshots.replace(snapshot))
      assert.strictEqual(yield* Effect.flatMap(exportedSecrets, textOf), text)
      const address = { organizationId: acme, serviceId: services.ingest, pipeId: pipeIds.objectStorage }
      const { source } = yield* Pipes.use((pipes) => pipes.get(address))
      const { connectionString } = fixturePipes.objectStorage.source.objectStorage
      assert.strictEqual(Redacted.value(source?.objectStorage?.connectionString ?? Redacted.make("")), connectionString)
    })
  )

  law(
    "secrets of another key, or of nothing in the snapshot, are an InvalidRequest that names each, and nothing is stored",
    Effect.gen(function* () {
      const snapshot = yield* fixtureSnapshot
      const names = [`pipe/${pipeIds.kafka}/source.kafka.credentials`, `pipe/${pipeIds.kafka}/source.nothing`]
      const values = Object.fromEntries(names.map((name) => [name, Redacted.make(`{"username":"u"}`)]))
      const pathsOf = (secrets: Snapshot["secrets"]) =>
        Effect.gen(function* () {
          const error = yield* failsWith(importSnapshot({ ...snapshot, ...(secrets && { secrets }) }), "InvalidRequest")
          assert.strictEqual(yield* exported, `{"organizations":[]}`)
          return error.issues.map(({ path }) => path)
        })
      const paths = names.map((name) => `secrets.values.${name}`)
      assert.deepStrictEqual(yield* pathsOf({ sealingKey: "another key", values }), paths)
      assert.deepStrictEqual(yield* pathsOf({ values }), paths.slice(1))
      const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`pipe/${n}`, Redacted.make("x")]))
      assert.strictEqual((yield* pathsOf({ sealingKey: "another key", values: many })).length, 21)
      assert.strictEqual((yield* pathsOf({ values: many })).length, 21)
    })
  )

  law(
    "an export changes nothing, and importing it into the same store adds nothing",
    Effect.gen(function* () {
      yield* importFixture
      yield* changeEverything
      const text = yield* exported
      const { added } = yield* importText(text)
      assert.strictEqual(added, 0)
      assert.strictEqual(yield* exported, text)
    })
  )

  law(
    "an export that is imported into an empty store is exported again byte for byte",
    Effect.gen(function* () {
      yield* importFixture
      yield* changeEverything
      const text = yield* exported
      const again = yield* inAnotherStore(Effect.andThen(importText(text), exported))
      assert.strictEqual(again, text)
    })
  )

  law(
    "an export that is imported into an empty store accepts and rejects the same credentials",
    Effect.gen(function* () {
      yield* importFixture
      const { dashboard, key, off, token } = yield* changeEverything
      const text = yield* exported
      yield* Effect.gen(function* () {
        yield* importText(text)
        const made: Credentials = {
          _tag: "KeyCredentials",
          keyId: key.keyId ?? "",
          keySecret: key.keySecret ?? Redacted.make("")
        }
        for (const credentials of [
          made,
          { _tag: "TokenCredentials", token: token.secret } as const,
          keys.developer,
          keys.disabled,
          keys.globex,
          tokens.globex
        ]) {
          yield* signIn(credentials)
        }
        const stopped: Credentials = {
          _tag: "KeyCredentials",
          keyId: off.keyId ?? "",
          keySecret: off.keySecret ?? Redacted.make("")
        }
        for (const credentials of [stopped, keys.admin, keys.expired, tokens.acme]) {
          yield* failsWith(signIn(credentials), "Unauthorized")
        }
        const dashboards = yield* OrganizationDashboards
        assert.deepStrictEqual((yield* dashboards.of(acme).list()).at(-1), dashboard)
        const listed = yield* ApiKeys.use((apiKeys) => apiKeys.list({ organizationId: acme }))
        assert.notInclude(
          listed.map(({ name }) => name),
          "made, gone"
        )
        const custom = listed.find(({ name }) => name === "custom roles")
        assert.deepStrictEqual(
          custom?.assignedRoles?.map(({ roleName }) => roleName),
          ["auditor", "operator", "developer"]
        )
        const used = listed.filter((each) => Predicate.isNotNullish(each.usedAt)).map(({ name }) => name)
        assert.includeMembers(used, ["developer", "made"])
      }).pipe(inAnotherStore)
    })
  )

  law(
    "an export is consistent while others write",
    Effect.gen(function* () {
      yield* importSnapshot({ organizations: [{ id: acme, name: "Acme" }] })
      const writer = yield* Effect.forkChild(tokenBeforeDashboard(acme))
      const seen: Array<readonly [number, number]> = []
      while (writer.pollUnsafe() === undefined) {
        seen.push(...dashboardsAndTokens(yield* Snapshots.use((snapshots) => snapshots.export)))
        yield* Effect.yieldNow
      }
      yield* Fiber.join(writer)
      for (const [dashboards, held] of seen) assert.include([dashboards, dashboards + 1], held)
      assert.deepStrictEqual(dashboardsAndTokens(yield* Snapshots.use((snapshots) => snapshots.export)), [[40, 40]])
    })
  )
}
