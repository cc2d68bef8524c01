import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"

const Manifest = Schema.fromJsonString(
  Schema.Struct({
    exports: Schema.Record(
      Schema.String,
      Schema.Union([Schema.Struct({ default: Schema.String }), Schema.String, Schema.Null])
    ),
    dependencies: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
    peerDependencies: Schema.Record(Schema.String, Schema.String)
  })
)
const manifest = Schema.decodeSync(Manifest)(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

/** The names an entry point exports, types included. It consists of `export { ... } from` and nothing else. */
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
}

describe("the entry points", () => {
  it("are the root for service authors and one for adapter authors", () => {
    const published = Object.entries(manifest.exports).flatMap(([path, target]) =>
      target !== null && typeof target === "object" ? [[path, target.default]] : []
    )
    assert.deepStrictEqual(Object.fromEntries(published), {
      ".": "./dist/index.js",
      "./adapter": "./dist/adapter.js"
    })
  })

  it("export each name once, and no name from both", () => {
    const names = [...exportsOf("index.ts"), ...exportsOf("adapter.ts")]
    assert.isNotEmpty(names)
    assert.strictEqual(new Set(names).size, names.length)
  })
})

describe("the package", () => {
  it("depends on effect alone", () => {
    assert.notProperty(manifest, "dependencies")
    assert.deepStrictEqual(Object.keys(manifest.peerDependencies), ["effect"])
  })
})
