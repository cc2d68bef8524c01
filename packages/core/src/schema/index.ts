export { knownString, type KnownString } from "./KnownString.ts"
export { absentOrNull, openStruct, type OpenStruct } from "./OpenStruct.ts"
export { Timestamp } from "./Timestamp.ts"
export { Uuid } from "./Uuid.ts"
