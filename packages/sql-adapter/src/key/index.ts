export { SqlApiKeys } from "./SqlApiKeys.ts"
export { SqlStoredApiKeys } from "./SqlStoredApiKeys.ts"
