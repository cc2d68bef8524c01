export type { ObjectStorageOptions } from "./options/ObjectStorageOptions.ts"
export {
  type ObjectStorageCredentials,
  objectStorageOptionsOf,
  ObjectStorageRefused
} from "./options/objectStorageOptionsOf.ts"
export { ObjectStorage } from "./source/ObjectStorage.ts"
