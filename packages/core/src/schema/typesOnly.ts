import * as Array from "effect/Array"
import * as Context from "effect/Context"
import { memoize } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { withFastDecoder } from "./FastDecoder.ts"

/**
 * What is checked of a request before it is sent. `values`: all that its schema says. `types`: what would make it another request, such as
 * a number in place of a text; the service judges the values, so that a client takes those of a newer service.
 *
 * @example
 * ```ts
 * import { ApiKeys, type OrganizationId } from "@headgate/core"
 * import { RequestChecks } from "@headgate/core/adapter"
 * import * as Effect from "effect/Effect"
 *
 * // Whether the name is one, the service says.
 * export const create = (organizationId: OrganizationId, name: string) =>
 *   ApiKeys.use((keys) => keys.create({ organizationId }, { name })).pipe(Effect.provideService(RequestChecks, "types"))
 * ```
 */
export const RequestChecks = Context.Reference<"types" | "values">("@headgate/core/RequestChecks", {
  defaultValue: () => "values"
})

const literalType = ({ context, encoding, literal }: SchemaAST.Literal): SchemaAST.AST => {
  if (Predicate.isString(literal)) return new SchemaAST.String(undefined, undefined, encoding, context)
  if (Predicate.isNumber(literal)) return new SchemaAST.Number(undefined, undefined, encoding, context)
  return new SchemaAST.Boolean(undefined, undefined, encoding, context)
}

const withoutChecks = memoize((ast: SchemaAST.AST): SchemaAST.AST => {
  const { annotations, context } = ast
  const encoding =
    ast.encoding && Array.map(ast.encoding, (link) => new SchemaAST.Link(withoutChecks(link.to), link.transformation))
  switch (ast._tag) {
    case "String":
      return new SchemaAST.String(annotations, undefined, encoding, context)
    case "Number":
      return new SchemaAST.Number(annotations, undefined, encoding, context)
    case "Literal":
      return literalType(ast)
    case "Arrays": {
      const [elements, rest] = [ast.elements.map(withoutChecks), ast.rest.map(withoutChecks)]
      return new SchemaAST.Arrays(ast.isMutable, elements, rest, annotations, undefined, encoding, context)
    }
    case "Objects": {
      const fields = ast.propertySignatures.map(
        ({ name, type }) => new SchemaAST.PropertySignature(name, withoutChecks(type))
      )
      // The check of a name says which fields are not named.
      const others = ast.indexSignatures.map(
        ({ parameter, type }) => new SchemaAST.IndexSignature(parameter, withoutChecks(type))
      )
      const object = new SchemaAST.Objects(fields, others, annotations, undefined, encoding, context)
      return withFastDecoder(Schema.make<Schema.Codec<unknown>>(object)).ast
    }
    case "Union":
      return new SchemaAST.Union(ast.types.map(withoutChecks), undefined, annotations, undefined, encoding, context)
    case "Declaration": {
      const parameters = ast.typeParameters.map(withoutChecks)
      return new SchemaAST.Declaration(parameters, ast.run, annotations, undefined, encoding, context)
    }
    default:
      return ast
  }
})

/**
 * The schema without what judges values: without its checks, and with any text in place of the known ones. Types, required fields and
 * transformations stay.
 *
 * @example
 * ```ts
 * import { typesOnly } from "@headgate/core/adapter"
 * import * as Schema from "effect/Schema"
 *
 * const Key = Schema.Struct({ name: Schema.String.check(Schema.isMinLength(1)), state: Schema.Literals(["on", "off"]) })
 * console.log(Schema.decodeUnknownSync(typesOnly(Key))({ name: "", state: "paused" })) // { name: '', state: 'paused' }
 * console.log(Schema.is(typesOnly(Key))({ name: 7, state: "on" })) // false
 * ```
 */
export const typesOnly = <A, I>(schema: Schema.Codec<A, I>): Schema.Codec<unknown, unknown> =>
  Schema.make<Schema.Codec<unknown, unknown>>(withoutChecks(schema.ast))
