import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { makeUuid } from "../src/makeUuid.ts"

const real = globalThis.crypto

const version4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

describe("makeUuid", () => {
  afterEach(() => void vi.unstubAllGlobals())

  for (const [where, crypto] of [
    ["where there is randomUUID", real],
    [
      "on a page that was not loaded over https",
      { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => real.getRandomValues(bytes) }
    ]
  ] as const) {
    it.effect(`makes different UUIDs of version 4 ${where}`, () =>
      Effect.gen(function* () {
        vi.stubGlobal("crypto", crypto)
        const made = yield* Effect.forEach(Array.from({ length: 200 }), () => makeUuid)
        for (const uuid of made) assert.match(uuid, version4)
        assert.strictEqual(new Set(made).size, made.length)
      })
    )
  }
})
