export { objectStorageConnector } from "./source/objectStorageConnector.ts"
export {
  type ObjectStorageCredentials,
  type ObjectStorageOptions,
  objectStorageOptionsOf
} from "./options/ObjectStorageOptions.ts"
export { ObjectStorage } from "./source/ObjectStorage.ts"
