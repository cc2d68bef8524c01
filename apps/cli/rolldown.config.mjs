import { bundle } from "@headgate/toolchain/bundle"

export default [
  bundle(import.meta.url, { without: ["undici"] }),
  bundle(import.meta.url, { name: "help" }),
  bundle(import.meta.url, { name: "complete" })
]
