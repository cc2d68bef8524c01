import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Declaration, findDeclarations } from "./findDeclarations.ts"

/** A public name and its most specific entry point. */
export interface PublicExport {
  /** `@headgate/core/adapter` */
  readonly from: string
  readonly name: string
  /** A name may be a value and a type. */
  readonly declarations: ReadonlyArray<Declaration>
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, unknown>>
}

const hasDefault = (target: unknown): target is { readonly default: string } =>
  typeof target === "object" && target !== null && "default" in target && typeof target.default === "string"

/** Every public export of the packages under `root`, once. */
export const publicExports = (root: string): ReadonlyArray<PublicExport> =>
  globSync("packages/*/package.json", { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const folder = file.replaceAll("\\", "/").replace("/package.json", "")
      const manifest: Manifest = JSON.parse(readFileSync(join(root, file), "utf8"))
      if (manifest.private === true) return []
      const found = new Map<string, PublicExport>()
      // The root comes first; a sub-path with the same name replaces it.
      for (const [entry, target] of Object.entries(manifest.exports ?? {})) {
        if (!hasDefault(target)) continue
        const source = join(folder, target.default.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts"))
        for (const [name, declarations] of findDeclarations(root, source.replaceAll("\\", "/"))) {
          const [first] = declarations
          const key = first === undefined ? `${entry} ${name}` : `${first.file}:${first.line} ${name}`
          found.set(key, { from: manifest.name + entry.slice(1), name, declarations })
        }
      }
      return [...found.values()]
    })
