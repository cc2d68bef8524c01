import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** Where an entry point is, by condition. The types may differ for programs of CommonJS. */
type ExportTarget = Readonly<Record<string, string | Readonly<Record<string, string>>>>

/** What a package.json says, as far as it is asked here. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly type?: string
  readonly license?: string
  readonly sideEffects?: boolean
  readonly bin?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | null | ExportTarget>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean }
  readonly repository?: string | { readonly type?: string; readonly url?: string; readonly directory?: string }
}

/** A package of this workspace that npm gets; `folder` is relative to the root. */
export interface PublishedPackage {
  readonly folder: string
  readonly manifest: Manifest
}

const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8"))

/** Every published package and app under `root`: found, not listed, so that a new one is held to the rules at once. */
export const publishedPackages = (root: string): ReadonlyArray<PublishedPackage> =>
  globSync("{packages,apps}/*/package.json", { cwd: root })
    .map((path) => ({ folder: dirname(path).replaceAll("\\", "/"), manifest: readManifest(join(root, path)) }))
    .filter(({ manifest }) => manifest.private !== true)
    .toSorted((a, b) => a.folder.localeCompare(b.folder))
