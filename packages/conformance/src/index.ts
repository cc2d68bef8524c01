export { adapterLaws, type LeftOutSuites, portLaws } from "./adapterLaws.ts"
export { type LawsOptions } from "./LawsOptions.ts"
export { type Suite, suites } from "./suites.ts"
