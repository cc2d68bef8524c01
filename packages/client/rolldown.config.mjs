import { bundleLibrary } from "@headgate/toolchain/bundle"

export default bundleLibrary({ index: "src/index.ts", "testing/index": "src/testing/index.ts" })
