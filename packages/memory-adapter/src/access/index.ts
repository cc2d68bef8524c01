export { MemoryAuthenticator } from "./MemoryAuthenticator.ts"
export { MemoryTokens } from "./MemoryTokens.ts"
