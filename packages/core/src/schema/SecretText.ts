import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { readsDirectly } from "./DirectDecode.ts"

/**
 * A text that carries a secret: `Redacted` from decode to print, labelled so that what is printed says what was left
 * out. Encoding gives the text in clear: for the wire, not for a log.
 */
export const secretText = (label: string): Schema.RedactedFromValue<typeof Schema.String> =>
  Schema.RedactedFromValue(Schema.String, { label }).pipe(
    readsDirectly((input) => (Predicate.isString(input) ? Redacted.make(input, { label }) : undefined))
  )
