export { pipesLaws, type PipesLawsOptions } from "./pipesLaws.ts"
