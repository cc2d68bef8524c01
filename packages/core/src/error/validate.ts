import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { withFastDecoder } from "../schema/FastDecoder.ts"
import { Stamp } from "../schema/Stamp.ts"
import { type InvalidRequest, invalidRequest } from "./CallError.ts"
import { type FieldIssue, fieldIssues, formatPath } from "./FieldIssue.ts"

// Far deeper than any request, and far from a stack overflow.
const maxDepth = 500

// Nobody reads more.
const maxIssues = 10

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Finds values that JSON does not have, at most ten of them. An unknown field may hold any value, and `JSON.stringify` would
 * write `NaN` as `null` and a `Map` as `{}`, omit `undefined` and throw on a bigint.
 *
 * @example
 * ```ts
 * import { formatFieldIssues } from "@headgate/core"
 * import { jsonIssues } from "@headgate/core/adapter"
 *
 * console.log(formatFieldIssues(jsonIssues({ name: "ci", owner: { since: Number.NaN } })))
 * // owner.since: Expected JSON: a text, a finite number, true, false, null, a list or a plain object
 * ```
 */
export const jsonIssues = (value: unknown): ReadonlyArray<FieldIssue> => {
  const issues: Array<FieldIssue> = []
  // Each object is visited once: with shared objects, the number of paths can be exponential.
  const seen = new Set<object>()
  const ancestors = new Set<object>()

  const report = (path: ReadonlyArray<string | number>, what: string) =>
    void issues.push({ path: formatPath(path), message: `Expected JSON: ${what}` })

  const visit = (value: unknown, path: ReadonlyArray<string | number>): void => {
    if (issues.length === maxIssues) return
    if (value === null || Predicate.isString(value) || Predicate.isBoolean(value) || Number.isFinite(value)) return
    if (!Predicate.isObjectOrArray(value) || !(Array.isArray(value) || isPlain(value))) {
      return report(path, "a text, a finite number, true, false, null, a list or a plain object")
    }
    if (ancestors.has(value) || path.length === maxDepth)
      return report(path, "a value without cycles, at most 500 levels deep")
    if (seen.has(value)) return
    seen.add(value)
    ancestors.add(value)
    // `entries` visits the holes of a sparse array, too.
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index])
    else for (const [name, field] of Object.entries(value)) visit(field, [...path, name])
    ancestors.delete(value)
  }

  visit(value, [])
  return issues
}

/** Marks a request as decoded by a schema. A copy of the request is not marked. */
class Decoded extends Stamp<object> {
  readonly #by: Schema.Top
  private constructor(request: object, schema: Schema.Top) {
    super(request)
    this.#by = schema
  }
  static mark<A extends object>(request: A, schema: Schema.Top): A {
    void new Decoded(request, schema)
    return request
  }
  static by(request: object, schema: Schema.Top): boolean {
    return #by in request && request.#by === schema
  }
}

const allErrors = { errors: "all" } as const

/**
 * Decodes a request from outside for a port that validates its requests, such as `ApiKeys.create`. The port does not
 * validate the decoded value a second time. The error holds all issues, for `fieldIssues`.
 *
 * @example
 * ```ts
 * import { decodeRequest } from "@headgate/core/adapter"
 * import { ApiKeyCreate } from "@headgate/core"
 * import * as Effect from "effect/Effect"
 *
 * const read = decodeRequest(ApiKeyCreate)
 * console.log((await Effect.runPromise(read({ name: "ci" }))).name) // ci
 * ```
 */
export const decodeRequest = <A extends object>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  const mark = (request: A) => Decoded.mark(request, schema)
  return (input: unknown): Effect.Effect<A, Schema.SchemaError> => Effect.mapEager(decode(input, allErrors), mark)
}

/**
 * Validates a request of a caller in this process with the rules for requests over HTTP, unknown fields included. Returns a
 * copy, so that later changes by the caller have no effect. A request from {@link decodeRequest} is returned as it is. Fails
 * with `InvalidRequest`, which names every wrong field.
 */
export const validate = <A extends object>(schema: Schema.Codec<A, unknown>) => {
  const check = Schema.decodeEffect(withFastDecoder(Schema.toType(schema)))
  const encode = Schema.encodeEffect(schema)
  const decode = Schema.decodeUnknownEffect(schema)

  const copied = Effect.fnUntraced(
    function* (request: A) {
      yield* check(request, allErrors)
      const document = yield* encode(request)
      const issues = jsonIssues(document)
      if (issues.length > 0) return yield* invalidRequest(issues)
      return yield* decode(JSON.parse(JSON.stringify(document)))
    },
    Effect.catchTag("SchemaError", (error) => invalidRequest(fieldIssues(error)))
  )

  return (request: A): Effect.Effect<A, InvalidRequest> =>
    Decoded.by(request, schema) ? Effect.succeed(request) : copied(request)
}
