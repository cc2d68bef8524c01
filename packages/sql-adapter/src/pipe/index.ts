export { SqlPipes } from "./SqlPipes.ts"
