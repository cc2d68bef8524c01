// First of all: whatever is decoded before it stays with the interpreter.
// oxlint-disable-next-line import/no-unassigned-import
import "effect/schema/SchemaJITCompiler/enable"

export { work } from "./interpreted.ts"
