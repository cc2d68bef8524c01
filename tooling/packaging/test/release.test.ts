import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { adoptVersion } from "../src/release/adoptVersion.ts"
import { changesetFaults, fixedGroupFaults } from "../src/release/changesetFaults.ts"
import { previewRelease } from "../src/release/previewRelease.ts"
import { repositoryFaults } from "../src/release/repositoryFaults.ts"
import { publishedPackages } from "../src/workspace/PublishedPackage.ts"
import { root } from "../src/workspace/root.ts"

const scratch = mkdtempSync(join(tmpdir(), "headgate-release-"))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const published = publishedPackages(root)
const libraries = published.filter(({ folder }) => folder.startsWith("packages/")).map(({ manifest }) => manifest.name)

const writeChangeset = (folder: string, id: string, releases: Readonly<Record<string, string>>, summary: string) => {
  const lines = Object.entries(releases).map(([name, type]) => `"${name}": ${type}`)
  writeFileSync(join(folder, ".changeset", `${id}.md`), `---\n${lines.join("\n")}\n---\n\n${summary}\n`)
}

/** Leaves one changeset pending, and sets every package to 1.2.3. */
const onlyPending = (releases: Readonly<Record<string, string>>, summary: string) => (copy: string) => {
  for (const file of globSync(".changeset/*.md", { cwd: copy })) rmSync(join(copy, file))
  for (const { folder } of published) {
    const manifest = join(copy, folder, "package.json")
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/"version": "[^"]+"/, `"version": "1.2.3"`))
  }
  writeChangeset(copy, "sole", releases, summary)
}

/** A copy of what the checks of changesets read. */
const workspaceCopy = () => {
  const copy = mkdtempSync(join(scratch, "workspace-"))
  const files = [".changeset/*", "{packages,apps}/*/package.json", "apps/*/dist/main.mjs.map"]
  for (const file of globSync(files, { cwd: root })) cpSync(join(root, file), join(copy, file))
  return copy
}

describe("a release", () => {
  it("moves the packages together, an app only when it is named, and tells each what its changesets say", async () => {
    const summary = "Pipes can be drained."
    const releases = await previewRelease(root, onlyPending({ "@headgate/core": "patch", headgate: "minor" }, summary))
    const versions = Object.fromEntries(releases.map(({ from, name, to }) => [name, `${from} -> ${to}`]))
    assert.deepStrictEqual(versions, {
      headgate: "1.2.3 -> 1.3.0",
      ...Object.fromEntries(libraries.map((name) => [name, "1.2.3 -> 1.2.4"]))
    })
    for (const { changelog, name, to } of releases) {
      assert.isTrue(changelog.startsWith(`## ${to}`), changelog)
      assert.strictEqual(changelog.includes(summary), name === "@headgate/core" || name === "headgate")
    }
  })

  it("of what is pending now has one version for all packages, above the one they have", async () => {
    const releases = await previewRelease(root)
    const moved = releases.filter(({ folder }) => folder.startsWith("packages/"))
    if (moved.length === 0) return
    assert.sameMembers(
      moved.map(({ name }) => name),
      libraries
    )
    assert.strictEqual(new Set(moved.map(({ to }) => to)).size, 1)
  })

  it("is only previewed: nothing in the workspace changes", async () => {
    const state = () =>
      globSync([".changeset/*", "{packages,apps}/*/{package.json,CHANGELOG.md}"], { cwd: root })
        .toSorted()
        .map((file) => [file, readFileSync(join(root, file), "utf8")])
    const before = state()
    await previewRelease(root)
    assert.deepStrictEqual(state(), before)
  })

  it("without a changeset is none", async () => {
    const removeAll = (copy: string) => {
      for (const file of globSync(".changeset/*.md", { cwd: copy })) rmSync(join(copy, file))
    }
    assert.deepStrictEqual(await previewRelease(root, removeAll), [])
  })

  it("writes http-adapter's version where the User-Agent takes it from", () => {
    const copy = mkdtempSync(join(scratch, "version-"))
    const files = ["package.json", "src/layers/UserAgent.ts"].map((file) => join("packages/http-adapter", file))
    for (const file of files) cpSync(join(root, file), join(copy, file))
    const [manifest = "", source = ""] = files.map((file) => join(copy, file))
    writeFileSync(manifest, JSON.stringify({ version: "4.5.6-beta.1" }))
    adoptVersion(copy)
    assert.include(readFileSync(source, "utf8"), `\nexport const version = "4.5.6-beta.1"\n`)
    writeFileSync(source, "export const release = 1\n")
    assert.throws(() => adoptVersion(copy), "UserAgent.ts has no line of the form")
  })
})

describe("changesets", () => {
  it("that are pending leave no app behind, and no package out of the fixed group", async () => {
    assert.deepStrictEqual(await changesetFaults(root), [])
    assert.deepStrictEqual(fixedGroupFaults(root), [])
  })

  it("that change a package are found out when an app bundles it and is not named", async () => {
    const copy = workspaceCopy()
    onlyPending({ "@headgate/sql-adapter": "minor" }, "Faster.")(copy)
    assert.deepStrictEqual(await changesetFaults(copy), [
      ".changeset/sole.md changes @headgate/sql-adapter, which headgate-server bundles: name headgate-server in it, too"
    ])
    writeChangeset(copy, "other", { "headgate-server": "patch" }, "Faster.")
    assert.deepStrictEqual(await changesetFaults(copy), [])
  })

  it("that change what no app bundles may name it alone", async () => {
    const copy = workspaceCopy()
    onlyPending({ "@headgate/conformance": "minor" }, "A law more.")(copy)
    assert.deepStrictEqual(await changesetFaults(copy), [])
  })

  it("that would let a new package move by itself are found out", () => {
    const copy = workspaceCopy()
    mkdirSync(join(copy, "packages/newcomer"))
    writeFileSync(join(copy, "packages/newcomer/package.json"), JSON.stringify({ name: "@headgate/newcomer" }))
    assert.deepStrictEqual(fixedGroupFaults(copy), [".changeset/config.json: the fixed group lacks @headgate/newcomer"])
  })
})

describe("a release with provenance", () => {
  const address = "https://example.com/acme/headgate"
  const named = published.map(({ folder, manifest }) => ({
    folder,
    manifest: { ...manifest, repository: { type: "git", url: `git+${address}.git`, directory: folder } }
  }))

  it("is refused while a package names no repository", () => {
    const unnamed = published.map(({ folder, manifest: { name, version } }) => ({
      folder,
      manifest: { name, version }
    }))
    assert.lengthOf(repositoryFaults(unnamed, undefined), published.length)
  })

  it("is refused from another repository than the one that is named, and for the wrong folder", () => {
    const [first] = named
    assert.isDefined(first)
    assert.deepStrictEqual(repositoryFaults([first], "https://example.com/fork/headgate"), [
      `${first.manifest.name}: repository is ${address}, not https://example.com/fork/headgate`
    ])
    assert.deepStrictEqual(repositoryFaults([{ ...first, folder: "apps/other" }], address), [
      `${first.manifest.name}: repository.directory is not apps/other`
    ])
  })

  it("goes on when each names the repository and its folder", () => {
    assert.deepStrictEqual(repositoryFaults(named, address), [])
  })
})
