import { readChangesets } from "@changesets/read"
import { execFile, execFileSync } from "node:child_process"
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { type PublishedPackage, publishedPackages } from "../workspace/PublishedPackage.ts"
import { adoptVersion } from "./adoptVersion.ts"

const run = promisify(execFile)

/** What a release does to one package. */
export interface Release {
  readonly name: string
  readonly folder: string
  readonly from: string
  readonly to: string
  /** What is added to its CHANGELOG.md. */
  readonly changelog: string
}

/** All that `npm run version-packages` reads and writes. */
const versioned = [
  ".changeset/*",
  "package.json",
  "pnpm-workspace.yaml",
  "{packages,apps,tooling}/*/{package.json,CHANGELOG.md}",
  "packages/http-adapter/src/layers/UserAgent.ts"
]

/** The repository that changesets looks commits up in. A shallow one it would fetch more of, so it is not shown. */
const repository = (root: string): NodeJS.ProcessEnv => {
  try {
    const ask = (question: string) =>
      execFileSync("git", ["rev-parse", question], { cwd: root, encoding: "utf8", stdio: "pipe" }).trim()
    return ask("--is-shallow-repository") === "true"
      ? {}
      : { GIT_DIR: ask("--absolute-git-dir"), GIT_OPTIONAL_LOCKS: "0" }
  } catch {
    return {}
  }
}

const changelogOf = (root: string, { folder }: PublishedPackage) => {
  const file = join(root, folder, "CHANGELOG.md")
  return existsSync(file) ? readFileSync(file, "utf8") : ""
}

/** The entry at the top: what is there now and was not before. */
const added = (before: string, after: string) => {
  const entries = after.slice(after.indexOf("\n## ") + 1)
  const known = before.slice(before.indexOf("\n## ") + 1)
  return (known !== "" && entries.endsWith(known) ? entries.slice(0, -known.length) : entries).trim()
}

/**
 * What changesets would release, done by changesets itself on a copy of what it reads and writes: the workspace at `root`
 * stays as it is. `prepare` may change the copy first.
 */
export const previewRelease = async (
  root: string,
  prepare: (copy: string) => void = () => undefined
): Promise<ReadonlyArray<Release>> => {
  const copy = mkdtempSync(join(tmpdir(), "headgate-release-"))
  try {
    for (const file of globSync(versioned, { cwd: root })) cpSync(join(root, file), join(copy, file))
    prepare(copy)
    if ((await readChangesets(copy)).length === 0) return []
    const before = publishedPackages(copy).map((known) => ({ ...known, changelog: changelogOf(copy, known) }))
    const changeset = join(root, "node_modules/@changesets/cli/bin.js")
    await run(process.execPath, [changeset, "version"], { cwd: copy, env: { ...process.env, ...repository(root) } })
    adoptVersion(copy)
    return publishedPackages(copy).flatMap((now) => {
      const old = before.find(({ folder }) => folder === now.folder)
      if (old === undefined || old.manifest.version === now.manifest.version) return []
      return [
        {
          name: now.manifest.name,
          folder: now.folder,
          from: old.manifest.version,
          to: now.manifest.version,
          changelog: added(old.changelog, changelogOf(copy, now))
        }
      ]
    })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
