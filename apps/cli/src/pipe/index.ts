export { remove } from "./delete.ts"
export { get } from "./get.ts"
export { noun } from "./noun.ts"
