import { readFileSync } from "node:fs"
import * as Schema from "effect/Schema"
import { assert, describe, expect, it } from "vitest"

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    exports: Schema.Record(
      Schema.String,
      Schema.Union([Schema.Struct({ default: Schema.String }), Schema.String, Schema.Null])
    ),
    dependencies: Schema.Record(Schema.String, Schema.String),
    peerDependencies: Schema.Record(Schema.String, Schema.String)
  })
)
const manifest = Schema.decodeSync(Manifest)(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

/** The names an entry point exports, types among them: it consists of `export { ... } from` and nothing else. */
const exportsOf = (entryPoint: string): ReadonlyArray<string> => {
  const text = readFileSync(new URL(`../src/${entryPoint}`, import.meta.url), "utf8")
  const clauses = Array.from(text.matchAll(/export( type)? \{([^}]*)\} from "[^"]+"/g))
  assert.strictEqual(
    clauses
      .map(([clause]) => clause)
      .join("\n")
      .replaceAll(/\s/g, ""),
    text.replaceAll(/\s/g, "")
  )
  return clauses
    .flatMap(([, , names = ""]) => names.split(","))
    .map((name) => name.replace("type ", "").trim())
    .filter((name) => name !== "")
    .toSorted()
}

describe("the entry points", () => {
  it("are the client and its double for tests", () => {
    const published = Object.entries(manifest.exports).flatMap(([path, target]) =>
      target !== null && typeof target === "object" ? [[path, target.default]] : []
    )
    assert.deepStrictEqual(Object.fromEntries(published), {
      ".": "./dist/index.js",
      "./testing": "./dist/testing/index.js"
    })
  })

  it("export what is committed here: a change of the public surface is seen", async () => {
    const surface = ["index.ts", "testing/index.ts"].map(
      (entryPoint) =>
        `${entryPoint}\n${exportsOf(entryPoint)
          .map((name) => `  ${name}\n`)
          .join("")}`
    )
    await expect(surface.join("\n")).toMatchFileSnapshot("surface.txt")
  })
})

describe("the package", () => {
  it("asks its user for effect alone", () => {
    assert.deepStrictEqual(Object.keys(manifest.peerDependencies), ["effect"])
    assert.deepStrictEqual(Object.keys(manifest.dependencies), [
      "@headgate/core",
      "@headgate/http-adapter",
      "@headgate/http-contract",
      "@headgate/memory-adapter"
    ])
  })
})
