import { bundleLibrary } from "@headgate/toolchain/bundle"
import { globSync } from "node:fs"

// The entry point of each noun: `entry/pipes`.
const nouns = globSync("src/entry/*.ts").map((file) => file.replace(/^src\/|\.ts$/g, ""))

export default bundleLibrary({
  index: "src/index.ts",
  ...Object.fromEntries(nouns.map((name) => [name, `src/${name}.ts`])),
  "testing/index": "src/testing/index.ts"
})
