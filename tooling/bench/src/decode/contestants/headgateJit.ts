// First of all: whatever is decoded before it stays with the interpreter.
import "effect/schema/SchemaJITCompiler/enable"

export { work } from "./headgate.ts"
