import { compileDecoders } from "@headgate/core/adapter"

compileDecoders()

export { work } from "./headgate.ts"
