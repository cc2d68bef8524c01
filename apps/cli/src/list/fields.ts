import { escapeTerminalLine } from "@headgate/command-line"
import { nearestField } from "@headgate/core/adapter"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { UsageError } from "../error/CommandError.ts"

/** The names on the way to a field of a document: `source.kafka.topics`. */
export type FieldPath = ReadonlyArray<string>

export const fieldPath = (text: string): FieldPath => text.split(".")

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) && !globalThis.Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}

/** The values of a field. In a list, the path goes on in each element: `tiles.name`. Absent and null are no value. */
export const valuesAt = (value: unknown, path: FieldPath): ReadonlyArray<unknown> => {
  if (Predicate.isNullish(value)) return []
  if (globalThis.Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path))
  const [name, ...rest] = path
  return name === undefined ? [value] : valuesAt(membersOf(value)[name], rest)
}

/** The part of a document that has only some fields: of `source.kafka.topics`, `source` has only `kafka`. */
export const pickFields = (value: unknown, paths: ReadonlyArray<FieldPath>): unknown => {
  if (paths.some((path) => path.length === 0)) return value
  if (globalThis.Array.isArray(value)) return value.map((element) => pickFields(element, paths))
  const members = membersOf(value)
  return Object.fromEntries(
    Object.entries(Array.groupBy(paths, ([name = ""]) => name)).flatMap(([name, paths]) =>
      Object.hasOwn(members, name) ? [[name, pickFields(members[name], paths.map(Array.drop(1)))]] : []
    )
  )
}

type Field = readonly [name: string, ast: SchemaAST.AST]

/** The fields that a schema names, with what they hold. */
const fieldsOf = (ast: SchemaAST.AST): ReadonlyArray<Field> => {
  if (SchemaAST.isSuspend(ast)) return fieldsOf(ast.thunk())
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(fieldsOf)
  if (SchemaAST.isArrays(ast)) return [...ast.elements, ...ast.rest].flatMap(fieldsOf)
  return SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name, type }) => [String(name), type]) : []
}

/** The texts that a schema names as values. A schema may take others, too. */
const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isSuspend(ast)) return literalsOf(ast.thunk())
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(literalsOf)
  if (SchemaAST.isArrays(ast)) return [...ast.elements, ...ast.rest].flatMap(literalsOf)
  return SchemaAST.isLiteral(ast) && Predicate.isString(ast.literal) ? [ast.literal] : []
}

/** The known value that a value of a field is probably a misspelling of. */
export const nearestValue = (path: FieldPath, value: string, schema: Schema.Constraint): string | undefined => {
  const found = path.reduce(
    (asts, name) => asts.flatMap(fieldsOf).flatMap(([known, ast]) => (known === name ? [ast] : [])),
    [SchemaAST.toEncoded(schema.ast)]
  )
  const known = found.flatMap(literalsOf)
  return known.includes(value) ? undefined : nearestField(value, known)
}

// More are left out of the message.
const maxNames = 40

const unknownField = (flag: string, path: FieldPath, depth: number, names: ReadonlyArray<string>) => {
  const parent = path.slice(0, depth).map((name) => `${name}.`)
  const near = nearestField(path[depth] ?? "", names)
  const known = names.toSorted().slice(0, maxNames).map(escapeTerminalLine)
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : ""
  return new UsageError({
    message: [
      `${flag}: unknown field "${path.join(".")}".`,
      ...(near === undefined ? [] : [`Did you mean ${[...parent, escapeTerminalLine(near)].join("")}?`]),
      names.length === 0
        ? `${path.slice(0, depth).join(".")} has no fields.`
        : `Expected ${parent.length === 0 ? "one" : `${parent.join("")}<field> with one`} of: ${known.join(", ")}${more}.`
    ].join(" ")
  })
}

/**
 * Fails with a usage error that lists the known fields, unless the schema of the documents has the field, or one of the
 * documents: a service may send more fields than the schema names. `flag` is where the path was given.
 */
export const requireField = Effect.fnUntraced(function* (
  flag: string,
  path: FieldPath,
  schema: Schema.Constraint,
  documents: ReadonlyArray<unknown>
) {
  let fields = fieldsOf(SchemaAST.toEncoded(schema.ast))
  for (const [depth, name] of path.entries()) {
    const sent = valuesAt(documents, path.slice(0, depth)).flatMap((value) => Object.keys(membersOf(value)))
    const names = Array.dedupe([...fields.map(([known]) => known), ...sent])
    if (!names.includes(name)) return yield* unknownField(flag, path, depth, names)
    fields = fields.filter(([known]) => known === name).flatMap(([, ast]) => fieldsOf(ast))
  }
})
