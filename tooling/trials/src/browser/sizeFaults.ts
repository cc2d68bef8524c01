import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { bundlePage } from "./bundlePage.ts"

/** A page with one call: its script, and how many bytes it may have, minified and compressed. */
export interface SizedPage {
  readonly name: string
  readonly script: URL
  readonly limit: number
}

const script = (name: string) => new URL(`size/${name}.ts`, import.meta.url)

/** The limits of the entry points of the client. docs/adr/0026-the-clients-bundle.md says what they are made of. */
export const sizedPages: ReadonlyArray<SizedPage> = [
  { name: "pipes.get", script: script("pipesGet"), limit: 64_000 },
  { name: "keys.create", script: script("keysCreate"), limit: 55_500 },
  { name: "pipes.get of the whole client", script: script("wholeClient"), limit: 77_000 },
  { name: "types alone", script: script("typesAlone"), limit: 100 }
]

/** Bundles each page, and tells its size. What is above its limit is a fault. */
export const sizeFaults = async (
  pages: ReadonlyArray<SizedPage>,
  say: (text: string) => void
): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  for (const { limit, name, script } of pages) {
    const { code, faults: found } = await bundlePage(fileURLToPath(script))
    const bytes = gzipSync(code, { level: 9 }).length
    say(`${name}: ${bytes} bytes of script, minified and compressed, at most ${limit}`)
    faults.push(...found.map((fault) => `${name} ${fault}`))
    if (bytes > limit) faults.push(`${name} has ${bytes} bytes, more than ${limit}`)
  }
  return faults
}
