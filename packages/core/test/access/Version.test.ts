import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { checkVersion, IfMatch, versionOf, withVersion } from "../../src/access/Version.ts"

it("a resource has the version that it was marked with, a copy of it has none", () => {
  const resource = withVersion({ name: "orders" }, 3)
  assert.strictEqual(versionOf(resource), 3)
  assert.strictEqual(versionOf({ ...resource }), undefined)
  assert.deepStrictEqual(resource, { name: "orders" })
})

it.effect("a change needs the version that IfMatch requires, and any without it", () =>
  Effect.gen(function* () {
    yield* checkVersion(3)
    yield* Effect.provideService(checkVersion(3), IfMatch, 3)
    const error = yield* Effect.flip(Effect.provideService(checkVersion(4), IfMatch, 3))
    assert.strictEqual(error._tag, "PreconditionFailed")
    assert.match(error.message, /the version is 4, not 3/)
  })
)
