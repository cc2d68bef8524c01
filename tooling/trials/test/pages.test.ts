import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fromMarkdown } from "mdast-util-from-markdown"
import { assert, describe, it } from "vitest"
import { firstPages } from "../src/guide/firstPages.ts"

const root = join(import.meta.dirname, "../../..")
const read = (page: string) => readFileSync(join(root, page), "utf8")

/** What cannot be done before something is on npm, but for a checkout. */
const needsNpm = /npm install [^\n]*(?:@headgate\/|headgate-packages)|npx headgate/u

/** Whether a page has such a command, and does not say before its first one that nothing is on npm. */
const isSilent = (markdown: string): boolean => {
  const first = fromMarkdown(markdown).children.find(
    (node) => node.type === "code" && node.lang !== "text" && needsNpm.test(node.value)
  )
  return first !== undefined && !/on npm yet/u.test(markdown.slice(0, first.position?.start.offset))
}

describe("the pages for a newcomer", () => {
  it.each(firstPages.map(({ path }) => path))("%s has at most 900 words, code included", (page) => {
    assert.isAtMost(read(page).split(/\s+/u).filter(Boolean).length, 900)
  })
})

describe("what is on npm", () => {
  it("is said before the first command that needs it", () => {
    const pages = globSync(["README.md", "docs/*.md", "{apps,packages}/*/README.md"], { cwd: root })
    assert.isAbove(pages.length, 20)
    assert.deepStrictEqual(
      pages.filter((page) => isSilent(read(page))),
      []
    )
  })

  it("may not be said behind it", () => {
    assert.isTrue(isSilent("# A\n\n```sh\nnpx headgate pipe list\n```\n\nNothing is on npm yet.\n"))
    assert.isFalse(isSilent("# A\n\nNothing is on npm yet.\n\n```sh\nnpx headgate pipe list\n```\n"))
  })
})

it("the table of guarantees names tests that are there", () => {
  const named = Array.from(
    read("docs/guarantees.md").matchAll(/`((?:apps|packages)\/[^`]+)`/gu),
    ([, path]) => path ?? ""
  )
  assert.isAbove(named.length, 20)
  assert.deepStrictEqual(
    named.filter((path) => !existsSync(join(root, path))),
    []
  )
})
