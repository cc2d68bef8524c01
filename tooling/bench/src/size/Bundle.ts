import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

/** A program for browsers: one file, minified. */
export interface Bundle {
  readonly code: string
  /** Bytes after gzip -9. */
  readonly gzipped: number
  /** The modules in it, the largest first: bytes before minification. */
  readonly modules: ReadonlyArray<{ readonly name: string; readonly bytes: number }>
}

const nameOf = (id: string): string => {
  const installed = id.split("/node_modules/").at(-1) ?? id
  const own = /\/(packages|tooling)\/([^/]+)\/(?:dist|src)\/(.*)$/.exec(id)
  return own === null ? installed : `@headgate/${own[2]}/${own[3]}`
}

/**
 * Bundles an entry for browsers. With `arePropertyReadsPure` the bundler assumes that reading a property has no effect, and
 * leaves out more.
 */
export const bundle = async (entry: string, { arePropertyReadsPure = false } = {}): Promise<Bundle> => {
  const input = fileURLToPath(new URL(`entries/${entry}.ts`, import.meta.url))
  const build = await rolldown({
    input,
    platform: "browser",
    logLevel: "warn",
    treeshake: { propertyReadSideEffects: arePropertyReadsPure ? false : "always" }
  })
  const { output } = await build.generate({ format: "esm", minify: true, codeSplitting: false })
  await build.close()
  const [chunk, ...others] = output
  if (others.length > 0) throw new Error(`${entry} does not fit in one file`)
  return {
    code: chunk.code,
    gzipped: gzipSync(chunk.code, { level: 9 }).byteLength,
    modules: Object.entries(chunk.modules)
      .map(([id, { renderedLength }]) => ({ name: nameOf(id), bytes: renderedLength }))
      .toSorted((a, b) => b.bytes - a.bytes)
  }
}
