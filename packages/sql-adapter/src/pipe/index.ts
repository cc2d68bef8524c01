export { SqlPipeDocuments } from "./SqlPipeDocuments.ts"
export { SqlPipes } from "./SqlPipes.ts"
