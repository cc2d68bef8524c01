import { join } from "node:path"
import { assert, describe, expect, it } from "vitest"
import { surfaceOf } from "../src/surface/surfaceOf.ts"
import { publishedPackages } from "../src/workspace/PublishedPackage.ts"
import { root } from "../src/workspace/root.ts"

const libraries = publishedPackages(root).filter(({ manifest }) => manifest.exports !== undefined)

describe("the public surface is what is committed in test/surface.txt, so that a change of it is seen in review", () => {
  it.each(libraries.map((library) => [library.manifest.name, library] as const))("%s", async (_, library) => {
    await expect(surfaceOf(root, library)).toMatchFileSnapshot(join(root, library.folder, "test/surface.txt"))
  })

  it("tells values and types apart, and each entry point", () => {
    const core = libraries.find(({ manifest }) => manifest.name === "@headgate/core")
    assert.isDefined(core)
    const surface = surfaceOf(root, core)
    assert.include(surface, "\n\n@headgate/core/pipe\n  compressions\n")
    assert.include(surface, "\n  type PipeSourceKind\n")
  })
})
