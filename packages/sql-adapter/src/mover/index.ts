export { SqlLedger } from "./SqlLedger.ts"
