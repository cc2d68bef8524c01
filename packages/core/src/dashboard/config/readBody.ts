import * as Equal from "effect/Equal"
import { memoize } from "effect/Function"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { keepsUnnamedFields } from "../../schema/unnamedFields.ts"
import type { FieldIssue } from "../../error/FieldIssue.ts"
import { Issues, type JsonObject, maxReported, objectOf } from "./Issues.ts"

// A value of the request that is repeated in a message is cut to this length.
const maxEcho = 200

/**
 * The result of a value that has the wrong type. The checks of the object around it do not run then; they do run after a value
 * that has the right type and breaks a bound, as in the service.
 */
const invalid = Symbol("invalid")

/**
 * Reads one value of a request: it reports what is wrong and returns the value as it is stored, without unknown fields.
 * `undefined` is an absent value. The texts are those of the service, which clients and their tests match.
 */
type Rule = (input: unknown, issues: Issues) => unknown

const options: SchemaAST.ParseOptions = {}

const typeOf = (input: unknown): string => (input === null ? "null" : Array.isArray(input) ? "array" : typeof input)

const mismatch = (issues: Issues, expected: string, input: unknown): typeof invalid => {
  issues.report(input === undefined ? "Required" : `Expected ${expected}, received ${typeOf(input)}`)
  return invalid
}

const quoted = (values: ReadonlyArray<unknown>): string => values.map((value) => `'${String(value)}'`).join(" | ")

const filtersIn = (check: SchemaAST.Check<unknown>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  check._tag === "Filter" ? [check] : check.checks.flatMap(filtersIn)

const filtersOf = ({ checks }: SchemaAST.AST): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  checks?.flatMap(filtersIn) ?? []

// Effect marks the checks that need no parts: those of a length.
const isStructural = ({ annotations }: SchemaAST.Filter<unknown>): boolean => annotations?.["~structural"] === true

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const report = (filter: SchemaAST.Filter<unknown>, issue: SchemaIssue.Issue, issues: Issues): void => {
  const message = filter.annotations?.["message"]
  if (Predicate.isString(message)) return issues.report(message)
  for (const { message, path = [] } of formatIssue(issue).issues) {
    issues.report(
      message,
      path.map((segment) => (typeof segment === "object" ? segment.key : segment))
    )
  }
}

/** Reports what the checks find. `false` if a check found something after which the value is not read further. */
const passes = (
  filters: ReadonlyArray<SchemaAST.Filter<unknown>>,
  ast: SchemaAST.AST,
  input: unknown,
  issues: Issues
): boolean => {
  for (const filter of filters) {
    const issue = filter.run(input, ast, options)
    if (issue === undefined) continue
    report(filter, issue, issues)
    if (filter.aborted) return false
  }
  return true
}

const valueRule = (ast: SchemaAST.AST, type: "string" | "number" | "boolean"): Rule => {
  const filters = filtersOf(ast)
  return (input, issues) => {
    if (typeof input !== type) return mismatch(issues, type, input)
    return passes(filters, ast, input, issues) ? input : invalid
  }
}

const literalRule =
  ({ literal }: SchemaAST.Literal): Rule =>
  (input, issues) => {
    if (input === literal) return literal
    issues.report(`Invalid literal value, expected ${JSON.stringify(literal)}`)
    return invalid
  }

const oneOf = (literals: ReadonlyArray<SchemaAST.LiteralValue>): Rule => {
  const known = new Set<unknown>(literals)
  const expected = quoted(literals)
  return (input, issues) => {
    if (known.has(input)) return input
    if (!Predicate.isString(input)) return mismatch(issues, expected, input)
    issues.report(`Invalid enum value. Expected ${expected}, received '${input.slice(0, maxEcho)}'`)
    return invalid
  }
}

/** A value that one of the rules reads without an issue. */
const anyOf =
  (rules: ReadonlyArray<Rule>, message: string): Rule =>
  (input, issues) => {
    for (const rule of rules) {
      const tried = new Issues()
      const read = rule(input, tried)
      if (tried.count === 0) return read
    }
    issues.report(message)
    return invalid
  }

const listRule = (ast: SchemaAST.Arrays, element: Rule): Rule => {
  const filters = filtersOf(ast)
  const lengths = filters.filter(isStructural)
  const checks = filters.filter((filter) => !isStructural(filter))
  return (input, issues) => {
    if (!Array.isArray(input)) return mismatch(issues, "array", input)
    if (!passes(lengths, ast, input, issues)) return invalid
    const read: Array<unknown> = []
    for (const [index, value] of input.entries()) {
      if (issues.isFull) return invalid
      const one = issues.below(index, element, value)
      if (one !== invalid) read.push(one)
    }
    if (read.length < input.length) return invalid
    return passes(checks, ast, input, issues) ? read : invalid
  }
}

const member = (input: object, name: PropertyKey): unknown =>
  Object.hasOwn(input, name) ? Reflect.get(input, name) : undefined

/** The rule of a field, and what an absent one is read as. */
interface FieldRule {
  readonly name: string
  readonly rule: Rule
  readonly mayBeAbsent: boolean
  readonly value: unknown
}

const fieldRule = ({ name, type }: SchemaAST.PropertySignature): FieldRule => ({
  name: String(name),
  rule: ruleOf(type),
  mayBeAbsent: SchemaAST.isOptional(type),
  value: SchemaAST.resolve(type)?.["default"]
})

const objectRule = (ast: SchemaAST.Objects): Rule => {
  const fields = ast.propertySignatures.map(fieldRule)
  const names = new Set(fields.map(({ name }) => name))
  const keepsUnknown = keepsUnnamedFields(ast)
  const filters = filtersOf(ast)
  return (input, issues) => {
    if (!Predicate.isObject(input)) return mismatch(issues, "object", input)
    const read: Record<string, unknown> = {}
    let isValid = true
    for (const { mayBeAbsent, name, rule, value } of fields) {
      const sent = member(input, name)
      const one = sent === undefined && mayBeAbsent ? value : issues.below(name, rule, sent)
      if (one === invalid) isValid = false
      else if (one !== undefined) read[name] = one
    }
    if (!keepsUnknown) {
      const unknown = Object.keys(input).filter((name) => !names.has(name))
      const echoed = unknown.slice(0, maxReported).map((name) => `'${name.slice(0, maxEcho)}'`)
      if (unknown.length > 0) issues.report(`Unrecognized key(s) in object: ${echoed.join(", ")}`)
    }
    return isValid && passes(filters, ast, input, issues) ? read : invalid
  }
}

/** A field of an object that has one value, such as `displayType: "line"`. */
interface LiteralField {
  readonly name: PropertyKey
  readonly value: unknown
  readonly mayBeAbsent: boolean
}

/** The literal fields of an object; of a union those that all its objects have. */
const literalFields = (ast: SchemaAST.AST): ReadonlyArray<LiteralField> => {
  if (SchemaAST.isUnion(ast)) {
    const [first = [], ...others] = ast.types.map(literalFields)
    return first.filter((field) => others.every((fields) => fields.some((other) => Equal.equals(other, field))))
  }
  if (!SchemaAST.isObjects(ast)) return []
  return ast.propertySignatures.flatMap(({ name, type }) =>
    type._tag === "Literal" ? [{ name, value: type.literal, mayBeAbsent: SchemaAST.isOptional(type) }] : []
  )
}

/** Objects that a field tells apart: the first literal field of which each has a value of its own. */
const variantRule = (ast: SchemaAST.Union): Rule => {
  const fields = ast.types.map(literalFields)
  const named = (name: PropertyKey) => fields.flatMap((each) => each.find((field) => field.name === name) ?? [])
  const isApart = ({ name }: LiteralField) => new Set(named(name).map(({ value }) => value)).size === ast.types.length
  const discriminator = fields[0]?.find(isApart)?.name ?? ""
  const tags = named(discriminator)
  const variants = ast.types.map(ruleOf)
  const rules = new Map(tags.map(({ value }, index) => [value, variants[index]]))
  const ofAbsent = variants[tags.findIndex(({ mayBeAbsent }) => mayBeAbsent)]
  const expected = quoted([...rules.keys()])
  return (input, issues) => {
    if (!Predicate.isObject(input)) return mismatch(issues, "object", input)
    const tag = member(input, discriminator)
    const rule = tag === undefined ? ofAbsent : rules.get(tag)
    if (rule !== undefined) return rule(input, issues)
    issues.report(`Invalid discriminator value. Expected ${expected}`, [discriminator])
    return invalid
  }
}

/** Unions of objects: the first whose checks accept the input, which tell the unions apart. */
const groupsRule = (ast: SchemaAST.Union): Rule => {
  const groups = ast.types.map((type) => ({ type, filters: filtersOf(type), rule: ruleOf(type) }))
  const checks = filtersOf(ast)
  return (input, issues) => {
    const before = issues.count
    const isOf = ({ filters, type }: (typeof groups)[number]) =>
      filters.every((filter) => filter.run(input, type, options) === undefined)
    const rule = Predicate.isObject(input) ? groups.find(isOf)?.rule : undefined
    const read = rule === undefined ? mismatch(issues, "object", input) : rule(input, issues)
    // The checks of such a union need fields that are all valid.
    if (issues.count > before || read === invalid) return invalid
    return passes(checks, ast, input, issues) && issues.count === before ? read : invalid
  }
}

const unionRule = (ast: SchemaAST.Union): Rule => {
  const others = ast.types.filter((type) => type._tag !== "Null")
  const [first] = others
  if (others.length < ast.types.length && first !== undefined) {
    const rule = ruleOf(first)
    return (input, issues) => (input === null ? null : rule(input, issues))
  }
  const message = ast.annotations?.["message"]
  if (Predicate.isString(message)) return anyOf(ast.types.map(ruleOf), message)
  if (ast.types.every(SchemaAST.isLiteral)) return oneOf(ast.types.map(({ literal }) => literal))
  return ast.types.every(SchemaAST.isUnion) ? groupsRule(ast) : variantRule(ast)
}

const ruleOf = (ast: SchemaAST.AST): Rule => {
  switch (ast._tag) {
    case "String":
      return valueRule(ast, "string")
    case "Number":
      return valueRule(ast, "number")
    case "Boolean":
      return valueRule(ast, "boolean")
    case "Literal":
      return literalRule(ast)
    case "Arrays": {
      const [element] = ast.rest
      if (element === undefined) break
      return listRule(ast, ruleOf(element))
    }
    case "Objects":
      return objectRule(ast)
    case "Union":
      return unionRule(ast)
    default:
  }
  throw new Error(`No rule is known for a schema of ${ast._tag}`)
}

const memoizedRule = memoize(ruleOf)

/** A request body as it was read. */
export interface ReadBody {
  /** The issues; empty if the body is valid. */
  readonly issues: ReadonlyArray<FieldIssue>
  /** The body with the defaults of its fields and without unknown fields. */
  readonly request: JsonObject
}

/**
 * Reads a request body by its schema. Issues have the texts, the paths and the order of the service: a check whose annotation
 * `message` is set reports it, types and values are reported as `Expected string, received number`. The annotation `default`
 * is the value of an absent field. Effect's own decoder accepts the same bodies.
 */
export const readBody = (schema: Schema.Constraint, body: unknown): ReadBody => {
  const issues = new Issues()
  const request = objectOf(memoizedRule(schema.ast)(body, issues))
  return { issues: issues.list, request: request ?? {} }
}
