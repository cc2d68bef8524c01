import { bundle } from "@headgate/toolchain/bundle"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export default [
  bundle(import.meta.url, {
    codeSplitting: true,
    // The one reads a file beside it, which a bundle does not have; the other holds it.
    alias: { "@platformatic/wasm-utils": "@platformatic/wasm-utils/bundled" },
    sites: {
      console: join(dirname(fileURLToPath(import.meta.resolve("@headgate/console/package.json"))), "dist/site")
    },
    external: ["chdb/connection"]
  }),
  bundle(import.meta.url, { name: "health" })
]
