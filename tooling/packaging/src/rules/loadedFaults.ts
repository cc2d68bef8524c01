import { posix } from "node:path"
import type { Tarball } from "../tarball/Tarball.ts"

// `import("./part.mjs")`, and `new URL("data.json", import.meta.url)`.
const loads = /\bimport\(\s*["`](\.[^"`$]+)["`]\s*\)|\bnew URL\(\s*["`]([^"`$]+)["`],\s*import\.meta\.url\s*\)/g

/** The rule for an app: every file that its code loads while it runs is in the tarball. */
export const loadedFaults = ({ files, has, manifest, read }: Tarball): ReadonlyArray<string> =>
  manifest.bin === undefined
    ? []
    : files
        .filter((file) => file.endsWith(".mjs"))
        .flatMap((file) =>
          Array.from(read(file).matchAll(loads), ([, module, data]) => {
            const loaded = posix.join(posix.dirname(file), module ?? data ?? "")
            // A folder ends with a slash.
            const isThere = has(loaded) || (loaded.endsWith("/") && files.some((file) => file.startsWith(loaded)))
            return isThere ? [] : [`${file} loads ${loaded}, which is not in the tarball`]
          }).flat()
        )
