import { bundle } from "@headgate/toolchain/bundle"

const requiresBuiltins = true

export default [
  // The library of undici is part of no command.
  bundle(import.meta.url, { codeSplitting: true, requiresBuiltins, sharedBy: 6, without: ["undici"] }),
  bundle(import.meta.url, { name: "help", requiresBuiltins }),
  bundle(import.meta.url, { name: "complete", requiresBuiltins })
]
