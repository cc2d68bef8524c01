import { posix } from "node:path"
import type { Tarball } from "../tarball/Tarball.ts"
import { isBundled } from "./manifestFaults.ts"

interface SourceMap {
  readonly sources: ReadonlyArray<string>
  readonly sourcesContent?: ReadonlyArray<string | null>
}

const ofBundler = /\/part-(?:rolldown-runtime|_node_\w+)\.mjs$/

/**
 * Every file has its source map, and every source of a map is in the tarball or in the map. A bundled library needs none: its
 * code is readable, and its declarations have no source. Nor does what the bundler adds: its runtime, and modules of Node. Nor do
 * the scripts of a site, which a browser loads.
 */
export const sourceMapFaults = (tarball: Tarball): ReadonlyArray<string> => {
  const { files, has, manifest, read } = tarball
  if (isBundled(tarball) && manifest.bin === undefined) return []
  return files
    .filter((file) => /^dist\/.*\.(m?js|d\.ts)$/.test(file) && !ofBundler.test(file) && !/\/assets\//.test(file))
    .flatMap((file) => {
      const name = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(read(file))?.[1]
      if (name === undefined) return [`${file} names no source map`]
      const map = posix.join(posix.dirname(file), name)
      if (!has(map)) return [`${file}: its source map ${map} is not in the tarball`]
      const { sources, sourcesContent = [] }: SourceMap = JSON.parse(read(map))
      const lost = sources.filter(
        (source, index) => typeof sourcesContent[index] !== "string" && !has(posix.join(posix.dirname(map), source))
      )
      return lost.map((source) => `${map}: its source ${source} is not in the tarball`)
    })
}
