import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)
const windows = process.platform === "win32"

/** Packs the package in `folder` of the workspace `root` as pnpm would publish it, and answers the tarball's path. */
export const pack = async (root: string, folder: string, destination: string): Promise<string> => {
  const pnpm = join(root, "node_modules", ".bin", windows ? "pnpm.CMD" : "pnpm")
  const { stdout } = await run(pnpm, ["pack", "--json", "--pack-destination", destination], {
    cwd: resolve(root, folder),
    shell: windows
  })
  const { filename }: { readonly filename: string } = JSON.parse(stdout)
  return filename
}

/** The bytes of a tarball. */
export const bytesOf = (tarball: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(tarball))
