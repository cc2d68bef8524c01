import { Pipe } from "@headgate/core"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

// A copy of the schema without the decoders that its loose structs register.
const copy = (ast: SchemaAST.AST): SchemaAST.AST => {
  if (ast.encoding !== undefined) return ast
  switch (ast._tag) {
    case "Objects":
      return new SchemaAST.Objects(
        ast.propertySignatures.map(({ name, type }) => new SchemaAST.PropertySignature(name, copy(type))),
        ast.indexSignatures,
        ast.annotations,
        ast.checks,
        undefined,
        ast.context
      )
    case "Arrays":
      return new SchemaAST.Arrays(
        ast.isMutable,
        ast.elements.map(copy),
        ast.rest.map(copy),
        ast.annotations,
        ast.checks,
        undefined,
        ast.context
      )
    case "Union":
      return new SchemaAST.Union(ast.types.map(copy), ast.options, ast.annotations, ast.checks, undefined, ast.context)
    default:
      return ast
  }
}

/** The schema of a pipe without its fast decoders. */
export const InterpretedPipe = Schema.make<Schema.Codec<unknown>>(copy(Pipe.ast))
