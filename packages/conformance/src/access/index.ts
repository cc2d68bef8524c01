export { authenticatorLaws, type AuthenticatorLawsOptions } from "./authenticatorLaws.ts"
