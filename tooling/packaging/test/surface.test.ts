import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, expect, it } from "vitest"
import { surfaceOf } from "../src/surface/surfaceOf.ts"
import { publishedPackages } from "../src/workspace/PublishedPackage.ts"
import { root } from "../src/workspace/root.ts"

const libraries = publishedPackages(root).filter(({ manifest }) => manifest.exports !== undefined)

describe("docs/commands.md", () => {
  it("is what the build makes of the help pages of headgate", async () => {
    const made = readFileSync(join(root, "apps/cli/dist/commands.md"), "utf8")
    await expect(made).toMatchFileSnapshot(join(root, "docs/commands.md"))
  })
})

describe("the public surface equals the committed test/surface.txt, so that a review shows its changes", () => {
  it.each(libraries.map((library) => [library.manifest.name, library] as const))("%s", async (_, library) => {
    await expect(surfaceOf(root, library)).toMatchFileSnapshot(join(root, library.folder, "test/surface.txt"))
  })

  it("shows values, types and entry points", () => {
    const core = libraries.find(({ manifest }) => manifest.name === "@headgate/core")
    assert.isDefined(core)
    const surface = surfaceOf(root, core)
    assert.match(surface, /^@headgate\/core\n {2}\w/)
    assert.match(surface, /\n\n@headgate\/core\/adapter\n {2}\w/)
    assert.include(surface, "\n  type SavedFilterValue\n")
  })
})
