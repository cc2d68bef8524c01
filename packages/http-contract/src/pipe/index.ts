export { pipeGroup } from "./PipeGroup.ts"
export { pipeOnWire } from "./PipeOnWire.ts"
export { pipeTextOnWire } from "./pipeTextOnWire.ts"
