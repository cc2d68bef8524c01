import { bundle } from "@headgate/toolchain/bundle"

export default bundle(import.meta.url, {
  codeSplitting: true,
  // The one reads a file beside it, which a bundle does not have; the other holds it.
  alias: { "@platformatic/wasm-utils": "@platformatic/wasm-utils/bundled" },
  external: ["chdb/connection"]
})
