export { pipeGroup } from "./PipeGroup.ts"
export { pipeOnWire } from "./PipeOnWire.ts"
export { pipeOperations } from "./pipeOperations.ts"
export { pipeTextOnWire } from "./pipeTextOnWire.ts"
