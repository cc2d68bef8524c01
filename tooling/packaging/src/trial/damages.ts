import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { openTarball } from "../tarball/Tarball.ts"
import { pack } from "../tarball/pack.ts"

const edit = (path: string, from: string, to: string) => {
  const text = readFileSync(path, "utf8")
  if (!text.includes(from)) throw new Error(`${path} holds no ${from}`)
  writeFileSync(path, text.replace(from, to))
}

/** Ways to damage a package between packing and installing, to show that the trial fails: the package and the damage. */
export const damages: Readonly<Record<string, { readonly to: string; readonly damage: (folder: string) => void }>> = {
  exports: {
    to: "@headgate/core",
    damage: (folder) => edit(join(folder, "package.json"), "./dist/index.js", "./dist/root.js")
  },
  types: {
    to: "@headgate/core",
    damage: (folder) => rmSync(join(folder, "dist/pipe/Pipe.d.ts"))
  },
  code: {
    to: "@headgate/memory-adapter",
    damage: (folder) => rmSync(join(folder, "dist/MemoryStore.js"))
  },
  client: {
    to: "@headgate/client",
    damage: (folder) => rmSync(join(folder, "dist/part/shared.js"))
  },
  nodeModule: {
    to: "@headgate/client",
    damage: (folder) => {
      const path = join(folder, "dist/part/shared.js")
      writeFileSync(path, `import { readFileSync } from "node:fs"\n${readFileSync(path, "utf8")}`)
      edit(path, "export {", "globalThis.readFileSync = readFileSync\nexport {")
    }
  },
  console: {
    to: "headgate-server",
    damage: (folder) => rmSync(join(folder, "dist/console/assets"), { recursive: true })
  },
  bundle: {
    to: "headgate-server",
    damage: (folder) => rmSync(join(folder, "dist/main.mjs"))
  }
}

/** Unpacks a tarball under `scratch`, damages the files, and packs them again in its place. */
export const repack = async (
  root: string,
  tarball: string,
  scratch: string,
  damage: (folder: string) => void
): Promise<void> => {
  const { files, read } = openTarball(tarball)
  const folder = join(scratch, "damaged")
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), read(file))
  }
  damage(folder)
  await pack(root, folder, dirname(tarball))
}
