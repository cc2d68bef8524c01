import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { removeStaleAssets, site } from "../site.mjs"

const root = mkdtempSync(join(tmpdir(), "headgate-site-"))
afterAll(() => rmSync(root, { recursive: true }))

const write = (path: string, content: string) => {
  mkdirSync(join(root, path, ".."), { recursive: true })
  writeFileSync(join(root, path), content)
  return join(root, path)
}

const filesIn = (folder: string) => readdirSync(folder, { recursive: true }).map(String).toSorted()

describe("a site", () => {
  it("takes the place of the one of an earlier build, without what stands beside its page", () => {
    const from = "built/pages"
    for (const file of ["index.html", "assets/index-2.js", "notices.json"]) write(`${from}/${file}`, "")
    write("copied/pages/assets/index-1.js", "")
    write("copied/pages/other/file.txt", "")
    const to = join(root, "copied/pages")
    site(join(root, from), to).writeBundle()
    assert.deepStrictEqual(filesIn(to), ["assets", "assets/index-2.js", "index.html"])
  })
})

describe("the assets of an earlier build", () => {
  it("are removed, and nothing that the page leads to", () => {
    const dist = "apps/server/dist"
    const kept = [
      write(`${dist}/console/index.html`, `<script src="/console/assets/index-new.js"></script>`),
      write(`${dist}/console/assets/index-new.js`, `import("./page-new.js")`),
      write(`${dist}/console/assets/page-new.js`, `"page-new.js" + "picture.svg"`),
      write(`${dist}/console/assets/picture.svg`, ""),
      write(`${dist}/main.mjs`, ""),
      // Without a page it is no site.
      write(`${dist}/other/assets/index-old.js`, "")
    ]
    const stale = [
      write(`${dist}/console/assets/index-old.js`, `import("./page-old.js")`),
      write(`${dist}/console/assets/page-old.js`, "")
    ]
    assert.sameMembers(removeStaleAssets(root), stale)
    assert.deepStrictEqual(
      kept.filter((path) => !existsSync(path)),
      []
    )
    assert.deepStrictEqual(stale.filter(existsSync), [])
    assert.deepStrictEqual(removeStaleAssets(root), [])
  })
})
