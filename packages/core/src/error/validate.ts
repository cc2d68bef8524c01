import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Stamp } from "../schema/Stamp.ts"
import { fastDecoder } from "../schema/FastDecoder.ts"
import { type InvalidRequest, invalidRequest } from "./CallError.ts"
import { type FieldIssue, fieldIssues, formatPath, IssueCollector } from "./FieldIssue.ts"
import { requestIssues } from "./requestIssues.ts"

// Far deeper than any request, and far from a stack overflow.
const maxDepth = 500

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const isLeaf = (value: unknown): boolean =>
  value === null || Predicate.isString(value) || Predicate.isBoolean(value) || Number.isFinite(value)

/** Finds values that JSON does not have and `isDecoded` does not accept. */
const findIssues = (value: unknown, isDecoded: (value: unknown) => boolean): ReadonlyArray<FieldIssue> => {
  const found = new IssueCollector()
  // Each object is visited once: with shared objects, the number of paths can be exponential.
  const seen = new Set<object>()
  const ancestors = new Set<object>()

  const report = (path: ReadonlyArray<string | number>, what: string) =>
    found.report({ path: formatPath(path), message: `Expected JSON: ${what}` })

  const visit = (value: unknown, path: ReadonlyArray<string | number>): void => {
    if (found.isFull) return
    if (isLeaf(value)) return
    if (!Predicate.isObjectOrArray(value) || !(Array.isArray(value) || isPlain(value))) {
      return isDecoded(value)
        ? undefined
        : report(path, "a text, a finite number, true, false, null, a list or a plain object")
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
  return found.issues
}

/**
 * Finds values that JSON does not have: the first 20, and the number of the others. An unknown field may hold any value, and
 * `JSON.stringify` would write `NaN` as `null` and a `Map` as `{}`, omit `undefined` and throw on a bigint.
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
export const jsonIssues = (value: unknown): ReadonlyArray<FieldIssue> => findIssues(value, () => false)

/**
 * {@link jsonIssues} of a decoded document, which may hold times and secrets. A number of JSON may be too large for
 * JavaScript: `1e400` is read as `Infinity`, and would be stored as `null`.
 */
export const documentIssues = (document: unknown): ReadonlyArray<FieldIssue> =>
  findIssues(document, (value) => value === undefined || Predicate.isObject(value))

/** Whether parsed JSON has no number that is too large for JavaScript. */
const isFiniteJson = (value: unknown): boolean =>
  Predicate.isNumber(value)
    ? Number.isFinite(value)
    : !Predicate.isObjectOrArray(value) || Object.values(value).every(isFiniteJson)

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

/**
 * Decodes a request from outside for a port that validates its requests, such as `ApiKeys.create`. The port does not
 * validate the decoded value a second time. Fails with `InvalidRequest`, which names the first 20 bad fields and says how many
 * more there are.
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
  const decode = fastDecoder(schema)
  const issuesOf = requestIssues(schema)
  const interpret = Schema.decodeUnknownEffect(schema)
  return (input: unknown): Effect.Effect<A, InvalidRequest> => {
    const request = decode(input)
    if (request !== undefined && isFiniteJson(input)) return Effect.succeed(Decoded.mark(request, schema))
    const issues = request === undefined ? issuesOf(input) : jsonIssues(input)
    return issues.length > 0
      ? Effect.fail(invalidRequest(issues))
      : Effect.mapBoth(interpret(input), {
          onFailure: (error) => invalidRequest(fieldIssues(error)),
          onSuccess: (request) => Decoded.mark(request, schema)
        })
  }
}

/**
 * Validates a request of a caller in this process with the rules for requests over HTTP, unknown fields included. Returns a
 * copy, so that later changes by the caller have no effect. A request from {@link decodeRequest} is returned as it is. Fails
 * with `InvalidRequest`, which names every wrong field.
 */
export const validate = <A extends object>(schema: Schema.Codec<A, unknown>) => {
  const issuesOf = requestIssues(Schema.toType(schema))
  const encode = Schema.encodeEffect(schema)
  const decode = Schema.decodeUnknownEffect(schema)

  const copied = Effect.fnUntraced(
    function* (request: A) {
      const wrong = issuesOf(request)
      if (wrong.length > 0) return yield* invalidRequest(wrong)
      const document = yield* encode(request)
      const notJson = jsonIssues(document)
      if (notJson.length > 0) return yield* invalidRequest(notJson)
      return yield* decode(JSON.parse(JSON.stringify(document)))
    },
    Effect.catchTag("SchemaError", (error) => invalidRequest(fieldIssues(error)))
  )

  return (request: A): Effect.Effect<A, InvalidRequest> =>
    Decoded.by(request, schema) ? Effect.succeed(request) : copied(request)
}
