export { SqlAuthenticator } from "./SqlAuthenticator.ts"
export { SqlRateLimiterStore } from "./SqlRateLimiterStore.ts"
export { SqlTokens } from "./SqlTokens.ts"
