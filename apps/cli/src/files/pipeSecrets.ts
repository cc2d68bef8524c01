import { answeredSecretFields, credentialFields } from "@headgate/core/adapter"
import * as Predicate from "effect/Predicate"
import { looksSensitive } from "../output/detailText.ts"
import { fieldAt, isMembers, type Members, withFieldAt } from "./members.ts"

/** The paths of the secrets in the `source` of a pipe, such as `kafka.schemaRegistry.credentials`. */
const secretFields: ReadonlyArray<string> = [...credentialFields, ...answeredSecretFields]

/** The paths of the secrets that a source has. */
export const secretsIn = (source: unknown): ReadonlyArray<string> =>
  secretFields.filter((path) => Predicate.isNotNullish(fieldAt(source, path)))

const withoutSecretNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecretNames)
  if (!isMembers(value)) return value
  const fields = Object.entries(value).filter(([name]) => !looksSensitive.test(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutSecretNames(field)]))
}

/** The source without the secrets that the domain names. */
export const withoutSecrets = (source: Members): Members =>
  secretFields.reduce((rest, path) => withFieldAt(rest, path, undefined), source)

/** {@link withoutSecrets}, and without the fields that the domain does not name and that sound like secrets. */
export const withoutSecretFields = (source: Members): unknown => withoutSecretNames(withoutSecrets(source))

/** The document of a pipe with `<redacted>` in place of the secrets of its source. */
export const redactedPipe = (pipe: Members): Members =>
  secretsIn(pipe["source"]).reduce((rest, path) => withFieldAt(rest, `source.${path}`, "<redacted>"), pipe)
