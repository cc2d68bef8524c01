export { authenticatorLaws, type AuthenticatorLawsOptions } from "./authenticatorLaws.ts"
export { tokensLaws, type TokensLawsOptions } from "./tokensLaws.ts"
