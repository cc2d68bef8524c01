export { SqlLeases } from "./SqlLeases.ts"
export { SqlLedger } from "./SqlLedger.ts"
