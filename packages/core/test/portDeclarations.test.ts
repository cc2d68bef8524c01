import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"

const dist = new URL("../dist/", import.meta.url)

/** The declarations of methods that return an Effect, without comments, as they are emitted. */
const methods = globSync("*/*.d.ts", { cwd: dist }).flatMap((file) => {
  const text = readFileSync(new URL(file, dist), "utf8").replaceAll(/\/\*\*.*?\*\//gs, "")
  return text.match(/^ {4}readonly \w+: \([^;]*?\) => Effect\.Effect<[^;]*;/gms) ?? []
})

describe("the emitted declaration of a port method", () => {
  it("has at most 400 characters, so that an editor shows it whole", () => {
    assert.isAtLeast(methods.length, 70)
    assert.deepStrictEqual(
      methods.filter((method) => method.length > 400),
      []
    )
  })
})
