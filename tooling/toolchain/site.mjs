import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"

/** A rolldown plugin: puts the page and the assets of a built site into a folder, in place of those of an earlier build. */
export const site = (from, to) => ({
  name: "site",
  writeBundle() {
    rmSync(to, { recursive: true, force: true })
    for (const part of ["index.html", "assets"]) cpSync(join(from, part), join(to, part), { recursive: true })
  }
})

/** The files in `assets` that the page of a site leads to, itself or through another one. */
const reachedAssets = (folder) => {
  const names = readdirSync(join(folder, "assets"))
  const reached = new Set()
  const follow = (file) => {
    const text = readFileSync(join(folder, file), "utf8")
    for (const name of names) {
      if (reached.has(name) || !text.includes(name)) continue
      reached.add(name)
      follow(join("assets", name))
    }
  }
  follow("index.html")
  return { names, reached }
}

/** The folders in the `dist` of every package and app that hold a site. */
const sitesIn = (root) =>
  ["packages", "apps"]
    .map((kind) => join(root, kind))
    .filter(existsSync)
    .flatMap((kind) => readdirSync(kind).map((name) => join(kind, name, "dist")))
    .filter(existsSync)
    .flatMap((dist) => readdirSync(dist).map((name) => join(dist, name)))
    .filter((folder) => existsSync(join(folder, "index.html")) && existsSync(join(folder, "assets")))

/**
 * Removes the assets of earlier builds: their names have hashes, so that a build which comes from the cache leaves them beside its
 * own, and a package would hold them. Answers the removed paths.
 */
export const removeStaleAssets = (root) =>
  sitesIn(root).flatMap((folder) => {
    const { names, reached } = reachedAssets(folder)
    const stale = names.filter((name) => !reached.has(name)).map((name) => join(folder, "assets", name))
    for (const path of stale) rmSync(path, { force: true })
    return stale
  })
