export { MemoryPipes } from "./MemoryPipes.ts"
