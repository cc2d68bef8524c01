export { SqlApiKeys } from "./SqlApiKeys.ts"
