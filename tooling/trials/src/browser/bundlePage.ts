import { rolldown } from "rolldown"

/** A page's script as one file, and what is wrong with it. */
export interface BundledPage {
  readonly code: string
  readonly faults: ReadonlyArray<string>
}

/** Bundles a page's script for browsers, as a web application would. */
export const bundlePage = async (entry: string): Promise<BundledPage> => {
  const faults: Array<string> = []
  const bundle = await rolldown({
    input: entry,
    platform: "browser",
    onLog: (level, { message }) => {
      if (level === "warn") faults.push(`was bundled with a warning: ${message}`)
    }
  })
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false, minify: true })
  await bundle.close()
  const [{ code, dynamicImports, imports }, ...more] = output
  // What a browser would have to resolve: Node's modules above all.
  faults.push(...[...imports, ...dynamicImports].map((name) => `imports ${name}`))
  faults.push(...more.map(({ fileName }) => `has another file: ${fileName}`))
  if (/\brequire\(["'`]node:/.test(code)) faults.push("requires a module of Node")
  return { code, faults }
}
