export { keyGroup } from "./KeyGroup.ts"
export { keyOperations } from "./keyOperations.ts"
