import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { readdirSync, readFileSync } from "node:fs"

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

const source = new URL("../src/", import.meta.url)

/** The names an entry point exports, types among them: it consists of `export { ... } from` and nothing else. */
const exportsOf = (entryPoint: string): ReadonlyArray<string> => {
  const text = readFileSync(new URL(entryPoint, source), "utf8")
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

const folders = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted()

describe("the entry points", () => {
  it("are one for each folder, and the root", () => {
    const published = Object.entries(manifest.exports).flatMap(([path, target]) =>
      target !== null && typeof target === "object" ? [[path, target.default]] : []
    )
    assert.deepStrictEqual(Object.fromEntries(published), {
      ".": "./dist/index.js",
      ...Object.fromEntries(folders.map((folder) => [`./${folder}`, `./dist/${folder}/index.js`]))
    })
  })

  it("name each export once, and the root names all of them and nothing else", () => {
    const names = folders.flatMap((folder) => exportsOf(`${folder}/index.ts`))
    assert.strictEqual(new Set(names).size, names.length)
    assert.deepStrictEqual(exportsOf("index.ts"), names.toSorted())
  })
})

describe("the package", () => {
  it("depends on effect alone", () => {
    assert.notProperty(manifest, "dependencies")
    assert.deepStrictEqual(Object.keys(manifest.peerDependencies), ["effect"])
  })
})
