export { MemoryAuthenticator } from "./MemoryAuthenticator.ts"
