import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaParser from "effect/SchemaParser"
import * as SchemaCompiler from "effect/schema/SchemaCompiler"
import { keepsUnnamedFields } from "./LooseStruct.ts"

const { invalid, missing } = SchemaCompiler

/** The decoded value, the input itself where nothing changes, or `invalid`: then the interpreter says what is wrong. */
export type Decode = (input: unknown) => unknown

/** A named field of an open struct. Most fields need no more than their type to be told right. */
export interface Field {
  readonly name: string
  /** A value of this type is right, and stays as it is. */
  readonly type: "string" | "number" | "boolean" | undefined
  /** `null` is right, and stays. */
  readonly mayBeNull: boolean
  readonly mayBeAbsent: boolean
  /** For every other value. */
  readonly decode: Decode
}

/** Reads a plain object of which some fields are named. */
export type ReadFields = (input: Readonly<Record<string, unknown>>) => unknown

// All fields are copied at once, which is quicker than one by one; then those are written that decode to something else.
// What is checked is the copy: a getter may say something else the next time.

/** Reads the fields in a loop. */
export const inLoop = (fields: ReadonlyArray<Field>): ReadFields => {
  return (input) => {
    const output: Record<string, unknown> = { ...input }
    for (const { decode, mayBeAbsent, mayBeNull, name, type } of fields) {
      const value = output[name]
      if (typeof value === type || (mayBeNull && value === null)) continue
      if (value === undefined) {
        if (mayBeAbsent && !(name in input)) continue
        return invalid
      }
      const decoded = decode(value)
      if (decoded === invalid) return invalid
      if (decoded !== value) output[name] = decoded
    }
    return output
  }
}

const step = ({ mayBeAbsent, mayBeNull, name, type }: Field, index: number): string => {
  const key = JSON.stringify(name)
  const isRight = [type && `typeof value === "${type}"`, mayBeNull && "value === null"].filter(Boolean).join(" || ")
  return `
    value = output[${key}]
    if (!(${isRight || "false"})) {
      if (value === undefined) {
        if (${mayBeAbsent ? `${key} in input` : "true"}) return invalid
      } else {
        const decoded = decode${index}(value)
        if (decoded === invalid) return invalid
        if (decoded !== value) output[${key}] = decoded
      }
    }`
}

/** Reads the fields by code that is written for them: where none may be made at run time, in a loop. */
export const byCode = (fields: ReadonlyArray<Field>): ReadFields => {
  const decoders = fields.map((_, index) => `decode${index}`)
  const code = `return (input) => {
    const output = { ...input }
    let value${fields.map(step).join("")}
    return output
  }`
  try {
    // The names are those of a schema, quoted; nothing of a document gets here.
    return new Function("invalid", ...decoders, code)(invalid, ...fields.map(({ decode }) => decode))
  } catch {
    return inLoop(fields)
  }
}

const defaults: SchemaAST.ParseOptions = {}

const known = new WeakMap<SchemaAST.AST, Decode>()

/**
 * Tells how the values of a schema are read directly, for the open structs that have it in a field. `undefined` says
 * that a value may be wrong: then the interpreter decides. It must give what the schema itself decodes to, and absent
 * must stay absent. A schema that is made of it, such as an optional one, is another schema.
 */
export const registerDecoder =
  <A>(read: (input: unknown) => A | undefined) =>
  <S extends Schema.Codec<A, unknown>>(schema: S): S => {
    known.set(schema.ast, (input) => read(input) ?? invalid)
    return schema
  }

/** What has no shorter way: a closed struct, an array of fixed length, a transformation that is not known here. */
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

/** The type whose every value an AST takes as it is, if there is one. */
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
      // Beside any text, texts that are known by name change nothing.
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
    // One that grows keeps room for more, and documents are kept.
    const output: Array<unknown> = [...input]
    for (let index = 0; index < output.length; index++) {
      const value = element(output[index])
      if (value === invalid) return invalid
      output[index] = value
    }
    return output
  }

const isPlain = (input: unknown): input is Readonly<Record<string, unknown>> =>
  Predicate.isObjectKeyword(input) && Object.getPrototypeOf(input) === Object.prototype

// The interpreter finds `toString` in every object; no object has any other name unless it was given it.
const isOrdinary = (name: PropertyKey): boolean => Predicate.isString(name) && !(name in Object.prototype)

const isOpen = (ast: SchemaAST.Objects): boolean =>
  keepsUnnamedFields(ast) && ast.propertySignatures.every(({ name }) => isOrdinary(name))

const acceptsNull = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast) &&
  !isTransformed(ast) &&
  ast.checks === undefined &&
  ast.options?.mode !== "oneOf" &&
  ast.types.some((type) => type._tag === "Null") &&
  ast.types.every((type) => type._tag === "Null" || refusesNull(type))

const fieldOf = ({ name, type }: SchemaAST.PropertySignature): Field => ({
  name: String(name),
  type: plainType(type),
  mayBeNull: acceptsNull(type),
  // With an encoding, even an absent field may become a value.
  mayBeAbsent: SchemaAST.isOptional(type) && (type.encoding === undefined || known.has(type)),
  decode: decoderOf(type)
})

let reader = inLoop

/**
 * Has open structs decoded by code that is made for them at run time: a third faster, for a program of its own such as a
 * server. Where no code may be made (a page's content security policy, some edge runtimes) it changes nothing, though a
 * browser may report the attempt.
 *
 * @example
 * ```ts
 * import { compileDecoders } from "@headgate/core/adapter"
 *
 * compileDecoders()
 * ```
 */
export const compileDecoders = (compile = true): void => {
  reader = compile ? byCode : inLoop
}

const open = (ast: SchemaAST.Objects): Decode => {
  const read = reader(ast.propertySignatures.map(fieldOf))
  return (input) => (isPlain(input) ? read(input) : invalid)
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

const filtersOf = (check: SchemaAST.Check<unknown>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  check._tag === "Filter" ? [check] : check.checks.flatMap(filtersOf)

const decoderOf = (ast: SchemaAST.AST): Decode => {
  const direct = known.get(ast)
  if (direct !== undefined) return direct
  const decode = isTransformed(ast) ? undefined : unchecked(ast)
  if (decode === undefined) return interpreted(ast)
  const filters = ast.checks?.flatMap(filtersOf) ?? []
  if (filters.length === 0) return decode
  return (input) => {
    const output = decode(input)
    if (output === invalid) return invalid
    for (const filter of filters) if (filter.run(output, ast, defaults) !== undefined) return invalid
    return output
  }
}

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
export const withFastDecoder = <S extends Schema.Top>(schema: S): S => {
  const { ast } = schema
  // What is left to the interpreter here must not come back to this decoder from there.
  if (!SchemaAST.isObjects(ast) || isTransformed(ast) || !isOpen(ast)) return schema
  let direct: Decode | undefined
  let madeBy: typeof reader | undefined
  let detailed: ReturnType<typeof SchemaParser.decodeUnknownEffect> | undefined
  SchemaCompiler.set(ast, {
    decode: (input, options) => {
      if (!saysOnlyErrors(options)) return invalid
      if (direct === undefined || madeBy !== reader) {
        direct = decoderOf(ast)
        madeBy = reader
      }
      return direct(input)
    },
    decodeEffect: (input, options) =>
      input === missing
        ? Effect.succeed(missing)
        : // Another schema to the registry, the same in all else.
          (detailed ??= SchemaParser.decodeUnknownEffect(schema.annotate({})))(input, options)
  })
  return schema
}
