import { assert, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot } from "@headgate/conformance/fixtures"
import { ApiKeys, Dashboards, Snapshots } from "@headgate/core"
import { OrganizationDashboards } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { MemoryAdapter } from "../src/index.ts"

const { acme, globex } = fixtureIds.organizations

const create = (name: string) => Dashboards.use((dashboards) => dashboards.create({ name }))

const names = Effect.map(
  Dashboards.use((dashboards) => dashboards.list()),
  (all) => all.map(({ name }) => name)
)

const namesOf = (organizationId: typeof acme) =>
  Effect.gen(function* () {
    const dashboards = yield* OrganizationDashboards
    return (yield* dashboards.of(organizationId).list()).map(({ name }) => name)
  })

const snapshot = { organizations: [{ id: acme, name: "Acme" }] }

it.effect("needs no snapshot: it then holds nothing, and no organization", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* names, [])
    assert.deepStrictEqual(yield* Snapshots.use((snapshots) => snapshots.organizations), [])
    assert.strictEqual((yield* Effect.flip(create("first")))._tag, "Forbidden")
    yield* Snapshots.use((snapshots) => snapshots.import(snapshot))
    yield* OrganizationDashboards.use((dashboards) => dashboards.of(acme).create({ name: "first" }))
    assert.deepStrictEqual(yield* namesOf(acme), ["first"])
  }).pipe(Effect.provide(MemoryAdapter.layer()))
)

it.effect("adapters beside each other share nothing", () =>
  Effect.gen(function* () {
    const one = yield* Layer.build(MemoryAdapter.layer({ snapshot }))
    const two = yield* Layer.build(MemoryAdapter.layer({ snapshot }))
    yield* Effect.provide(create("one"), one)
    assert.deepStrictEqual(yield* Effect.provide(names, one), ["one"])
    assert.deepStrictEqual(yield* Effect.provide(names, two), [])
  })
)

it.effect("Dashboards stands for the snapshot's first organization", () =>
  Effect.gen(function* () {
    const layer = MemoryAdapter.layer({ snapshot: yield* fixtureSnapshot })
    yield* Effect.gen(function* () {
      assert.deepStrictEqual(yield* names, yield* namesOf(acme))
    }).pipe(Effect.provide(layer))
  })
)

it.effect("Dashboards stands for the organization that is named", () =>
  Effect.gen(function* () {
    const layer = MemoryAdapter.layer({ snapshot: yield* fixtureSnapshot, organizationId: globex })
    yield* Effect.gen(function* () {
      yield* create("theirs")
      assert.deepStrictEqual(yield* names, yield* namesOf(globex))
      assert.notInclude(yield* namesOf(acme), "theirs")
    }).pipe(Effect.provide(layer))
  })
)

it.effect("a snapshot that contradicts itself builds nothing", () =>
  Effect.gen(function* () {
    const snapshot = {
      organizations: [
        { id: acme, name: "one" },
        { id: acme, name: "two" }
      ]
    }
    const error = yield* Effect.flip(Layer.build(MemoryAdapter.layer({ snapshot })))
    assert.strictEqual(error._tag, "InvalidRequest")
    assert.include(error.message, "organizations[1].id")
  })
)

it.effect("with randomness that repeats, the second key is a Conflict and the first one stays", () => {
  const repeating = Layer.succeed(
    SecureRandom.SecureRandom,
    SecureRandom.make((size) => new Uint8Array(size).fill(7))
  )
  return Effect.gen(function* () {
    const keys = yield* ApiKeys
    const { key } = yield* keys.create({ organizationId: acme }, { name: "first" })
    const error = yield* Effect.flip(keys.create({ organizationId: acme }, { name: "second" }))
    assert.strictEqual(error._tag, "Conflict")
    assert.deepStrictEqual(yield* keys.list({ organizationId: acme }), [key])
  }).pipe(Effect.provide(Layer.provide(MemoryAdapter.layerNoDeps({ snapshot }), [repeating, Digest.layerWebCrypto])))
})
