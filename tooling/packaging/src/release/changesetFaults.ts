import { readChangesets } from "@changesets/read"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { publishedPackages } from "../workspace/PublishedPackage.ts"

/** The workspace packages in an app's bundle, by folder name: its source map names every file that is in it. */
const bundledIn = (root: string, folder: string): ReadonlySet<string> => {
  const { sources }: { readonly sources: ReadonlyArray<string> } = JSON.parse(
    readFileSync(join(root, folder, "dist/main.mjs.map"), "utf8")
  )
  return new Set(sources.flatMap((source) => /\/(packages\/[^/]+)\//.exec(source)?.[1] ?? []))
}

/**
 * Apps that would be left behind. An app bundles packages of this workspace, so it depends on none of them, and changesets
 * does not know that a change of theirs is one of the app's: it must be named as well, once for each release.
 */
export const changesetFaults = async (root: string): Promise<ReadonlyArray<string>> => {
  const published = publishedPackages(root)
  const changesets = (await readChangesets(root)).map(({ id, releases }) => ({
    id,
    names: releases.flatMap(({ name, type }) => (type === "none" ? [] : [name]))
  }))
  return published
    .filter(({ manifest }) => manifest.bin !== undefined)
    .flatMap(({ folder, manifest: app }) => {
      if (changesets.some(({ names }) => names.includes(app.name))) return []
      const bundled = bundledIn(root, folder)
      const inside = published.filter((other) => bundled.has(other.folder)).map(({ manifest }) => manifest.name)
      return changesets.flatMap(({ id, names }) => {
        const changed = names.filter((name) => inside.includes(name))
        return changed.length === 0
          ? []
          : [
              `.changeset/${id}.md changes ${changed.join(", ")}, which ${app.name} bundles: name ${app.name} in it, too`
            ]
      })
    })
}

/** Packages that would not move together with the others. */
export const fixedGroupFaults = (root: string): ReadonlyArray<string> => {
  const { fixed }: { readonly fixed: ReadonlyArray<ReadonlyArray<string>> } = JSON.parse(
    readFileSync(join(root, ".changeset/config.json"), "utf8")
  )
  const [group = [], ...more] = fixed
  const libraries = publishedPackages(root)
    .filter(({ folder }) => folder.startsWith("packages/"))
    .map(({ manifest }) => manifest.name)
  return [
    ...more.map((other) => `.changeset/config.json: one fixed group, not another of ${other.join(", ")}`),
    ...libraries
      .filter((name) => !group.includes(name))
      .map((name) => `.changeset/config.json: the fixed group lacks ${name}`),
    ...group
      .filter((name) => !libraries.includes(name))
      .map((name) => `.changeset/config.json: the fixed group names ${name}, which is no published package`)
  ]
}
