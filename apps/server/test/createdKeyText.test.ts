import { assert, it } from "@effect/vitest"
import { CreatedApiKey } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { createdKeyText } from "../src/key/createKey.ts"

const Text = Schema.fromJsonString(CreatedApiKey)

it.effect.prop("a created key is written as its schema writes it, whatever is in it", [CreatedApiKey], ([created]) =>
  Effect.gen(function* () {
    assert.deepStrictEqual(JSON.parse(createdKeyText(created)), JSON.parse(yield* Schema.encodeEffect(Text)(created)))
  })
)

it("a created key is written byte for byte as it was read", () => {
  const key = { id: "51b4936f-cc64-4b62-8949-22ade4e10488", name: "ci", createdAt: "2026-01-31T13:00:00.123456+01:00" }
  for (const text of [
    JSON.stringify({ key: { ...key, expireAt: null, usedAt: "2026-02-01T00:00:00Z" }, keyId: "id", keySecret: "s" }),
    JSON.stringify({ key, more: { of: [1, "2"] } }),
    JSON.stringify({ key: { ...key, ipAccessList: [{ source: "192.0.2.1", note: null }] }, keySecret: "" })
  ]) {
    assert.strictEqual(createdKeyText(Schema.decodeSync(Text)(text)), text)
  }
})
