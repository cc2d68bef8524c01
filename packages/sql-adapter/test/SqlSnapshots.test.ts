import { assert, describe, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot, pipeRequests, secretMark } from "@headgate/conformance/fixtures"
import { OrganizationId, PipeCreate, Pipes, ServiceId, Snapshot, Snapshots } from "@headgate/core"
import { decodeRequest, OrganizationConnections, StepLength } from "@headgate/core/adapter"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { SqlAdapter } from "../src/index.ts"
import { temporaryFilename } from "./temporaryDatabase.ts"

const key = Redacted.make("q8Jc2ZkYt0yqvXyqkQ0XqL0o2m3mWJ9bq8v1Yh0uYvE=")
const otherKey = Redacted.make("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")

const { acme } = fixtureIds.organizations
const address = { organizationId: acme, serviceId: fixtureIds.services.ingest }

const inStore = (sealingKey: Redacted.Redacted, filename = ":memory:") => {
  const store = Layer.fresh(SqlAdapter.layerSqlite({ filename, sealingKey }))
  // No pipe takes a step between two exports, however slow the machine is.
  return <A, E>(body: Effect.Effect<A, E, Layer.Success<typeof store>>) =>
    Effect.provide(body, store).pipe(Effect.provideService(StepLength, Duration.hours(1)))
}

const Text = Schema.fromJsonString(Snapshot)
const exported = Snapshots.use((snapshots) => Effect.flatMap(snapshots.export, Schema.encodeEffect(Text)))
const exportedSecrets = Snapshots.use((snapshots) =>
  Effect.flatMap(snapshots.exportWithSecrets, Schema.encodeEffect(Text))
)
const importText = (text: string) =>
  Effect.flatMap(Schema.decodeEffect(Text)(text), (snapshot) =>
    Snapshots.use((snapshots) => snapshots.import(snapshot))
  )

/** The fixture, with every secret that a request may have. */
const fill = Effect.gen(function* () {
  yield* Snapshots.use((snapshots) => Effect.flatMap(fixtureSnapshot, snapshots.import))
  for (const body of Object.values(pipeRequests)) {
    const request = yield* decodeRequest(PipeCreate)(body)
    yield* Pipes.use((pipes) => pipes.create(address, request))
  }
  const connections = yield* OrganizationConnections
  const password = Redacted.make(`${secretMark}password`)
  yield* connections.of(acme).create({ name: "secret", host: "https://db.example.com:8443", password })
})

/** Changes every pipe and connection of the organization, which opens its credentials. */
const changeAll = Effect.gen(function* () {
  const pipes = yield* Pipes
  for (const { id, source } of yield* pipes.list(address)) {
    const [kind] = Object.keys(source ?? {})
    yield* pipes.update({ ...address, pipeId: id }, { name: "changed", ...(kind && { source: { [kind]: {} } }) })
  }
  const connections = (yield* OrganizationConnections).of(acme)
  for (const { id, name } of yield* connections.list()) {
    yield* connections.update({ connectionId: id }, { name, host: "https://db.example.com:8443" })
  }
})

describe("SqlSnapshots", () => {
  it.live("an export with secrets moves them to a store with the same key, byte for byte", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const [text, plain] = yield* inStore(key)(Effect.andThen(fill, Effect.all([exportedSecrets, exported])))
      assert.notInclude(text, secretMark)
      yield* Effect.gen(function* () {
        yield* importText(text)
        assert.strictEqual(yield* exportedSecrets, text)
        assert.strictEqual(yield* exported, plain)
        yield* changeAll
      }).pipe(inStore(key, filename))
    }).pipe(Effect.scoped)
  )

  it.live("another key refuses them by their paths, and takes the export without them", () =>
    Effect.gen(function* () {
      const [text, plain] = yield* inStore(key)(Effect.andThen(fill, Effect.all([exportedSecrets, exported])))
      yield* Effect.gen(function* () {
        const error = yield* Effect.flip(importText(text))
        assert.match(
          error.message,
          /^secrets\.values\.connection\/[0-9a-f]{24}\/password: It is sealed with the key \S{16}, and the store seals with the key \S{16}: import into a store with that key, or export without secrets; /u
        )
        assert.strictEqual(yield* exported, `{"organizations":[]}`)
        yield* importText(plain)
        yield* changeAll
      }).pipe(inStore(otherKey))
    })
  )

  it.live("a sealed value that was changed or moved to another field is refused by its path", () =>
    Effect.gen(function* () {
      const text = yield* inStore(key)(Effect.andThen(fill, exportedSecrets))
      const document: typeof Snapshot.Encoded = JSON.parse(text)
      const [[first = "", value = ""] = [], [second = ""] = []] = Object.entries(document.secrets?.values ?? {})
      for (const [name, wrong] of [
        [first, "x".repeat(value.length)],
        [second, value]
      ] as const) {
        const values = { ...document.secrets?.values, [name]: wrong }
        const changed = JSON.stringify({ ...document, secrets: { ...document.secrets, values } })
        const error = yield* Effect.flip(inStore(key)(importText(changed)))
        assert.strictEqual(
          error.message,
          `secrets.values.${name}: Expected the sealed value of this field as it was exported`
        )
      }
    })
  )

  it.live("credentials in plain text in an import are sealed, and count more than sealed ones", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFilename
      const serviceId = ServiceId.make("5e000000-0000-4000-8000-00000000aaaa")
      const ids = Object.keys(pipeRequests).map((_, n) => `b1be0000-0000-4000-8000-${`${n}`.padStart(12, "0")}`)
      const pipes = Object.values(pipeRequests).map(({ name, source }, n) => ({
        id: ids[n],
        serviceId,
        name,
        state: "Running",
        source
      }))
      const document = {
        organizations: [
          {
            id: OrganizationId.make(acme),
            name: "Acme",
            services: [{ id: serviceId, name: "s", pipes }],
            connections: [{ id: "c1", name: "c", host: "https://x.test", password: `${secretMark}password` }]
          }
        ]
      }
      yield* Effect.gen(function* () {
        yield* importText(JSON.stringify(document))
        const text = yield* exportedSecrets
        assert.notInclude(text, secretMark)
        for (const name of readdirSync(dirname(filename))) {
          assert.notInclude(readFileSync(join(dirname(filename), name), "latin1"), secretMark, name)
        }
        // The same document with what was sealed beside the plain text.
        const { secrets } = JSON.parse(text)
        const again = yield* inStore(key)(
          Effect.andThen(importText(JSON.stringify({ ...document, secrets })), exportedSecrets)
        )
        assert.sameMembers(Object.keys(JSON.parse(again).secrets.values), Object.keys(secrets.values))
        for (const [name, sealed] of Object.entries(secrets.values)) {
          assert.notStrictEqual(JSON.parse(again).secrets.values[name], sealed)
        }
      }).pipe(inStore(key, filename))
    }).pipe(Effect.scoped)
  )
})
