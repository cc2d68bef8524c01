import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

/** A page's script as one file, and what is wrong with it. */
export interface BundledPage {
  readonly code: string
  readonly faults: ReadonlyArray<string>
}

/** Bundles a page's script for browsers, as a web application would. */
export const bundlePage = async (entry: string): Promise<BundledPage> => {
  const warnings: Array<string> = []
  const bundle = await rolldown({
    input: entry,
    platform: "browser",
    onLog: (level, { message }) => {
      if (level === "warn") warnings.push(message)
    }
  })
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false, minify: true })
  await bundle.close()
  const [{ code, dynamicImports, imports }, ...more] = output
  // What a browser would have to find by itself: Node's modules above all.
  const left = [...imports, ...dynamicImports].map((name) => `imports ${name}`)
  return {
    code,
    faults: [
      ...left,
      ...more.map(({ fileName }) => `came with another file: ${fileName}`),
      ...(/\brequire\(["'`]node:/.test(code) ? ["requires a module of Node"] : []),
      ...warnings.map((warning) => `was bundled with a warning: ${warning}`)
    ]
  }
}

/** How much of it travels, in KiB. */
export const travelled = (code: string): number => Math.round((gzipSync(code).length / 1024) * 10) / 10
