import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"

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

describe("the entry points", () => {
  it("are the root alone", () => {
    const published = Object.entries(manifest.exports).flatMap(([path, target]) =>
      target !== null && typeof target === "object" ? [[path, target.default]] : []
    )
    assert.deepStrictEqual(Object.fromEntries(published), { ".": "./dist/index.js" })
  })

  it("consist of `export { ... } from` and export each name once", () => {
    const text = readFileSync(new URL("../src/index.ts", import.meta.url), "utf8")
    const clauses = Array.from(text.matchAll(/export( type)? \{([^}]*)\} from "[^"]+"/g))
    assert.strictEqual(
      clauses
        .map(([clause]) => clause)
        .join("\n")
        .replaceAll(/\s/g, ""),
      text.replaceAll(/\s/g, "")
    )
    const names = clauses
      .flatMap(([, , names = ""]) => names.split(","))
      .map((name) => name.replace("type ", "").trim())
      .filter((name) => name !== "")
    assert.isNotEmpty(names)
    assert.strictEqual(new Set(names).size, names.length)
  })
})

describe("the package", () => {
  it("depends on core and effect alone", () => {
    assert.deepStrictEqual(Object.keys(manifest.dependencies), ["@headgate/core"])
    assert.deepStrictEqual(Object.keys(manifest.peerDependencies), ["effect"])
  })
})
