import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { withFastDecoder } from "../schema/FastDecoder.ts"
import { Stamp } from "../schema/Stamp.ts"
import { type InvalidRequest, invalidRequest } from "./CallError.ts"
import { type FieldIssue, fieldIssues, formatPath } from "./FieldIssue.ts"

// Far beyond what a service reads, and well within the stack.
const deepest = 500

// In a graph of many objects there are more than anyone would read.
const most = 10

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * What JSON cannot say, and where it is: ten places at most. A field that no contract names may hold anything, and `JSON.stringify` would
 * make `null` of `NaN` and `{}` of a `Map`, leave out `undefined` and throw at a bigint.
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
  // Each object is gone into once: where many hold one another, the ways through them are beyond counting.
  const seen = new Set<object>()
  const outer = new Set<object>()

  const refuse = (path: ReadonlyArray<string | number>, what: string) =>
    void issues.push({ path: formatPath(path), message: `Expected JSON: ${what}` })

  const visit = (value: unknown, path: ReadonlyArray<string | number>): void => {
    if (issues.length === most) return
    if (value === null || Predicate.isString(value) || Predicate.isBoolean(value) || Number.isFinite(value)) return
    if (!Predicate.isObjectOrArray(value) || !(Array.isArray(value) || isPlain(value))) {
      return refuse(path, "a text, a finite number, true, false, null, a list or a plain object")
    }
    if (outer.has(value) || path.length === deepest) return refuse(path, "this stands inside itself, or too deep")
    if (seen.has(value)) return
    seen.add(value)
    outer.add(value)
    // The places of a list that hold nothing are gone through, too.
    if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index])
    else for (const [name, field] of Object.entries(value)) visit(field, [...path, name])
    outer.delete(value)
  }

  visit(value, [])
  return issues
}

/** By which schema a request was decoded, if it was. A copy of it tells nothing. */
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
 * Reads a request for a port that checks what it is called with, such as `ApiKeys.create`: called with the very value
 * that comes out of here, it does not check a second time. For whoever serves a port. What is wrong is told in full:
 * `fieldIssues` lists it.
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
 * Checks a request that did not come through {@link decodeRequest}: a caller in this process is held to the rules that
 * hold on the wire, for fields that no contract names as well. Gives a copy, which no later change of the caller's own
 * reaches. Fails with `InvalidRequest`, which names every field that is wrong.
 */
export const checked = <A extends object>(schema: Schema.Codec<A, unknown>) => {
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
