import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { explain, fingerprint, pinnedPnpm, Refusal } from "../ensure.mjs"

const root = join(import.meta.dirname, "../../..")

const checkout = () => {
  const folder = mkdtempSync(join(tmpdir(), "headgate-ensure-"))
  mkdirSync(join(folder, "packages/core"), { recursive: true })
  writeFileSync(join(folder, "package.json"), `{"packageManager":"pnpm@1.2.3"}`)
  writeFileSync(join(folder, "pnpm-lock.yaml"), "lockfileVersion: '9.0'\n")
  writeFileSync(join(folder, "packages/core/package.json"), "{}")
  return folder
}

describe("fingerprint", () => {
  it("stays the same while nothing that decides an install changed", () => {
    const folder = checkout()
    const before = fingerprint(folder)
    writeFileSync(join(folder, "packages/core/index.ts"), "export {}")
    assert.strictEqual(fingerprint(folder), before)
  })

  it.each(["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json", "packages/core/package.json"])(
    "changes with %s",
    (path) => {
      const folder = checkout()
      const before = fingerprint(folder)
      writeFileSync(join(folder, path), "changed")
      assert.notStrictEqual(fingerprint(folder), before)
    }
  )
})

describe("pinnedPnpm", () => {
  it("reads the pin from packageManager", () => {
    assert.strictEqual(pinnedPnpm(checkout()), "1.2.3")
  })

  it("refuses a package.json without one", () => {
    const folder = checkout()
    writeFileSync(join(folder, "package.json"), "{}")
    assert.throws(() => pinnedPnpm(folder), Refusal)
  })

  it("is the version in the catalog, which turbo calls", () => {
    const catalog = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")
    assert.include(catalog, `\n  pnpm: ${pinnedPnpm(root)}\n`)
  })
})

describe("explain", () => {
  it.each([
    ["ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with frozen-lockfile", "out of step"],
    ["npm error code ENOTFOUND", "could not be reached"],
    ["npm error code ENOSPC", "disk is full"],
    ["something nobody has seen", "exit code 7"]
  ])("%s", (output, reason) => {
    const line = explain(output, "1.2.3", 7)
    assert.include(line, reason)
    assert.notInclude(line, "\n")
  })
})
