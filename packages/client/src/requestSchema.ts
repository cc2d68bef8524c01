import { looseStruct, type RequestChecks, typesOnly } from "@headgate/core/adapter"
import { type AnyOperation, hasQuery, noPayload } from "@headgate/http-contract"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

const fieldsOf = (ast: SchemaAST.AST): Readonly<Record<string, Schema.Codec<unknown>>> =>
  SchemaAST.isObjects(ast)
    ? Object.fromEntries(
        ast.propertySignatures.map(({ name, type }) => [String(name), Schema.make<Schema.Codec<unknown>>(type)])
      )
    : {}

/** The schema of the parameters of an operation. On the wire they may have other names. */
export const paramsSchema = ({ params }: AnyOperation): Schema.Codec<any, unknown> => Schema.toType(params)

/** The names of the parameters of an operation. */
export const paramNames = (operation: AnyOperation): ReadonlyArray<string> =>
  Object.keys(fieldsOf(paramsSchema(operation).ast))

/** Whether a method takes the parameters of its operation in its request, and not as an id before it. */
export const hasAddress = (operation: AnyOperation): boolean => paramNames(operation).includes("organizationId")

/** A field of a query as callers write it: a number is a text on the wire alone. */
const asWritten = (field: Schema.Codec<unknown>): Schema.Codec<unknown> => {
  const written = Schema.toType(field)
  return SchemaAST.isNumber(written.ast) ? written : field
}

/**
 * The schema of the request of a method: the payload of its operation, with its address if it has one. With the checks of `types`, it
 * judges ids of the address and no values.
 */
export const requestSchema = (
  operation: AnyOperation,
  checks: (typeof RequestChecks)["Service"] = "values"
): Schema.Codec<any, unknown> => {
  const payload = checks === "types" ? typesOnly(operation.payload) : operation.payload
  const address = paramsSchema(operation)
  if (!hasAddress(operation)) return payload
  if (operation.payload === noPayload) return address
  const fields = fieldsOf(payload.ast)
  return looseStruct({ ...fieldsOf(address.ast), ...(hasQuery(operation) ? Record.map(fields, asWritten) : fields) })
}
