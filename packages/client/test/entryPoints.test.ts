import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

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
  it("are the client and the test client", () => {
    const published = Object.entries(manifest.exports).flatMap(([path, target]) =>
      target !== null && typeof target === "object" ? [[path, target.default]] : []
    )
    assert.deepStrictEqual(Object.fromEntries(published), {
      ".": "./dist/index.js",
      "./testing": "./dist/testing/index.js"
    })
  })
})

describe("the package", () => {
  it("has effect as its only peer dependency", () => {
    assert.deepStrictEqual(Object.keys(manifest.peerDependencies), ["effect"])
    assert.deepStrictEqual(Object.keys(manifest.dependencies), [
      "@headgate/core",
      "@headgate/http-adapter",
      "@headgate/http-contract",
      "@headgate/memory-adapter"
    ])
  })
})
