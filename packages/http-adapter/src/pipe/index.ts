export { HttpPipes } from "./HttpPipes.ts"
