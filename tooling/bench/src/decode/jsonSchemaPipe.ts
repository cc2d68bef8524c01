import * as z from "zod"
import { zodPipe } from "./zodPipe.ts"

type JsonSchema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Without the patterns that zod writes beside formats: validators check the format itself. */
const withoutPatterns = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutPatterns)
  if (!isSchema(schema)) return schema
  const fields = Object.entries(schema).filter(
    ([name, value]) => !(name === "pattern" && typeof value === "string" && "format" in schema)
  )
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutPatterns(value)]))
}

/** The domain's `Pipe` as JSON Schema, for validators that take it. */
export const jsonSchemaPipe = withoutPatterns(z.toJSONSchema(zodPipe, { io: "input" })) as JsonSchema // still an object
