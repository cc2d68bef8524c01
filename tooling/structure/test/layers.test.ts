import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { layers, layerViolations } from "../src/layers.ts"
import { workspaceSources } from "../src/workspace.ts"

const sources = workspaceSources(join(import.meta.dirname, "../../.."))

describe("this workspace", () => {
  it("imports lower layers only", () => {
    assert.deepStrictEqual(layerViolations(sources), [])
  })

  it("has a layer table for every package and app", () => {
    const packages = new Set(sources.map(({ path }) => path.split("/", 2).join("/")))
    assert.sameMembers(Object.keys(layers), Array.from(packages))
  })
})

const violation = (path: string, text: string, of = "apps/server") =>
  layerViolations([{ path: `${of}/src/${path}`, text: `// first line\n${text}\n` }])

describe("the layer check reports", () => {
  it.each<[string, string, string, string]>([
    [
      "an import of a higher layer",
      "http/Listener.ts",
      `import "../access/Guard.ts"`,
      "layer 1 may not import layer 2"
    ],
    ["a type import", "store/open.ts", `import type { A } from "../admin/A.ts"`, "layer 3 may not import layer 4"],
    ["a dynamic import", "store/open.ts", `export const a = import("../admin/A.ts")`, "layer 3 may not import layer 4"],
    ["another folder of its layer", "store/a.ts", `import "../gateway/b.ts"`, "layer 3 may not import layer 3"],
    ["an import of main.ts", "commands/a.ts", `import "../main.ts"`, "layer 8 may not import layer 9"]
  ])("%s", (_, path, text, rule) => {
    const [fault = "", ...more] = violation(path, text)
    assert.include(fault, `apps/server/src/${path}:2 `)
    assert.include(fault, rule)
    assert.deepStrictEqual(more, [])
  })

  it.each<[string, string, string, string]>([
    ["a page importing another", "pages/keys/Keys.tsx", `import "../pipe/Pipe.tsx"`, "layer 4 may not import layer 4"],
    ["a page importing all", "pages/keys/Keys.tsx", `import "../pages.ts"`, "layer 4 may not import layer 5"],
    ["a part importing a page", "parts/Table.tsx", `import "../pages/keys/Keys.tsx"`, "layer 3 may not import layer 4"],
    ["data importing a part", "data/poll.ts", `import "../parts/Table.tsx"`, "layer 2 may not import layer 3"]
  ])("%s", (_, path, text, rule) => {
    const [fault = "", ...more] = violation(path, text, "packages/console")
    assert.include(fault, rule)
    assert.deepStrictEqual(more, [])
  })

  it("a file without a layer", () => {
    assert.match(violation("newcomer/a.ts", "")[0] ?? "", /^apps\/server\/src\/newcomer\/a\.ts: say in/)
  })
})

describe("the layer check lets pass", () => {
  it.each<[string, string]>([
    ["apps/server/src/commands/a.ts", `import "../store/b.ts"`],
    ["apps/server/src/http/a.ts", `import "./b.ts"\nimport "../flags.ts"`],
    ["apps/server/src/main.ts", `import "./Composition.ts"`],
    ["packages/console/src/pages/keys/Keys.tsx", `import "./keyModel.ts"\nimport "../../parts/Table.tsx"`],
    ["packages/console/src/pages/pages.ts", `export const load = () => import("./keys/Keys.tsx")`],
    ["packages/console/src/pages/shell/Shell.tsx", `import "../pages.ts"`],
    ["packages/core/src/error/NotFound.ts", `import "../id/key.ts"`]
  ])("%s", (path, text) => {
    assert.deepStrictEqual(layerViolations([{ path, text }]), [])
  })
})
