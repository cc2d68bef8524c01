export {
  type ObjectStorageCredentials,
  type ObjectStorageOptions,
  objectStorageOptionsOf,
  ObjectStorageRefused
} from "./options/ObjectStorageOptions.ts"
export { ObjectStorage } from "./source/ObjectStorage.ts"
