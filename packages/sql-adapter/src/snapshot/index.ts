export { SqlSnapshots } from "./SqlSnapshots.ts"
