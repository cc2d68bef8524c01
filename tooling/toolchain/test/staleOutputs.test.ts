import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { removeStaleOutputs } from "../staleOutputs.mjs"

const root = mkdtempSync(join(tmpdir(), "headgate-stale-"))
afterAll(() => rmSync(root, { recursive: true }))

const write = (path: string, content: string) => {
  mkdirSync(join(root, path, ".."), { recursive: true })
  writeFileSync(join(root, path), content)
  return join(root, path)
}
const compiled = (name: string) =>
  [".js", ".d.ts"].flatMap((extension) => [
    write(`packages/core/dist/pipe/${name}${extension}`, ""),
    write(`packages/core/dist/pipe/${name}${extension}.map`, JSON.stringify({ sources: [`../../src/pipe/${name}.ts`] }))
  ])

describe("the outputs of a source that is gone", () => {
  it("are removed, and nothing else", () => {
    write("packages/core/src/pipe/Pipe.ts", "")
    const kept = [
      ...compiled("Pipe"),
      write("packages/core/dist/data.json", "{}"),
      write("apps/cli/dist/main.mjs", ""),
      write("apps/cli/dist/main.mjs.map", JSON.stringify({ sources: ["../src/gone.ts", "../src/main.ts"] }))
    ]
    const stale = compiled("Old")
    assert.sameMembers(removeStaleOutputs(root), stale)
    assert.deepStrictEqual(
      kept.filter((path) => !existsSync(path)),
      []
    )
    assert.deepStrictEqual(stale.filter(existsSync), [])
    assert.deepStrictEqual(removeStaleOutputs(root), [])
  })
})
