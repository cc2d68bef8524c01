// What needs the operations of all nouns, in one file of the bundle: a command that reads one resource loads none of it.
export { forbiddenHint } from "./forbiddenHint.ts"
export { mayHaveHappened } from "./mayHaveHappened.ts"
export { operationOf } from "./operationOf.ts"
export { toCurl } from "./toCurl.ts"
