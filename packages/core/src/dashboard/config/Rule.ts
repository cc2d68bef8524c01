import * as Predicate from "effect/Predicate"
import type { FieldIssue } from "../../error/FieldIssue.ts"

/** An object of JSON. Rules over several fields compare the values of its fields, whatever their type is. */
export interface JsonObject {
  readonly [name: string]: unknown
}

/** The most issues of one body that are reported. The search stops there: a body may have hundreds of thousands. */
const maxReported = 100

// A value of the request that is repeated in a message is cut to this length.
const maxEcho = 200

/** The issues of one request body, and the path of the value that is being read: `tiles.0.config.select.1.aggFn`. */
export class Issues {
  readonly #found: Array<FieldIssue> = []
  readonly #path: Array<string | number> = []

  get count(): number {
    return this.#found.length
  }

  get isFull(): boolean {
    return this.count > maxReported
  }

  /** All issues that were reported. After {@link maxReported}, one without a path says that there are more. */
  get list(): ReadonlyArray<FieldIssue> {
    return this.#found
  }

  /** Reports an issue of the value that is being read, or of one below it. */
  report(message: string, ...below: ReadonlyArray<string | number>): void {
    if (this.isFull) return
    this.#found.push(
      this.count === maxReported
        ? { path: "", message: `and more: only the first ${maxReported} are listed` }
        : { path: [...this.#path, ...below].join("."), message }
    )
  }

  /** Reads a value one level below. */
  below(key: string | number, rule: Rule, input: unknown): unknown {
    this.#path.push(key)
    const read = rule(input, this)
    this.#path.pop()
    return read
  }
}

/**
 * The result of a value that has the wrong type. The checks of the object around it do not run then; they do run after a value
 * that has the right type and breaks a bound, as in the service.
 */
export const invalid = Symbol("invalid")

/**
 * Reads one value of a request: it reports what is wrong and returns the value as it is stored, without unknown fields.
 * `undefined` is an absent value. The texts are those of the service, which clients and their tests match.
 */
export type Rule = (input: unknown, issues: Issues) => unknown

const typeOf = (input: unknown): string => (input === null ? "null" : Array.isArray(input) ? "array" : typeof input)

const mismatch = (issues: Issues, expected: string, input: unknown): typeof invalid => {
  issues.report(input === undefined ? "Required" : `Expected ${expected}, received ${typeOf(input)}`)
  return invalid
}

const quoted = (values: ReadonlyArray<string>): string => values.map((value) => `'${value}'`).join(" | ")

interface TextBounds {
  readonly min?: number
  readonly max?: number
  readonly pattern?: RegExp
  /** The message of a text that is too short. */
  readonly tooShort?: string
}

export const text =
  ({ max = Infinity, min = 0, pattern, tooShort }: TextBounds = {}): Rule =>
  (input, issues) => {
    if (!Predicate.isString(input)) return mismatch(issues, "string", input)
    if (input.length < min) issues.report(tooShort ?? `String must contain at least ${min} character(s)`)
    if (input.length > max) issues.report(`String must contain at most ${max} character(s)`)
    if (pattern !== undefined && input.length <= max && !pattern.test(input)) issues.report("Invalid")
    return input
  }

/** The id of a stored resource: 24 hex digits, or any text of 12 characters, which the service takes too. */
export const objectId: Rule = (input, issues) => {
  if (!Predicate.isString(input)) return mismatch(issues, "string", input)
  if (input.length !== 12 && !/^[0-9a-f]{24}$/i.test(input)) issues.report("Invalid ObjectId")
  return input
}

interface NumberBounds {
  readonly min?: number
  readonly max?: number
  readonly isInteger?: boolean
}

export const number =
  ({ isInteger = false, max = Infinity, min = -Infinity }: NumberBounds = {}): Rule =>
  (input, issues) => {
    if (!Predicate.isNumber(input)) return mismatch(issues, "number", input)
    // `1e400` in JSON is read as `Infinity`, which JSON cannot store.
    if (!Number.isFinite(input)) {
      issues.report("Number must be finite")
      return invalid
    }
    if (isInteger && !Number.isInteger(input)) issues.report("Expected integer, received float")
    if (input < min) issues.report(`Number must be greater than or equal to ${min}`)
    if (input > max) issues.report(`Number must be less than or equal to ${max}`)
    return input
  }

export const flag: Rule = (input, issues) => (Predicate.isBoolean(input) ? input : mismatch(issues, "boolean", input))

/** One of some texts. */
export const oneOf = (values: ReadonlyArray<string>): Rule => {
  const known = new Set<unknown>(values)
  return (input, issues) => {
    if (!Predicate.isString(input)) return mismatch(issues, quoted(values), input)
    if (known.has(input)) return input
    issues.report(`Invalid enum value. Expected ${quoted(values)}, received '${input.slice(0, maxEcho)}'`)
    return invalid
  }
}

/** Exactly one value. */
export const literal =
  (value: string): Rule =>
  (input, issues) => {
    if (input === value) return value
    issues.report(`Invalid literal value, expected "${value}"`)
    return invalid
  }

/** A value that one of the rules reads without an issue. */
export const anyOf =
  (rules: ReadonlyArray<Rule>): Rule =>
  (input, issues) => {
    for (const rule of rules) {
      const tried = new Issues()
      const read = rule(input, tried)
      if (tried.count === 0) return read
    }
    issues.report("Invalid input")
    return invalid
  }

/** One of some numbers or texts, with the message of {@link anyOf}. */
export const anyValueOf =
  (values: ReadonlyArray<string | number>): Rule =>
  (input, issues) => {
    const found = values.find((value) => value === input)
    if (found === undefined) issues.report("Invalid input")
    return found ?? invalid
  }

export const optional =
  (rule: Rule): Rule =>
  (input, issues) =>
    input === undefined ? undefined : rule(input, issues)

export const withDefault =
  (rule: Rule, value: unknown): Rule =>
  (input, issues) =>
    input === undefined ? value : rule(input, issues)

export const nullable =
  (rule: Rule): Rule =>
  (input, issues) =>
    input === null ? null : rule(input, issues)

interface ListBounds {
  readonly min?: number
  readonly max?: number
  /** Whether the message for a wrong length says `exactly`. For a pair it says `at least` or `at most`. */
  readonly isExact?: boolean
  /** Checks the list after its elements. */
  readonly check?: (list: ReadonlyArray<unknown>, issues: Issues) => void
}

export const list =
  (element: Rule, { check, isExact = false, max = Infinity, min = 0 }: ListBounds = {}): Rule =>
  (input, issues) => {
    if (!Array.isArray(input)) return mismatch(issues, "array", input)
    if (input.length > max) {
      issues.report(`Array must contain ${isExact ? "exactly" : "at most"} ${max} element(s)`)
      return invalid
    }
    if (input.length < min) issues.report(`Array must contain ${isExact ? "exactly" : "at least"} ${min} element(s)`)
    const read: Array<unknown> = []
    for (const [index, value] of input.entries()) {
      if (issues.isFull) return invalid
      const one = issues.below(index, element, value)
      if (one !== invalid) read.push(one)
    }
    if (read.length < input.length) return invalid
    check?.(read, issues)
    return read
  }

/** The rules of the fields of an object, in the order in which their issues are reported. */
export type Fields = Readonly<Record<string, Rule>>

interface ObjectOptions {
  /** Whether unknown fields are refused. Otherwise they are dropped. */
  readonly isStrict?: boolean
  /** Checks the fields together. It runs if every field has the right type. */
  readonly check?: (read: JsonObject, issues: Issues) => void
}

const member = (input: object, name: string): unknown =>
  Object.hasOwn(input, name) ? Reflect.get(input, name) : undefined

export const object = (fields: Fields, { check, isStrict = false }: ObjectOptions = {}): Rule => {
  const entries = Object.entries(fields)
  return (input, issues) => {
    if (!Predicate.isObject(input)) return mismatch(issues, "object", input)
    const read: Record<string, unknown> = {}
    let isValid = true
    for (const [name, rule] of entries) {
      const value = issues.below(name, rule, member(input, name))
      if (value === invalid) isValid = false
      else if (value !== undefined) read[name] = value
    }
    if (isStrict) {
      const unknown = Object.keys(input).filter((name) => !Object.hasOwn(fields, name))
      const echoed = unknown.slice(0, maxReported).map((name) => `'${name.slice(0, maxEcho)}'`)
      if (unknown.length > 0) issues.report(`Unrecognized key(s) in object: ${echoed.join(", ")}`)
    }
    if (!isValid) return invalid
    check?.(read, issues)
    return read
  }
}

/** An object whose field `discriminator` tells which fields it has. */
export const variant = (discriminator: string, variants: Readonly<Record<string, Fields>>): Rule => {
  const rules = new Map<unknown, Rule>(
    Object.entries(variants).map(([name, fields]) => [name, object({ [discriminator]: literal(name), ...fields })])
  )
  const expected = quoted(Object.keys(variants))
  return (input, issues) => {
    if (!Predicate.isObject(input)) return mismatch(issues, "object", input)
    const rule = rules.get(member(input, discriminator))
    if (rule !== undefined) return rule(input, issues)
    issues.report(`Invalid discriminator value. Expected ${expected}`, discriminator)
    return invalid
  }
}

/** The value, if it is an object. */
export const objectOf = (value: unknown): JsonObject | undefined => (Predicate.isObject(value) ? value : undefined)

/** The objects of a list that was read; none if the field is absent. */
export const objectsOf = (value: unknown): ReadonlyArray<JsonObject> =>
  Array.isArray(value) ? value.filter(Predicate.isObject) : []
