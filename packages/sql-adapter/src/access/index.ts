export { SqlAuthenticator } from "./SqlAuthenticator.ts"
