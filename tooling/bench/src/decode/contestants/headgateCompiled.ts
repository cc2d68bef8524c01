import { compileOpenStructs } from "@headgate/core/schema"

compileOpenStructs()

export { work } from "./headgate.ts"
