import { memoize } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import * as SchemaCompiler from "effect/schema/SchemaCompiler"
import { decoderOf, isTransformed, structuralIssue } from "../schema/FastDecoder.ts"
import { type FieldIssue, IssueCollector } from "./FieldIssue.ts"

const { invalid } = SchemaCompiler

type Path = ReadonlyArray<PropertyKey>

const fastDecoder = memoize(decoderOf)

const interpreter = memoize((ast: SchemaAST.AST) =>
  SchemaParser.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(ast))
)

const missing = new SchemaIssue.MissingKey(undefined)

const collectFields = (found: IssueCollector, ast: SchemaAST.Objects, input: object, path: Path): void => {
  const unknown = structuralIssue(ast, input)
  if (unknown !== undefined) found.add(path, unknown)
  for (const { name, type } of ast.propertySignatures) {
    if (Object.hasOwn(input, name)) collect(found, type, Reflect.get(input, name), [...path, name])
    else if (!SchemaAST.isOptional(type)) found.add(path.concat(name), missing)
  }
}

const collectElements = (
  found: IssueCollector,
  ast: SchemaAST.Arrays,
  input: ReadonlyArray<unknown>,
  path: Path
): void => {
  const wrongLength = structuralIssue(ast, input)
  if (wrongLength !== undefined) return found.add(path, wrongLength)
  const [element] = ast.rest
  if (element === undefined || ast.elements.length > 0) return
  for (const [index, value] of input.entries()) {
    if (found.isFull) return
    collect(found, element, value, [...path, index])
  }
}

/** The issues of the parts of a value. */
const collectInside = (found: IssueCollector, ast: SchemaAST.AST, input: unknown, path: Path): void => {
  const encoded = ast.encoding?.at(-1)?.to
  if (encoded !== undefined) return collect(found, encoded, input, path)
  if (isTransformed(ast)) return
  if (SchemaAST.isObjects(ast) && Predicate.isObject(input)) return collectFields(found, ast, input, path)
  if (SchemaAST.isArrays(ast) && Array.isArray(input)) return collectElements(found, ast, input, path)
  if (SchemaAST.isUnion(ast) && Predicate.isObjectOrArray(input)) {
    const [only, ...more] = ast.types.filter(({ _tag }) => _tag === (Array.isArray(input) ? "Arrays" : "Objects"))
    if (only !== undefined && more.length === 0) collect(found, only, input, path)
  }
}

const collect = (found: IssueCollector, ast: SchemaAST.AST, input: unknown, path: Path): void => {
  if (found.isFull || fastDecoder(ast)(input) !== invalid) return
  const before = found.count
  collectInside(found, ast, input, path)
  if (found.count > before) return
  const result = interpreter(ast)(input)
  if (Result.isFailure(result)) found.add(path, result.failure)
}

/**
 * Finds the issues of a request, part by part: the length of a list before its elements, and no more issues than an
 * `IssueCollector` counts. Effect's `errors: "all"` makes every issue: those of a body of 1 MiB may be 60 MB of text. No
 * issue means that the request is valid.
 */
export const requestIssues =
  (schema: Schema.Constraint) =>
  (request: unknown): ReadonlyArray<FieldIssue> => {
    const found = new IssueCollector()
    collect(found, schema.ast, request, [])
    return found.issues
  }
