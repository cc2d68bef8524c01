export { apiKeyCredentialsLaws, type ApiKeyCredentialsLawsOptions } from "./apiKeyCredentialsLaws.ts"
export { apiKeysLaws, type ApiKeysLawsOptions } from "./apiKeysLaws.ts"
