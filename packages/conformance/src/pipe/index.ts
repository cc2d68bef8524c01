export { pipeDocumentsLaws, type PipeDocumentsLawsOptions, type PipeDocumentsLawsPorts } from "./pipeDocumentsLaws.ts"
export { pipesLaws, type PipesLawsOptions } from "./pipesLaws.ts"
