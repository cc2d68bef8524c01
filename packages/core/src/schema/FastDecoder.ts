import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import * as SchemaCompiler from "effect/schema/SchemaCompiler"
import { type Decode, type Field, fieldReader } from "./fieldReader.ts"
import { keepsUnnamedFields } from "./unnamedFields.ts"

const { invalid, missing } = SchemaCompiler

const defaults: SchemaAST.ParseOptions = {}

const known = new WeakMap<SchemaAST.AST, Decode>()

/** Registers what encodes the values of a schema, as {@link registerDecoder} does what decodes them. */
export const registerEncoder =
  <A>(write: (value: unknown) => A | undefined) =>
  <S extends Schema.Codec<unknown, A>>(schema: S): S => {
    known.set(SchemaAST.flip(schema.ast), (value) => write(value) ?? invalid)
    return schema
  }

/**
 * Registers a fast decoder for a schema, which loose structs use where a field has this schema. `read` must return what
 * the schema decodes to, or `undefined` for a value that may be invalid: the interpreter decodes that one again. An absent
 * field must stay absent. The decoder is not used for a schema derived from this one, such as an optional one.
 */
export const registerDecoder =
  <A>(read: (input: unknown) => A | undefined) =>
  <S extends Schema.Codec<A, unknown>>(schema: S): S => {
    known.set(schema.ast, (input) => read(input) ?? invalid)
    return schema
  }

/** Decodes what has no fast decoder: a tuple, a record, another transformation. */
const interpreted = (ast: SchemaAST.AST): Decode => {
  const decode = SchemaParser.decodeUnknownExit(Schema.make<Schema.Codec<unknown>>(ast))
  return (input) => {
    const exit = decode(input)
    return Exit.isSuccess(exit) ? exit.value : invalid
  }
}

const ofType =
  (type: "string" | "number" | "boolean"): Decode =>
  (input) =>
    typeof input === type ? input : invalid

const equalTo =
  (value: unknown): Decode =>
  (input) =>
    input === value ? input : invalid

const isTextLiteral = (ast: SchemaAST.AST): boolean =>
  ast._tag === "Literal" && Predicate.isString(ast.literal) && !isTransformed(ast)

/** The type of which every value is valid and stays as it is, if there is one. */
const plainType = (ast: SchemaAST.AST): Field["type"] => {
  if (isTransformed(ast) || ast.checks !== undefined) return undefined
  switch (ast._tag) {
    case "String":
      return "string"
    case "Number":
      return "number"
    case "Boolean":
      return "boolean"
    case "Union": {
      if (ast.options?.mode === "oneOf") return undefined
      // In a union with String, string literals change nothing.
      const types = ast.types.filter((type) => type._tag !== "Null" && !isTextLiteral(type))
      const [only] = types
      return only !== undefined && types.length === 1 ? plainType(only) : undefined
    }
    default:
      return undefined
  }
}

const nullOr =
  (decode: Decode): Decode =>
  (input) =>
    input === null ? input : decode(input)

// If no other member of a union accepts `null`, it can be checked first.
const refusesNull = (ast: SchemaAST.AST): boolean => {
  const [link, ...more] = ast.encoding ?? []
  if (link !== undefined)
    return more.length === 0 && link.transformation._tag === "Transformation" && refusesNull(link.to)
  switch (ast._tag) {
    case "String":
    case "Number":
    case "Boolean":
    case "Arrays":
    case "Objects":
      return true
    case "Literal":
      return ast.literal !== null
    case "Union":
      return ast.types.every(refusesNull)
    default:
      return false
  }
}

const firstOf = (types: ReadonlyArray<SchemaAST.AST>): Decode => {
  const others = types.filter((type) => type._tag !== "Null")
  if (others.length < types.length && others.every(refusesNull)) return nullOr(firstOf(others))
  const members = types.map(decoderOf)
  const [only] = members
  if (members.length === 1 && only !== undefined) return only
  return (input) => {
    for (const member of members) {
      const output = member(input)
      if (output !== invalid) return output
    }
    return invalid
  }
}

const arrayOf = (ast: SchemaAST.Arrays, element: Decode): Decode => {
  const lengths = filtersOf(ast).filter(isStructural)
  return (input) => {
    if (!Array.isArray(input)) return invalid
    // A list of a million elements must not be decoded only to find that it may have fifty.
    if (issueOf(lengths, ast, input) !== undefined) return invalid
    // A copy, because an array that grows by `push` allocates more than it needs, and stores keep documents.
    const output: Array<unknown> = [...input]
    for (let index = 0; index < output.length; index++) {
      const value = element(output[index])
      if (value === invalid) return invalid
      output[index] = value
    }
    return output
  }
}

type PlainObject = Readonly<Record<string, unknown>>

const isPlain = (input: unknown): input is PlainObject =>
  Predicate.isObjectKeyword(input) && Object.getPrototypeOf(input) === Object.prototype

// The interpreter reads inherited properties such as `toString` as well, so their names are left to it.
const isOrdinary = (name: PropertyKey): boolean => Predicate.isString(name) && !(name in Object.prototype)

const hasOrdinaryNames = (ast: SchemaAST.Objects): boolean =>
  ast.propertySignatures.every(({ name }) => isOrdinary(name))

const isLoose = (ast: SchemaAST.Objects): boolean => keepsUnnamedFields(ast) && hasOrdinaryNames(ast)

/** Whether an object has named fields alone, such as the parameters of a path: others are dropped. */
const isClosed = (ast: SchemaAST.Objects): boolean =>
  ast.indexSignatures.length === 0 && ast.propertySignatures.length > 0 && hasOrdinaryNames(ast)

const acceptsNull = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast) &&
  !isTransformed(ast) &&
  ast.checks === undefined &&
  ast.options?.mode !== "oneOf" &&
  ast.types.some((type) => type._tag === "Null") &&
  ast.types.every((type) => type._tag === "Null" || refusesNull(type))

/** The decoder of an AST, built when it is first used: most pipes have one of the eight kinds of sources. */
const lazyDecoder = (ast: SchemaAST.AST): Decode => {
  let decode: Decode | undefined
  return (input) => (decode ??= decoderOf(ast))(input)
}

const fieldOf = ({ name, type }: SchemaAST.PropertySignature): Field => ({
  name: String(name),
  type: plainType(type),
  mayBeNull: acceptsNull(type),
  // With an encoding, an absent field may decode to a value.
  mayBeAbsent: SchemaAST.isOptional(type) && (type.encoding === undefined || known.has(type)),
  decode: lazyDecoder(type)
})

/** Keeps the fields with these names. */
const pick =
  (names: ReadonlyArray<string>) =>
  (input: PlainObject): PlainObject => {
    const picked: Record<string, unknown> = {}
    for (const name of names) if (name in input) picked[name] = input[name]
    return picked
  }

const objectOf = (ast: SchemaAST.Objects): Decode => {
  const structural = filtersOf(ast).filter(isStructural)
  const fields = ast.propertySignatures.map(fieldOf)
  const read = fieldReader(fields)
  const kept = isLoose(ast) ? (input: PlainObject) => input : pick(fields.map(({ name }) => name))
  return (input) => {
    if (!isPlain(input)) return invalid
    // As for a list: fields that are refused are not copied.
    if (issueOf(structural, ast, input) !== undefined) return invalid
    return read(kept(input))
  }
}

/** A struct of texts with other names on the wire: the parameters of a path, in a dialect. */
const renamedTexts = (ast: SchemaAST.AST): Decode | undefined => {
  const [link, ...more] = ast.encoding ?? []
  if (link?.transformation._tag !== "Transformation" || more.length > 0 || !SchemaAST.isObjects(ast)) return undefined
  const { decode } = link.transformation
  const hasTexts = ast.propertySignatures.every(({ type }) => SchemaAST.isString(type) && !isTransformed(type))
  if (decode._tag !== "Transform" || !hasTexts) return undefined
  const [onWire, texts] = [decoderOf(link.to), decoderOf(SchemaAST.toType(ast))]
  return (input) => {
    const sent = onWire(input)
    return sent === invalid ? invalid : texts(decode.transform(sent))
  }
}

const unchecked = (ast: SchemaAST.AST): Decode | undefined => {
  switch (ast._tag) {
    case "Null":
      return equalTo(null)
    case "String":
      return ofType("string")
    case "Number":
      return ofType("number")
    case "Boolean":
      return ofType("boolean")
    case "Literal":
      return equalTo(ast.literal)
    case "Unknown":
      return (input) => input
    case "Arrays": {
      const [element, ...more] = ast.rest
      return element === undefined || more.length > 0 || ast.elements.length > 0
        ? undefined
        : arrayOf(ast, decoderOf(element))
    }
    case "Objects":
      return isLoose(ast) || isClosed(ast) ? objectOf(ast) : undefined
    case "Union":
      return ast.options?.mode === "oneOf" ? undefined : firstOf(ast.types)
    default:
      return undefined
  }
}

/** Whether an AST has a transformation between what is decoded and what it describes. */
export const isTransformed = (ast: SchemaAST.AST): boolean =>
  ast.encoding !== undefined || ("encodingChecks" in ast && ast.encodingChecks !== undefined)

const filtersIn = (check: SchemaAST.Check<unknown>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  check._tag === "Filter" ? [check] : check.checks.flatMap(filtersIn)

const filtersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.Filter<unknown>> => ast.checks?.flatMap(filtersIn) ?? []

/** The checks of a value before it is encoded. */
const encodingFiltersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  "encodingChecks" in ast ? (ast.encodingChecks?.flatMap(filtersIn) ?? []) : []

// Effect marks the checks that need no decoded parts.
const isStructural = (filter: SchemaAST.Filter<unknown>): boolean => filter.annotations?.["~structural"] === true

/** The issue of the first check that a value does not pass. */
const issueOf = (
  filters: ReadonlyArray<SchemaAST.Filter<unknown>>,
  ast: SchemaAST.AST,
  value: unknown
): SchemaIssue.Issue | undefined => {
  for (const filter of filters) {
    const issue = filter.run(value, ast, defaults)
    if (issue !== undefined) return new SchemaIssue.Filter(filter, issue)
  }
  return undefined
}

/** The issue of what can be checked before the parts are decoded: the length of a list, the names of fields. */
export const structuralIssue = (
  ast: SchemaAST.Arrays | SchemaAST.Objects,
  input: object
): SchemaIssue.Issue | undefined => issueOf(filtersOf(ast).filter(isStructural), ast, input)

/** The fast decoder of an AST. What it does not accept may still be valid: the interpreter decides. */
export const decoderOf = (ast: SchemaAST.AST): Decode => {
  const direct = known.get(ast)
  if (direct !== undefined) return direct
  if (ast.encoding !== undefined) return renamedTexts(ast) ?? interpreted(ast)
  const decode = unchecked(ast)
  if (decode === undefined) return interpreted(ast)
  const before = encodingFiltersOf(ast)
  // The length of a list and the names of fields are checked before the parts.
  const hasParts = SchemaAST.isArrays(ast) || SchemaAST.isObjects(ast)
  const filters = filtersOf(ast).filter((filter) => !(hasParts && isStructural(filter)))
  if (filters.length === 0 && before.length === 0) return decode
  return (input) => {
    if (issueOf(before, ast, input) !== undefined) return invalid
    const output = decode(input)
    if (output === invalid) return invalid
    return issueOf(filters, ast, output) === undefined ? output : invalid
  }
}

/**
 * The fast decoder of a schema of objects, without the interpreter: `undefined` for a value that may be invalid. It is built
 * at its first use.
 */
export const fastDecoder = <A extends object>(schema: Schema.Codec<A, unknown>) => {
  const decode = lazyDecoder(schema.ast)
  return (input: unknown): A | undefined => {
    const output = decode(input)
    // The decoder was built from the AST of this schema, which has no types.
    return output === invalid ? undefined : (output as A)
  }
}

/** The fast encoder of a schema, without the interpreter: `undefined` for a value that may be invalid. */
export const fastEncoder = <A>(schema: Schema.Codec<A, unknown>) => {
  let encode: Decode | undefined
  return (value: unknown): unknown => {
    // To encode is to decode in the other direction.
    encode ??= decoderOf(SchemaAST.flip(schema.ast))
    const output = encode(value)
    return output === invalid ? undefined : output
  }
}

// `errors` selects how many issues are reported, and issues come from the interpreter anyway.
const hasOnlyErrors = (options: SchemaAST.ParseOptions): boolean => {
  for (const name in options) if (name !== "errors") return false
  return true
}

/**
 * Gives the schema of a loose struct a decoder that is three times as fast as effect's interpreter. If this decoder finds an invalid value, an object with a prototype, or a parse option other than `errors`,
 * the interpreter decodes the input again, so that every issue is effect's own. See docs/adr/0014-direct-decode.md.
 */
export const withFastDecoder = <S extends Schema.Top>(schema: S): S => {
  const { ast } = schema
  // A schema that this decoder leaves to the interpreter must not be registered: they would call each other.
  if (!SchemaAST.isObjects(ast) || isTransformed(ast) || !isLoose(ast)) return schema
  const direct = lazyDecoder(ast)
  let detailed: ReturnType<typeof SchemaParser.decodeUnknownEffect> | undefined
  SchemaCompiler.set(ast, {
    decode: (input, options) => (hasOnlyErrors(options) ? direct(input) : invalid),
    decodeEffect: (input, options) =>
      input === missing
        ? Effect.succeed(missing)
        : // A copy that is not registered, so the interpreter decodes it.
          (detailed ??= SchemaParser.decodeUnknownEffect(schema.annotate({})))(input, options)
  })
  return schema
}
