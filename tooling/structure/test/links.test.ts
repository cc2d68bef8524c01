import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { brokenLinks } from "../src/links.ts"
import { workspacePages } from "../src/workspace.ts"

const root = join(import.meta.dirname, "../../..")

describe("this repository", () => {
  const pages = workspacePages(root)

  it("has pages", () => {
    assert.includeMembers(
      pages.map(({ path }) => path),
      ["README.md", "packages/core/README.md"]
    )
  })

  it("links only to what is there", () => {
    assert.deepStrictEqual(
      brokenLinks(pages, (path) => existsSync(join(root, path))),
      []
    )
  })
})

it("the list of decisions names every record", () => {
  const pages = workspacePages(root).map(({ path }) => path)
  const list = readFileSync(join(root, "docs/adr/README.md"), "utf8")
  const records = pages.filter((path) => /^docs\/adr\/\d/.test(path)).map((path) => path.replace("docs/adr/", ""))
  assert.deepStrictEqual(
    records.filter((record) => !list.includes(`](${record})`)),
    []
  )
})

const files = ["README.md", "docs/guide.md", "docs/a b.md", "src/main.ts"]

const faults = (text: string) =>
  brokenLinks(
    [
      {
        path: "docs/guide.md",
        text: `# The guide\n\n## What it \`does\`, and how\n\n## Twice\n\n## Twice\n\n${text}\n`
      },
      { path: "README.md", text: "# Read me\n" }
    ],
    (path) => files.includes(path)
  )

describe("the test itself reports", () => {
  it.each<[string, string, string]>([
    ["a file that is not there", "[x](missing.md)", `docs/guide.md:9 "missing.md": no such file`],
    ["a file that is elsewhere", "[x](README.md)", `docs/guide.md:9 "README.md": no such file`],
    ["a heading that is not there", "[x](#how)", `docs/guide.md:9 "#how": no such heading`],
    [
      "another page's heading",
      "[x](../README.md#the-guide)",
      `docs/guide.md:9 "../README.md#the-guide": no such heading`
    ],
    [
      "a heading of a source file",
      "[x](../src/main.ts#main)",
      `docs/guide.md:9 "../src/main.ts#main": no such heading`
    ],
    ["an image", "![x](missing.png)", `docs/guide.md:9 "missing.png": no such file`],
    ["a reference", "[x]\n\n[x]: missing.md", `docs/guide.md:11 "missing.md": no such file`],
    ["a link in a table", "| a |\n|---|\n| [x](missing.md) |", `docs/guide.md:11 "missing.md": no such file`]
  ])("%s", (_, text, fault) => {
    assert.deepStrictEqual(faults(text), [fault])
  })
})

describe("the test itself lets pass", () => {
  it.each<[string, string]>([
    ["a file", "[x](../src/main.ts)"],
    ["a file with a space", "[x](a%20b.md)"],
    ["a heading of this page", "[x](#what-it-does-and-how)"],
    ["the second of two equal headings", "[x](#twice-1)"],
    ["another page's heading", "[x](../README.md#read-me)"],
    ["an address", "[x](https://example.com/missing.md) and [y](mailto:a@example.com)"],
    ["what only looks like a link", "`[x](missing.md)`\n\n```md\n[x](missing.md)\n```"]
  ])("%s", (_, text) => {
    assert.deepStrictEqual(faults(text), [])
  })
})
