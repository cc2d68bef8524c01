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

const folders = Object.entries(manifest.exports).flatMap(([path, target]) =>
  target !== null && typeof target === "object" && path !== "." ? [path.replace("./", "")] : []
)

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
  it("are the root and the three folders that every package has", () => {
    assert.sameMembers(folders, ["dashboard", "key", "pipe"])
  })

  it("of the folders name nothing that the root does not", () => {
    const root = exportsOf("index.ts")
    for (const folder of folders) assert.includeMembers([...root], [...exportsOf(`${folder}/index.ts`)])
  })
})

describe("the package", () => {
  it("depends on core and effect alone", () => {
    assert.deepStrictEqual(Object.keys(manifest.dependencies), ["@headgate/core"])
    assert.deepStrictEqual(Object.keys(manifest.peerDependencies), ["effect"])
  })
})
