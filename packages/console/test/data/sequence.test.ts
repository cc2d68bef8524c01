import { assert, describe, it } from "vitest"
import { makeSequence } from "../../src/data/sequence.ts"

const shortcuts = ["g p", "g k", "/", "p"].map((keys) => ({ keys, title: keys, run: () => {} }))

/** What is found for keys and the times at which they are pressed. */
const press = (...typed: ReadonlyArray<readonly [string, number]>) => {
  const find = makeSequence()
  return typed.map(([key, at]) => find(key, at, shortcuts)?.keys)
}

describe("makeSequence", () => {
  it("finds a single key, and two after one another", () => {
    assert.deepStrictEqual(press(["/", 0]), ["/"])
    assert.deepStrictEqual(press(["g", 0], ["p", 1500]), [undefined, "g p"])
    assert.deepStrictEqual(press(["g", 0], ["k", 10], ["k", 20]), [undefined, "g k", undefined])
  })

  it("forgets the first key after a while, and after another one", () => {
    assert.deepStrictEqual(press(["g", 0], ["p", 1501]), [undefined, "p"])
    assert.deepStrictEqual(press(["g", 0], ["x", 10], ["p", 20]), [undefined, undefined, "p"])
  })

  it("begins anew with a key that may be the first", () => {
    assert.deepStrictEqual(press(["g", 0], ["g", 1400], ["p", 2800]), [undefined, undefined, "g p"])
    assert.deepStrictEqual(press(["g", 0], ["/", 10]), [undefined, "/"])
    assert.deepStrictEqual(press(["q", 0]), [undefined])
  })
})
