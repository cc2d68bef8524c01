import { bundle } from "@headgate/toolchain/bundle"

export default bundle(import.meta.url, { codeSplitting: true })
