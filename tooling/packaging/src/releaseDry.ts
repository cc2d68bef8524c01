// `npm run release:dry`: what the pending changesets would publish, and the files of each package. Changes nothing.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { previewRelease } from "./release/previewRelease.ts"
import { openTarball } from "./tarball/Tarball.ts"
import { pack } from "./tarball/pack.ts"
import { root } from "./workspace/root.ts"

const { values } = parseArgs({ options: { files: { type: "boolean", default: false } } })
const scratch = mkdtempSync(join(tmpdir(), "headgate-release-"))
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }))

const say = (text = "") => process.stdout.write(`${text}\n`)

const releases = await previewRelease(root)
const width = Math.max(0, ...releases.map(({ name }) => name.length))
for (const { from, name, to } of releases) say(`${name.padEnd(width)}  ${from} -> ${to}`)

for (const { changelog, folder, name, to } of releases) {
  const tarball = openTarball(await pack(root, folder, scratch))
  say(`\n${"=".repeat(80)}\n${name} ${to}\n\n${changelog}\n`)
  say(`${tarball.files.length} files, ${Math.round(tarball.bytes.length / 1024)} KiB packed`)
  if (values.files) for (const file of tarball.files) say(`  ${file}`)
}
say(
  releases.length === 0
    ? "No changeset is pending: nothing would be published."
    : `\n${releases.length} packages would be published. Nothing was changed; --files lists what is in each.`
)
