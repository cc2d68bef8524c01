// `npm run check`, Packages: packs every published package and holds the tarball to what its users rely on.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { peerFaults } from "./rules/peerFaults.ts"
import { tarballFaults } from "./rules/tarballFaults.ts"
import { openTarball } from "./tarball/Tarball.ts"
import { pack } from "./tarball/pack.ts"
import { publishedPackages } from "./workspace/PublishedPackage.ts"
import { root } from "./workspace/root.ts"

const destination = mkdtempSync(join(tmpdir(), "headgate-tarballs-"))
process.once("exit", () => rmSync(destination, { recursive: true, force: true }))

const check = async (folder: string) => {
  const tarball = openTarball(await pack(root, folder, destination))
  return { tarball, faults: await tarballFaults(tarball) }
}

const packages = publishedPackages(root)
for (const { folder, manifest } of packages) {
  const { faults, tarball } = await check(folder)
  const size = `${tarball.files.length} files, ${Math.round(tarball.bytes.length / 1024)} KiB`
  process.stdout.write(`${faults.length === 0 ? "ok " : "RED"} ${manifest.name}: ${size}\n`)
  for (const fault of faults) process.stdout.write(`      ${fault}\n`)
  if (faults.length > 0) process.exitCode = 1
}

const peers = peerFaults(packages)
for (const fault of peers) process.stdout.write(`RED ${fault}\n`)
if (peers.length > 0) process.exitCode = 1
