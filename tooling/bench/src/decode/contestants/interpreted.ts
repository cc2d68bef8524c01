import { Pipe } from "@headgate/core"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { decodeWork } from "../decodeWork.ts"

// The schema without the decoders that its open structs register: what the interpreter alone makes of it.
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

const Interpreted = Schema.make<Schema.Codec<unknown>>(copy(Pipe.ast))

export const work = decodeWork({
  decode: Schema.decodeUnknownSync(Interpreted),
  toDocument: Schema.encodeUnknownSync(Interpreted)
})
