// Writes the .d.ts file of each entry point: the declarations that are published. `tsc -b` has written dist/types.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { collectDeclarations, forRequire } from "./declarations.ts"
import { DataTypes } from "./DataTypes.ts"
import { packageTypes } from "./packageTypes.ts"

const path = (file: string) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url))

const types = new DataTypes(packageTypes)
const client = collectDeclarations(path("types/index.d.ts"), types)
const others = [
  "testing/index",
  ...readdirSync(path("../src/entry")).map((file) => `entry/${file.replace(/\.ts$/, "")}`)
]
const declarations = others.map((name) => ({
  name,
  ...collectDeclarations(path(`types/${name}.d.ts`), types, { specifier: "../index.js", exports: client.exports })
}))
if (types.undescribed.size > 0) throw new Error(`without a description: ${[...types.undescribed].join(", ")}`)

// `AsyncDisposable` is younger than the oldest supported target.
const libraries = '/// <reference lib="esnext.disposable" preserve="true" />\n\n'
for (const { name, text, ...names } of [{ name: "index", ...client, text: libraries + client.text }, ...declarations]) {
  mkdirSync(path(`${name}/..`), { recursive: true })
  writeFileSync(path(`${name}.d.ts`), text)
  writeFileSync(path(`${name}.d.cts`), forRequire(basename(name), { text, ...names }, client.text))
}
