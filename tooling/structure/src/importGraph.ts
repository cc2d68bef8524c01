import { posix } from "node:path"
import { outline, type Source } from "./Source.ts"

/** A relative import: `to` is the imported file, relative to the root of the workspace. */
export interface RelativeImport {
  readonly from: string
  readonly line: number
  readonly to: string
}

/** The relative imports of the sources, type imports included. */
export const relativeImports = (sources: Iterable<Source>): ReadonlyArray<RelativeImport> =>
  Array.from(sources).flatMap((source) =>
    outline(source)
      .imports.filter(({ name }) => name.startsWith("."))
      .map(({ line, name }) => ({
        from: source.path,
        line,
        to: posix.join(posix.dirname(source.path), name)
      }))
  )
