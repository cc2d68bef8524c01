import type { Tarball } from "../tarball/Tarball.ts"
import { isBundled } from "./manifestFaults.ts"

const maxUnpackedBytes = 2_000_000

const withoutComments = (text: string) => text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "")

/** The rules for a bundled library: its files import only one another, and are small. */
export const bundledFaults = (tarball: Tarball): ReadonlyArray<string> => {
  const { files, manifest, read } = tarball
  if (!isBundled(tarball) || manifest.bin !== undefined) return []
  const bytes = files.reduce((sum, file) => sum + Buffer.byteLength(read(file)), 0)
  return [
    ...(bytes > maxUnpackedBytes ? [`unpacked, it has ${bytes} bytes: at most ${maxUnpackedBytes}`] : []),
    ...files
      .filter((file) => /\.(m?js|d\.ts)$/.test(file))
      .flatMap((file) =>
        Array.from(
          withoutComments(read(file)).matchAll(/^\s*(?:import|export)\b[^;"]*?\bfrom\s+"([^."][^"]*)"/gm),
          ([, name]) => `${file} imports ${name}, which nobody installs`
        )
      )
  ]
}
