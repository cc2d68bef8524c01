import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { noticesFile, noticesOf, render } from "../notices.mjs"

const root = join(import.meta.dirname, "../../..")

/** The folders of the packages whose sources the source map of an app's bundle names: what really is in it. */
const bundledFolders = (app: string): ReadonlyArray<string> => {
  const map = join(root, "apps", app, "dist/main.mjs.map")
  const { sources }: { readonly sources: ReadonlyArray<string> } = JSON.parse(readFileSync(map, "utf8"))
  const folders = sources.flatMap((source) => {
    const found = /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(resolve(dirname(map), source))
    return found === null ? [] : [found[0]]
  })
  return [...new Set(folders)]
}

describe.each(["cli", "server"])("the notices of apps/%s", (app) => {
  const notices = readFileSync(join(root, "apps", app, "dist", noticesFile), "utf8")

  it("name every package in the bundle, with the text of its licence", () => {
    const folders = bundledFolders(app)
    assert.isAbove(folders.length, 1)
    for (const folder of folders) {
      const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
      assert.include(notices, `\n${name} ${version} (`)
      const licence = join(folder, "LICENSE")
      if (existsSync(licence)) assert.include(notices, readFileSync(licence, "utf8").trim())
    }
  })

  it("name nobody twice, and nothing of this workspace", () => {
    const names = Array.from(notices.matchAll(/^-{80}\n(\S+) \S+ \(/gm), ([, name]) => name)
    assert.isAbove(names.length, 1)
    assert.strictEqual(new Set(names).size, names.length)
    assert.notMatch(notices, /@headgate\//)
  })
})

it("the server's notices have the licence of the Swagger UI that effect embeds", () => {
  const notices = readFileSync(join(root, "apps/server/dist", noticesFile), "utf8")
  assert.match(notices, /\nswagger-ui \S+ \(Apache-2\.0\)\n/)
  assert.include(notices, "SmartBear Software Inc.")
  assert.include(notices, "Apache License")
})

it("the server's notices have the licences of what the console's pages are made of", () => {
  const notices = readFileSync(join(root, "apps/server/dist", noticesFile), "utf8")
  const packages: ReadonlyArray<{ readonly name: string }> = JSON.parse(
    readFileSync(join(root, "packages/console/dist/site/notices.json"), "utf8")
  )
  assert.include(
    packages.map(({ name }) => name),
    "preact"
  )
  for (const { name } of packages) assert.include(notices, `\n${name} `)
  assert.include(notices, readFileSync(join(root, "packages/console/node_modules/preact/LICENSE"), "utf8").trim())
})

describe("a package in a bundle", () => {
  const scratch = mkdtempSync(join(tmpdir(), "headgate-notices-"))
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  const install = (name: string, files: Readonly<Record<string, string>>) => {
    const folder = join(scratch, "node_modules", name)
    mkdirSync(join(folder, "dist"), { recursive: true })
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version: "1.2.3", license: "ISC" }))
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
    return join(folder, "dist/index.js")
  }

  it("without a licence file fails the build", () => {
    const module = install("bare", {})
    assert.throws(() => noticesOf([module]), "bare 1.2.3 has no licence file")
  })

  it("is named once, with its licence and its notice", () => {
    const module = install("named", { "LICENSE.md": "You may.", NOTICE: "By us." })
    // Many packages say in dist only that it is ESM.
    writeFileSync(join(dirname(module), "package.json"), JSON.stringify({ type: "module" }))
    const text = render(noticesOf([module, module]))
    assert.match(text, /\nnamed 1\.2\.3 \(ISC\)\n-+\n\nYou may\.\n\nBy us\.\n$/)
    assert.strictEqual(text.split("named 1.2.3").length, 2)
  })
})
