import * as Schema from "effect/Schema"
import { nullish } from "../schema/LooseStruct.ts"

/** A text that a document may have. */
export const anyText = (description: string) => nullish(Schema.String, description)

/** A text that is not empty and has at most so many characters. */
export const boundedText = (max: number, description: string) =>
  Schema.String.annotate({ description: `${description}: 1 to ${max} characters.` }).check(
    Schema.isBetweenCodePoints(1, max, { message: `Expected 1 to ${max} characters` })
  )

/** A text that has at most so many characters. */
export const textUpTo = (max: number) =>
  Schema.String.check(Schema.isMaxLength(max, { message: `Expected at most ${max} characters` }))

/** One of some values, which a request must have: no other is accepted. */
export const oneOf = <const Values extends ReadonlyArray<string>>(values: Values) =>
  Schema.Literals(values).annotate({ message: `Expected ${values.map((value) => `"${value}"`).join(" | ")}` })

/** A time that the service sets. */
export const setTime = (description: string) => nullish(Schema.String.annotate({ format: "date-time" }), description)

/** The tags of a request. */
export const requestedTags = nullish(
  Schema.Array(textUpTo(32)).check(Schema.isMaxLength(50, { message: "Expected at most 50 tags" })),
  "The tags: at most 50, each of at most 32 characters."
)
