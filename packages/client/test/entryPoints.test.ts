import * as Schema from "effect/Schema"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { parseSync } from "oxc-parser"
import { rolldown } from "rolldown"
import { assert, describe, it } from "vitest"

const Exports = Schema.Record(
  Schema.String,
  Schema.Union([Schema.Struct({ types: Schema.String, default: Schema.String }), Schema.String, Schema.Null])
)
const Manifest = Schema.fromJsonString(
  Schema.Struct({
    exports: Exports,
    files: Schema.Array(Schema.String),
    publishConfig: Schema.Struct({ exports: Exports }),
    dependencies: Schema.optionalKey(Schema.Unknown),
    peerDependencies: Schema.optionalKey(Schema.Unknown),
    optionalDependencies: Schema.optionalKey(Schema.Unknown)
  })
)
const manifest = Schema.decodeSync(Manifest)(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

const targets = (exports: typeof manifest.exports) =>
  Object.fromEntries(
    Object.entries(exports).flatMap(([path, target]) =>
      target !== null && typeof target === "object" ? [[path, target]] : []
    )
  )

describe("the entry points", () => {
  it("are the client and the test client, each a bundle with its declarations", () => {
    assert.deepStrictEqual(targets(manifest.publishConfig.exports), {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./testing": { types: "./dist/testing/index.d.ts", default: "./dist/testing/index.js" }
    })
  })

  it("have the same JavaScript in this workspace, and the declarations of the compiler", () => {
    assert.deepStrictEqual(targets(manifest.exports), {
      ".": { types: "./dist/types/index.d.ts", default: "./dist/index.js" },
      "./testing": { types: "./dist/types/testing/index.d.ts", default: "./dist/testing/index.js" }
    })
  })
})

describe("the package", () => {
  it("has no dependency", () => {
    assert.isUndefined(manifest.dependencies ?? manifest.peerDependencies ?? manifest.optionalDependencies)
  })

  it("consists of files that import only one another", () => {
    for (const file of ["index.js", "shared.js", "testing/index.js"]) {
      const code = readFileSync(new URL(`../dist/${file}`, import.meta.url), "utf8")
      const { dynamicImports, staticImports } = parseSync(file, code).module
      assert.isFalse(code.includes("require("), file)
      assert.lengthOf(dynamicImports, 0, file)
      assert.deepStrictEqual(
        staticImports.map(({ moduleRequest }) => moduleRequest.value).filter((specifier) => !specifier.startsWith(".")),
        [],
        file
      )
    }
  })

  it("adds at most 103 KB to a page, minified and compressed, for one call", async () => {
    const program = `import { createClient } from ${JSON.stringify(fileURLToPath(new URL("../dist/index.js", import.meta.url)))}
      export const call = (management, address) => createClient({ management }).pipes.get(address)`
    const build = await rolldown({
      input: "program",
      platform: "browser",
      plugins: [
        {
          name: "program",
          resolveId: (id) => (id === "program" ? id : undefined),
          load: (id) => (id === "program" ? program : undefined)
        }
      ]
    })
    const { output } = await build.generate({ format: "esm", minify: true, codeSplitting: false })
    await build.close()
    assert.lengthOf(output, 1)
    assert.isAtMost(gzipSync(output[0].code, { level: 9 }).byteLength, 103_000)
    assert.include(output[0].code, "PipeNotFound")
  })

  it("installs in at most 2 MB", () => {
    const files = manifest.files.flatMap((path) => {
      const url = new URL(`../${path}`, import.meta.url)
      if (!existsSync(url)) return []
      const found = statSync(url)
      return found.isDirectory()
        ? readdirSync(url).map((name) => new URL(`../${path}/${name}`, import.meta.url))
        : [url]
    })
    const bytes = files.reduce((sum, url) => sum + statSync(url).size, 0)
    assert.isAbove(bytes, 500_000)
    assert.isAtMost(bytes, 2_000_000)
  })

  it("has the licences of what is bundled", () => {
    const notices = readFileSync(new URL("../dist/THIRD-PARTY-NOTICES.txt", import.meta.url), "utf8")
    assert.match(notices, /^effect 4\.\d+\.\d+ \(MIT\)$/m)
    assert.match(notices, /Permission is hereby granted/)
  })
})
