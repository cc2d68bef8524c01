import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { peerFaults } from "../src/rules/peerFaults.ts"
import { tarballFaults } from "../src/rules/tarballFaults.ts"
import { openTarball } from "../src/tarball/Tarball.ts"
import { pack } from "../src/tarball/pack.ts"
import { publishedPackages } from "../src/workspace/PublishedPackage.ts"
import { root } from "../src/workspace/root.ts"

const scratch = mkdtempSync(join(tmpdir(), "headgate-tarballs-"))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const faultsOf = async (folder: string) => tarballFaults(openTarball(await pack(root, folder, scratch)))

/** Packs a copy of a package that `tamper` changed, and answers what is found wrong with it. */
const faultsAfter = async (tamper: (folder: string) => void, name = "packages/http-contract") => {
  const copy = mkdtempSync(join(scratch, "copy-"))
  for (const entry of ["bin", "dist", "src", "README.md"]) {
    const from = join(root, name, entry)
    if (existsSync(from)) cpSync(from, join(copy, entry), { recursive: true })
  }
  cpSync(join(root, "LICENSE"), join(copy, "LICENSE"))
  const manifest = readFileSync(join(root, name, "package.json"), "utf8")
  // Outside the workspace nothing replaces its protocols.
  writeFileSync(join(copy, "package.json"), manifest.replaceAll(/"(workspace:\^|catalog:)"/g, `"^1.0.0"`))
  tamper(copy)
  return faultsOf(copy)
}

const edit = (file: string, from: string, to: string) => (folder: string) => {
  const path = join(folder, file)
  const text = readFileSync(path, "utf8")
  assert.include(text, from)
  writeFileSync(path, text.replace(from, to))
}

describe("the published packages", () => {
  it.each(publishedPackages(root).map(({ folder }) => folder))("%s is sound when packed", async (folder) => {
    assert.deepStrictEqual(await faultsOf(join(root, folder)), [])
  })

  it("a copy that nothing was done to is sound, too", async () => {
    assert.deepStrictEqual(await faultsAfter(() => undefined), [])
  })
})

describe("the effect of all packages", () => {
  const packages = publishedPackages(root)

  it("is the same", () => {
    assert.isNotEmpty(packages.filter(({ manifest }) => manifest.peerDependencies?.["effect"] !== undefined))
    assert.deepStrictEqual(peerFaults(packages), [])
  })

  it("is reported where it differs", () => {
    const other = { folder: "packages/other", manifest: { name: "other", version: "1.0.0" } }
    const withEffect = (range: string) => ({
      ...other,
      manifest: { ...other.manifest, peerDependencies: { effect: range } }
    })
    const [fault, ...more] = peerFaults([...packages, other, withEffect("^4.1.0")])
    assert.match(fault ?? "", /^other: its peer effect is \^4\.1\.0, that of @headgate\/core /)
    assert.isEmpty(more)
  })
})

describe("a fault that is found", () => {
  it.each<[string, (folder: string) => void, RegExp]>([
    ["no licence", (folder) => rmSync(join(folder, "LICENSE")), /LICENSE is in the tarball/],
    ["no README", (folder) => rmSync(join(folder, "README.md")), /README\.md is in the tarball/],
    ["CommonJS", edit("package.json", `"type": "module"`, `"type": "commonjs"`), /"type" is "module"/],
    ["side effects", edit("package.json", `"sideEffects": false,`, ""), /"sideEffects" is false/],
    [
      "effect of its own",
      edit("package.json", `"dependencies": {`, `"dependencies": { "effect": "^4.1.0",`),
      /one Effect in the user's program/
    ],
    ["a dependency on the workspace", edit("package.json", `"^1.0.0"`, `"file:../core"`), /is a version range/],
    ["an export that leads nowhere", edit("package.json", "./dist/index.js", "./dist/root.js"), /publint: .*root\.js/],
    [
      "types that lead nowhere",
      edit("package.json", "./dist/index.d.ts", "./dist/root.d.ts"),
      /attw: .*FallbackCondition.*"\."/
    ],
    [
      "types after the code",
      edit("package.json", `"types": "./dist/index.d.ts",\n`, ""),
      /names the types of \. first/
    ],
    [
      "types that import a file which is not there",
      edit("dist/index.d.ts", "./Dialect.ts", "./Dialects.ts"),
      /attw: .*InternalResolutionError/
    ],
    ["sources left out", edit("package.json", `    "src",\n`, ""), /its source .* is not in the tarball/],
    [
      "a source map left out",
      (folder) => rmSync(join(folder, "dist/index.js.map")),
      /index\.js\.map is not in the tarball/
    ]
  ])("%s", async (_, tamper, expected) => {
    const faults = await faultsAfter(tamper)
    assert.isTrue(
      faults.some((fault) => expected.test(fault)),
      `expected ${String(expected)} among:\n${faults.join("\n")}`
    )
  })
})

describe("a fault of a bundled library that is found", () => {
  it.each<[string, (folder: string) => void, RegExp]>([
    [
      "no licences of what is bundled",
      (folder) => rmSync(join(folder, "dist/THIRD-PARTY-NOTICES.txt")),
      /the licences of what is bundled are in the tarball/
    ],
    [
      "a declaration of another package",
      edit("dist/index.d.ts", "interface Pipe {", `import type { Redacted } from "effect/Redacted"\ninterface Pipe {`),
      /dist\/index\.d\.ts imports effect\/Redacted, which nobody installs/
    ],
    [
      "code of another package",
      (folder) => {
        const path = join(folder, "dist/index.js")
        writeFileSync(path, `import { pipe } from "effect"\n${readFileSync(path, "utf8")}\npipe()\n`)
      },
      /dist\/index\.js imports effect, which nobody installs/
    ],
    [
      "too large",
      (folder) =>
        writeFileSync(join(folder, "dist/testing/large.js"), `export const large = "${"x".repeat(2_000_000)}"\n`),
      /it has \d+ bytes: at most 2000000/
    ]
  ])("%s", async (_, tamper, expected) => {
    const faults = await faultsAfter(tamper, "packages/client")
    assert.isTrue(
      faults.some((fault) => expected.test(fault)),
      `expected ${String(expected)} among:\n${faults.join("\n")}`
    )
  })
})

describe("a fault of an app that is found", () => {
  it.each<[string, string]>([
    ["bin/headgate.mjs", "help.mjs"],
    ["dist/help.mjs", "help.json"],
    ["bin/headgate.mjs", "complete.mjs"],
    ["dist/complete.mjs", "completions.json"]
  ])("%s loads %s, which is not there", async (loader, loaded) => {
    const remove = (folder: string) => rmSync(join(folder, "dist", loaded))
    assert.include(await faultsAfter(remove, "apps/cli"), `${loader} loads dist/${loaded}, which is not in the tarball`)
  })
})

describe("a fault of a site that is found", () => {
  const assets = (folder: string) => join(folder, "dist/console/assets")
  const asset = (folder: string, type: string) => {
    const found = readdirSync(assets(folder)).find((name) => name.endsWith(type))
    assert.isDefined(found)
    return join(assets(folder), found ?? "")
  }

  it.each<[string, (folder: string) => void, RegExp]>([
    [
      "no site",
      (folder) => rmSync(join(folder, "dist/console"), { recursive: true }),
      /main\.mjs loads dist\/console\//
    ],
    [
      "a script left out",
      (folder) => rmSync(asset(folder, ".js")),
      /loads dist\/console\/assets\/.*\.js, which is not in the tarball/
    ],
    [
      "a style left out",
      (folder) => rmSync(asset(folder, ".css")),
      /dist\/console\/index\.html loads dist\/console\/assets\/.*\.css, which is not in the tarball/
    ],
    [
      "a script of an earlier build",
      (folder) => writeFileSync(join(assets(folder), "index-12345678.js"), ""),
      /nothing loads dist\/console\/assets\/index-12345678\.js/
    ],
    [
      "a file that is not served",
      (folder) => writeFileSync(join(assets(folder), "font-12345678.woff2"), ""),
      /font-12345678\.woff2 is of a type that is not served/
    ]
  ])("%s", async (_, tamper, expected) => {
    const faults = await faultsAfter(tamper, "apps/server")
    assert.isTrue(
      faults.some((fault) => expected.test(fault)),
      `expected ${String(expected)} among:\n${faults.join("\n")}`
    )
  })
})
