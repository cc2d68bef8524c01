export { SqlCleanups } from "./SqlCleanups.ts"
export { SqlLedger } from "./SqlLedger.ts"
