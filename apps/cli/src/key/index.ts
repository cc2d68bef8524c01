export { create } from "./create.ts"
export { noun } from "./noun.ts"
