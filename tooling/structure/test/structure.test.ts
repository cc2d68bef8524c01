import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { missingFolders, render, violations } from "../src/violations.ts"
import { workspaceSources } from "../src/workspace.ts"

const sources = workspaceSources(join(import.meta.dirname, "../../.."))

const faults = (path: string, text: string) => violations([{ path, text }]).map(render)

describe("this workspace", () => {
  it("imports only the right way", () => {
    assert.deepStrictEqual(violations(sources).map(render), [])
  })

  it("holds the same folders in every package", () => {
    assert.deepStrictEqual(missingFolders(sources.map(({ path }) => path)), [])
  })
})

describe("the test itself reports", () => {
  it.each<[string, string, string, string]>([
    ["core importing Node", "core", `import { readFileSync } from "node:fs"`, "no Node built-ins"],
    ["core importing another package", "core", `import { Dialect } from "@headgate/http-contract"`, "nothing"],
    ["core importing a library", "core", `import { z } from "zod"`, "only: effect"],
    ["one adapter importing another", "http-adapter", `import "@headgate/memory-adapter"`, "adapters never import"],
    [
      "an adapter importing the contract it does not speak",
      "sql-adapter",
      `import "@headgate/http-contract"`,
      "only: "
    ],
    ["a package importing an app", "memory-adapter", `import "headgate-server"`, "packages never import apps"],
    ["a package importing itself by name", "core", `import "@headgate/core/pipe"`, "by relative path"],
    ["a library that one folder alone may import", "http-adapter", `import { Agent } from "undici"`, "only: effect"],
    ["a package that one folder alone may import", "sql-adapter", `import "@headgate/mover"`, "only: @headgate/core"],
    ["a reach into src", "http-adapter", `import "@headgate/core/src/pipe/Pipe.ts"`, "reaches into"],
    ["a reach into internal", "http-adapter", `import "@headgate/core/internal/ids"`, "reaches into"],
    ["a relative way out", "http-adapter", `import "../../core/src/pipe/Pipe.ts"`, "a relative import stays inside"],
    ["the effect barrel", "core", `import { Effect } from "effect"`, "by sub-path"],
    ["export *", "core", `export * from "./Pipe.ts"`, "no export *"],
    ["export * as", "core", `export * as Pipe from "./Pipe.ts"`, "no export *"],
    [
      "export * of what entry points share, by another file",
      "client",
      `export * from "./everywhere.ts"`,
      "no export *"
    ],
    ["a type import", "core", `import type { Stats } from "node:fs"`, "no Node built-ins"],
    ["an import type", "core", `export type Stats = import("node:fs").Stats`, "no Node built-ins"],
    ["export from", "core", `export { join } from "node:path"`, "no Node built-ins"],
    ["a dynamic import", "core", `export const fs = () => import("node:fs")`, "no Node built-ins"],
    ["a computed import", "core", `export const load = (name: string) => import(name)`, "takes a literal"],
    ["Layer.launch in a package", "sql-adapter", `Layer.launch(layer)`, "a program starts only"],
    ["launch by name", "core", `import { launch as go } from "effect/Layer"`, "a program starts only"],
    ["a value of a package of types", "console", `import { createClient } from "@headgate/client"`, "types alone"],
    ["its types by name", "console", `import { type Pipe } from "@headgate/client"`, "import type"],
    ["its dynamic import", "console", `export const client = () => import("@headgate/client")`, "types alone"],
    ["its export", "console", `export { createClient } from "@headgate/client"`, "types alone"],
    ["types of another package", "console", `import type { Pipe } from "@headgate/core"`, "only: @headgate/client"],
    ["a package without a rule", "newcomer", `import "effect/Effect"`, "say in tooling/structure/src/rules.ts"]
  ])("%s", (_, name, text, rule) => {
    const [fault = "", ...more] = faults(`packages/${name}/src/file.ts`, `// first line\n${text}\n`)
    assert.include(fault, `packages/${name}/src/file.ts:2 `)
    assert.include(fault, rule)
    assert.deepStrictEqual(more, [])
  })

  it.each<[string, string, string, string]>([
    [
      "an app importing the console's code",
      "server/src/a.ts",
      `import "@headgate/console"`,
      "may import of this workspace"
    ],
    ["an app importing another", "cli/src/run.ts", `import "headgate-server"`, "apps never import one another"],
    ["runMain away from main.ts", "cli/src/run.ts", `NodeRuntime.runMain(program)`, "a program starts only"]
  ])("%s", (_, path, text, rule) => {
    const [fault = "", ...more] = faults(`apps/${path}`, text)
    assert.include(fault, rule)
    assert.deepStrictEqual(more, [])
  })

  it.each(["packages/client/src/index.ts", "packages/client/src/entry/keys.ts"])(
    "export * by %s of another file",
    (path) => {
      const [fault = "", ...more] = faults(path, `export * from "./Hooks.ts"`)
      assert.include(fault, "no export *")
      assert.deepStrictEqual(more, [])
    }
  )

  it("a folder that is missing", () => {
    const paths = ["index.ts", "pipe/index.ts", "key/index.ts"].map((path) => `packages/memory-adapter/src/${path}`)
    assert.deepStrictEqual(missingFolders(paths), ["packages/memory-adapter/src/dashboard"])
  })
})

describe("the test itself lets pass", () => {
  it.each<[string, string]>([
    ["packages/core/src/pipe/Pipe.ts", `import * as Schema from "effect/Schema"\nimport { Id } from "../schema/Id.ts"`],
    ["packages/http-adapter/src/pipe/HttpPipes.ts", `import { Pipes } from "@headgate/core/pipe"`],
    ["packages/http-adapter/src/undici/exchange.ts", `import { Agent } from "undici"`],
    ["packages/http-adapter/src/undici/exchange.ts", `import { gunzip } from "node:zlib"`],
    ["packages/sql-adapter/src/mover/SqlLedger.ts", `import { Ledger } from "@headgate/mover"`],
    ["packages/sql-adapter/src/layer.ts", `import { DatabaseSync } from "node:sqlite"`],
    ["packages/client/src/index.ts", `export * from "./everywhere.ts"`],
    ["packages/client/src/entry/keys.ts", `export * from "../everywhere.ts"`],
    ["packages/conformance/src/pipe/laws.ts", `import { it } from "@effect/vitest"`],
    ["packages/console/src/data/calls.ts", `import type { Pipe } from "@headgate/client"\nimport "preact/hooks"`],
    [
      "packages/console/src/parts/Chart.tsx",
      `export const pipe = (p: import("@headgate/client").Pipe) => <b>{p.name}</b>`
    ],
    ["packages/console/src/data/types.ts", `export type { Pipe } from "@headgate/client"`],
    ["apps/server/src/main.ts", `import { Layer } from "effect"\nLayer.launch(layer).pipe(NodeRuntime.runMain)`],
    ["apps/cli/src/main.ts", `import * as Adapter from "@headgate/http-adapter"\nimport { env } from "node:process"`]
  ])("%s", (path, text) => {
    assert.deepStrictEqual(faults(path, text), [])
  })
})
