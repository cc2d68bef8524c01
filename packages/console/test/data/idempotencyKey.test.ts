import { expect, it } from "vitest"
import { makeKeyOfRequest, newIdempotencyKey } from "../../src/data/idempotencyKey.ts"

it("is a text that the header takes, another one each time", () => {
  const keys = Array.from({ length: 100 }, newIdempotencyKey)
  for (const key of keys) expect(key).toMatch(/^[\x21-\x7e]{16,255}$/)
  expect(new Set(keys).size).toBe(100)
})

it("is the same for all attempts at one request, and another for another request", () => {
  const keyOf = makeKeyOfRequest()
  const first = keyOf({ name: "a" })
  expect(keyOf({ name: "a" })).toBe(first)
  const second = keyOf({ name: "b" })
  expect(second).not.toBe(first)
  expect(keyOf({ name: "a" })).not.toBe(first)
  expect(makeKeyOfRequest()({ name: "a" })).not.toBe(first)
})
