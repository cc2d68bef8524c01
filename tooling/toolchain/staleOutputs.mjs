import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** The source maps in the `dist` of every package and app. */
const mapsIn = (root) =>
  ["packages", "apps"]
    .map((kind) => join(root, kind))
    .filter(existsSync)
    .flatMap((kind) => readdirSync(kind).map((name) => join(kind, name, "dist")))
    .filter(existsSync)
    .flatMap((dist) => readdirSync(dist, { recursive: true }).map((name) => join(dist, name)))
    .filter((path) => path.endsWith(".map"))

/**
 * Removes what the compiler wrote for sources that are gone: it leaves that in `dist`, and a package would hold it. Answers the
 * removed paths.
 */
export const removeStaleOutputs = (root) => {
  const removed = []
  for (const map of mapsIn(root)) {
    const { sources = [] } = JSON.parse(readFileSync(map, "utf8"))
    const [source] = sources
    // The map of a bundle has many sources.
    if (sources.length !== 1 || existsSync(resolve(dirname(map), source))) continue
    for (const path of [map, map.replace(/\.map$/, "")]) {
      rmSync(path, { force: true })
      removed.push(path)
    }
  }
  return removed
}
