import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { decodesDirectly } from "../schema/DirectDecode.ts"
import { Itself } from "../schema/Itself.ts"
import type { InvalidRequest } from "./CallError.ts"
import { fieldIssues } from "./FieldIssue.ts"
import { invalidRequest } from "./invalidRequest.ts"
import { jsonIssues } from "./jsonIssues.ts"

/** By which schema a request was decoded, if it was. A copy of it tells nothing. */
class Decoded extends Itself<object> {
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
 * import { decodeRequest } from "@headgate/core/error"
 * import { ApiKeyCreate } from "@headgate/core/key"
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
  const check = Schema.decodeEffect(decodesDirectly(Schema.toType(schema)))
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
