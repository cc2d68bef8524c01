export { SqlHistory } from "./SqlHistory.ts"
export { SqlLeases } from "./SqlLeases.ts"
export { SqlLedger } from "./SqlLedger.ts"
