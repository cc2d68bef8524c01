export { knownString, type KnownString } from "./KnownString.ts"
export { absentOrNull, identified, openStruct, type OpenStruct } from "./OpenStruct.ts"
export { Timestamp } from "./Timestamp.ts"
export { Uuid } from "./Uuid.ts"
