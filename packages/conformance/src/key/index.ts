export { apiKeyCredentialsLaws, type ApiKeyCredentialsLawsOptions } from "./apiKeyCredentialsLaws.ts"
export { apiKeysLaws, type ApiKeysLawsOptions } from "./apiKeysLaws.ts"
export { storedApiKeysLaws, type StoredApiKeysLawsOptions, type StoredApiKeysLawsPorts } from "./storedApiKeysLaws.ts"
