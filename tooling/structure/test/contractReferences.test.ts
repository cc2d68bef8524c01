import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { brokenReferences } from "../src/contractReferences.ts"
import { workspaceFiles, workspacePages } from "../src/workspace.ts"

const root = join(import.meta.dirname, "../../..")

it("the comments of this repository refer only to headings that are there", () => {
  assert.deepStrictEqual(brokenReferences(workspaceFiles(root), workspacePages(root)), [])
})

const faults = (text: string) =>
  brokenReferences(
    [{ path: "a.ts", text: `const a = 1\n${text}\n` }],
    [{ path: "docs/wire-contract.md", text: "# The wire contract\n\n## Read a pipe\n" }]
  )

describe("the test itself reports", () => {
  it.each<[string, string, string]>([
    [
      "a heading that is not there",
      "/** A pipe. Contract: docs/wire-contract.md#pipes. */",
      `a.ts:2 "docs/wire-contract.md#pipes": no such heading`
    ],
    ["a page that is not there", "// See docs/contract.md.", `a.ts:2 "docs/contract.md": no such page`],
    [
      "a section of the contract",
      "/** A pipe. Contract: section 2.2. */",
      `a.ts:2 "Contract: section 2": name a heading of docs/wire-contract.md`
    ],
    [
      "a section on the next line",
      "/**\n * A pipe. Contract of the life\n * cycle: sections 4 and 5.\n */",
      `a.ts:2 "Contract of the life cycle: sections 4": name a heading of docs/wire-contract.md`
    ],
    [
      "a section in a line comment",
      "  // The contract (section\n  // 5) shows none.",
      `a.ts:2 "contract (section 5": name a heading of docs/wire-contract.md`
    ]
  ])("%s", (_, text, fault) => {
    assert.deepStrictEqual(faults(text), [fault])
  })
})

describe("the test itself lets pass", () => {
  it.each<[string, string]>([
    ["a heading", "/** A pipe. Contract:\n * docs/wire-contract.md#read-a-pipe. */"],
    ["a page", "// docs/wire-contract.md has it."],
    [
      "a section of something else",
      "/** Contract: docs/wire-contract.md#read-a-pipe. As in RFC 9110, section 8.8.3. */"
    ],
    ["a text", `const title = "contract, section 2"`]
  ])("%s", (_, text) => {
    assert.deepStrictEqual(faults(text), [])
  })
})
