import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaCompiler from "effect/schema/SchemaCompiler"
import * as SchemaParser from "effect/SchemaParser"
import { keepsUnnamedFields } from "./UnnamedFields.ts"

const { invalid, missing } = SchemaCompiler
const defaults: SchemaAST.ParseOptions = {}

/** The decoded value, the input itself where nothing changes, or `invalid`: then the interpreter says what is wrong. */
type Decode = (input: unknown) => unknown

/** What has no shorter way: an instant, a secret, a closed struct, an array of fixed length. */
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

const nullOr =
  (decode: Decode): Decode =>
  (input) =>
    input === null ? input : decode(input)

// Where `null` is an alternative that no other one takes, it need not be tried last.
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

const arrayOf =
  (element: Decode): Decode =>
  (input) => {
    if (!Array.isArray(input)) return invalid
    const output: Array<unknown> = []
    for (const item of input) {
      const value = element(item)
      if (value === invalid) return invalid
      output.push(value)
    }
    return output
  }

const isPlain = (input: unknown): input is Readonly<Record<string, unknown>> =>
  Predicate.isObjectKeyword(input) &&
  Object.getPrototypeOf(input) === Object.prototype &&
  Object.getOwnPropertySymbols(input).length === 0

// The interpreter finds `toString` in every object; no object has any other name unless it was given it.
const isOrdinary = (name: PropertyKey): boolean => Predicate.isString(name) && !(name in Object.prototype)

const isOpen = (ast: SchemaAST.Objects): boolean =>
  keepsUnnamedFields(ast) && ast.propertySignatures.every(({ name }) => isOrdinary(name))

const open = (ast: SchemaAST.Objects): Decode => {
  const fields = ast.propertySignatures.map(({ name, type }) => ({
    name: String(name),
    decode: decoderOf(type),
    // With an encoding, even an absent field may become a value.
    mayBeAbsent: SchemaAST.isOptional(type) && type.encoding === undefined
  }))
  return (input) => {
    if (!isPlain(input)) return invalid
    // All fields at once, which is quicker than one by one; then only those that decode to something else. What is checked
    // is the copy: a getter may say something else the next time.
    const output: Record<string, unknown> = { ...input }
    for (const { decode, mayBeAbsent, name } of fields) {
      const value = output[name]
      if (value === undefined) {
        if (mayBeAbsent && !(name in input)) continue
        return invalid
      }
      const decoded = decode(value)
      if (decoded === value) continue
      if (decoded === invalid) return invalid
      output[name] = decoded
    }
    return output
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
    case "Arrays": {
      const [element, ...more] = ast.rest
      return element === undefined || more.length > 0 || ast.elements.length > 0
        ? undefined
        : arrayOf(decoderOf(element))
    }
    case "Objects":
      return isOpen(ast) ? open(ast) : undefined
    case "Union":
      return ast.options?.mode === "oneOf" ? undefined : firstOf(ast.types)
    default:
      return undefined
  }
}

const isTransformed = (ast: SchemaAST.AST): boolean =>
  ast.encoding !== undefined || ("encodingChecks" in ast && ast.encodingChecks !== undefined)

const decoderOf = (ast: SchemaAST.AST): Decode => {
  const decode = isTransformed(ast) ? undefined : unchecked(ast)
  if (decode === undefined) return interpreted(ast)
  const { checks } = ast
  if (checks === undefined) return decode
  return (input) => {
    const output = decode(input)
    return output !== invalid && checks.every((check) => holds(check, output, ast)) ? output : invalid
  }
}

const holds = (check: SchemaAST.Check<unknown>, value: unknown, ast: SchemaAST.AST): boolean =>
  check._tag === "Filter"
    ? check.run(value, ast, defaults) === undefined
    : check.checks.every((check) => holds(check, value, ast))

// `errors` says how much to tell of what is wrong, which is the interpreter's part anyway.
const saysOnlyErrors = (options: SchemaAST.ParseOptions): boolean => {
  for (const name in options) if (name !== "errors") return false
  return true
}

/**
 * Gives a schema of an open struct a decoder of its own, which reads a plain document three times as fast as the
 * interpreter, without compiling code at run time. Where that one finds something wrong, or meets what is no plain
 * document or another option than `errors`, the interpreter decodes anew and says what it is: every issue is still its
 * own. Decided in docs/adr/0014-direct-decode.md.
 */
export const decodesDirectly = <S extends Schema.Top>(schema: S): S => {
  const { ast } = schema
  // What is left to the interpreter here must not come back to this decoder from there.
  if (!SchemaAST.isObjects(ast) || isTransformed(ast) || !isOpen(ast)) return schema
  let direct: Decode | undefined
  let detailed: ReturnType<typeof SchemaParser.decodeUnknownEffect> | undefined
  SchemaCompiler.set(ast, {
    decode: (input, options) => (saysOnlyErrors(options) ? (direct ??= decoderOf(ast))(input) : invalid),
    decodeEffect: (input, options) =>
      input === missing
        ? Effect.succeed(missing)
        : // Another schema to the registry, the same in all else.
          (detailed ??= SchemaParser.decodeUnknownEffect(schema.annotate({})))(input, options)
  })
  return schema
}
