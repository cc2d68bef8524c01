import { assert, it } from "@effect/vitest"
import { ApiKeyId, OrganizationId } from "@headgate/core"
import type { ApiKeyRecord } from "@headgate/core/adapter"
import * as DateTime from "effect/DateTime"
import { KeyMap } from "../src/MemoryStore.ts"

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
const acme = OrganizationId.make(uuid(1))
const globex = OrganizationId.make(uuid(2))

const record = (n: number, organizationId = acme, name = `key ${n}`): ApiKeyRecord => ({
  organizationId,
  key: { id: ApiKeyId.make(uuid(100 + n)), name },
  keyIdHash: `hash ${n}`,
  keySecretHash: "secret"
})

const mapOf = (...records: ReadonlyArray<ApiKeyRecord>) => new KeyMap(records.map((one) => [one.keyIdHash, one]))

it("is made empty, of entries, or of another one", () => {
  assert.strictEqual(new KeyMap().size, 0)
  const copy = new KeyMap(mapOf(record(1), record(2)))
  copy.delete("hash 1")
  assert.deepStrictEqual(copy.ownedBy(acme), [record(2)])
  assert.deepStrictEqual(copy.byId(record(2).key.id), record(2))
})

it("knows the keys of each organization, newest last", () => {
  const keys = mapOf(record(3), record(1, globex), record(2))
  assert.deepStrictEqual(keys.ownedBy(acme), [record(3), record(2)])
  assert.deepStrictEqual(keys.ownedBy(globex), [record(1, globex)])
  assert.deepStrictEqual([keys.usageOf(acme).count, keys.usageOf(globex).count], [2, 1])
})

it("a key that is replaced stays where it stood, and is the new one by its id too", () => {
  const keys = mapOf(record(1), record(2), record(1, acme, "renamed"))
  assert.deepStrictEqual(keys.ownedBy(acme), [record(1, acme, "renamed"), record(2)])
  assert.deepStrictEqual(keys.byId(record(1).key.id), record(1, acme, "renamed"))
  assert.strictEqual(keys.usageOf(acme).count, 2)
})

it("a key that is deleted is gone from everywhere", () => {
  const keys = mapOf(record(1), record(2))
  assert.isTrue(keys.delete("hash 1"))
  assert.isFalse(keys.delete("hash 1"))
  assert.isUndefined(keys.byId(record(1).key.id))
  assert.deepStrictEqual(keys.ownedBy(acme), [record(2)])
  keys.clear()
  assert.strictEqual(keys.usageOf(acme).count, 0)
  assert.isUndefined(keys.byId(record(2).key.id))
})

it("a key that changes its owner is one of the new owner's only", () => {
  const keys = mapOf(record(1), record(1, globex))
  assert.deepStrictEqual([keys.usageOf(acme).count, keys.usageOf(globex).count], [0, 1])
})

it("the sessions and codes of a key go with it, and those of others stay", () => {
  const keys = mapOf(record(1), record(2))
  const made = (n: number) => ({ hash: `made for ${n}`, keyId: record(n).key.id, expiresAt: DateTime.makeUnsafe(0) })
  const left = () => Object.values(keys.console).map((records) => Array.from(records.keys()))
  for (const records of Object.values(keys.console)) for (const n of [1, 2]) records.set(made(n).hash, made(n))
  keys.set("hash 1", record(1, acme, "renamed"))
  assert.deepStrictEqual(left(), [
    ["made for 1", "made for 2"],
    ["made for 1", "made for 2"]
  ])
  keys.delete("hash 1")
  assert.deepStrictEqual(left(), [["made for 2"], ["made for 2"]])
  keys.set("hash 1", record(1))
  assert.deepStrictEqual(left(), [["made for 2"], ["made for 2"]])
  keys.clear()
  assert.deepStrictEqual(left(), [[], []])
})
