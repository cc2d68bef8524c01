import { createPackageFromTarballData, type Package } from "@arethetypeswrong/core"
import type { Manifest } from "../workspace/PublishedPackage.ts"
import { bytesOf } from "./pack.ts"

/** What is in a packed package; paths are relative to its package.json. */
export interface Tarball {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contents: Package
  readonly manifest: Manifest
  readonly files: ReadonlyArray<string>
  readonly has: (path: string) => boolean
  readonly read: (path: string) => string
}

export const openTarball = (path: string): Tarball => {
  const bytes = bytesOf(path)
  const contents = createPackageFromTarballData(bytes)
  const prefix = `/node_modules/${contents.packageName}/`
  const files = contents.listFiles().map((file) => file.slice(prefix.length))
  return {
    bytes,
    contents,
    manifest: JSON.parse(contents.readFile(`${prefix}package.json`)),
    files: files.toSorted(),
    has: (file) => files.includes(file),
    read: (file) => contents.readFile(prefix + file)
  }
}
