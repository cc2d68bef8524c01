export { HttpApiKeys } from "./HttpApiKeys.ts"
