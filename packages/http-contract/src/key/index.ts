export { keyGroup } from "./KeyGroup.ts"
