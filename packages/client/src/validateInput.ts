import { type FieldIssue, fieldIssues, type InvalidRequest } from "@headgate/core"
import { formatPath, invalidRequest, jsonIssues } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { endlessPath, written } from "./Input.ts"

/** The failure of a call or a client whose input is wrong. */
export const invalidInput = (issues: ReadonlyArray<FieldIssue>): InvalidRequest =>
  invalidRequest(issues, { attempts: 0 })

// Of a path that goes on and on, its beginning tells enough.
const pathLength = 8

/** Checks what a caller wrote and reads it as the domain does. Fails with `InvalidRequest`, which names every bad field. */
export const validateInput = <A>(schema: Schema.Codec<A, unknown>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return (input: unknown): Effect.Effect<A, InvalidRequest> =>
    Effect.suspend(() => {
      const endless = endlessPath(input)
      if (endless !== undefined) {
        const path = formatPath(endless.slice(0, pathLength))
        return Effect.fail(invalidInput([{ path, message: "Expected JSON: this stands inside itself, or too deep" }]))
      }
      const json = written(input)
      return Effect.matchEffect(decode(json), {
        onFailure: (error) => Effect.fail(invalidInput(fieldIssues(error))),
        onSuccess: (value) => {
          // A schema lets anything stand in a field that it does not name.
          const issues = jsonIssues(json)
          return issues.length === 0 ? Effect.succeed(value) : Effect.fail(invalidInput(issues))
        }
      })
    })
}
