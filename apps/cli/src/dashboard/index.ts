export { create } from "./create.ts"
export { list } from "./list.ts"
export { noun } from "./noun.ts"
