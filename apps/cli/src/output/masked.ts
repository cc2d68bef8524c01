import * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"

// A field that the domain does not know is not typed as a secret: its name has to tell.
const soundsSecret = /secret|password|token|credential|private_?key|access_?key|connection_?string/i

const maskedValue = (value: unknown): unknown => {
  if (Redacted.isRedacted(value)) return "<redacted>"
  if (DateTime.isDateTime(value)) return DateTime.formatIso(value).replace(".000Z", "Z")
  if (Array.isArray(value)) return value.map(maskedValue)
  return Predicate.isObject(value) ? masked(value) : value
}

/**
 * A domain record as a reader may see it: plain data in which every secret is `<redacted>` and every time is text.
 * What `--json` prints is not this: an operator who asks for the document gets the document.
 */
export const masked = (record: object): { readonly [name: string]: unknown } =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      soundsSecret.test(name) && Predicate.isNotNullish(value) ? "<redacted>" : maskedValue(value)
    ])
  )
