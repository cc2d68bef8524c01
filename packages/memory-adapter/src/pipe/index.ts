export { MemoryPipeDocuments } from "./MemoryPipeDocuments.ts"
export { MemoryPipes } from "./MemoryPipes.ts"
