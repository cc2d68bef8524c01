import { isTooDeep } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { DocumentError } from "../error/CommandError.ts"

const maxDepth = 100

/** Whether the name of a file says that it is YAML. Any other is JSON. */
export const isYaml = (file: string): boolean => /\.ya?ml$/.test(file)

// stdin has no name: what does not begin as JSON is YAML.
const isYamlText = (file: string, text: string): boolean =>
  isYaml(file) || (file === "-" && !/^\s*(?:[{["]|$)/.test(text))

// Without the excerpt of the text, in which a secret may be.
const messageOf = (cause: unknown): string =>
  (Predicate.isError(cause) ? cause.message : String(cause)).replace(
    /, (?:\.\.\.)?"[^]*"(?:\.\.\.)? is not valid JSON$/,
    ""
  )

const wrong = (message: string) => new DocumentError({ message, issues: [] })

// Loaded for YAML alone: it is large.
const yamlParser = Effect.map(
  Effect.promise(() => import("./parseYaml.ts")),
  ({ parseYaml }) =>
    (text: string) =>
      parseYaml(text).value
)

/** The value of the text of a file, whose name tells its format; `-` is stdin. The message of the error does not name the file. */
export const parseDocument = Effect.fnUntraced(function* (file: string, text: string) {
  const isInYaml = isYamlText(file, text)
  const parse = isInYaml ? yield* yamlParser : (text: string): unknown => JSON.parse(text)
  const parsed = yield* Effect.try({
    try: () => {
      const value = parse(text)
      return { value, isTooDeep: isTooDeep(JSON.stringify(value) ?? "", maxDepth) }
    },
    // Of a parser that goes too deep: a RangeError.
    catch: (cause) => wrong(`this is not ${isInYaml ? "YAML" : "JSON"}: ${messageOf(cause)}`)
  })
  return parsed.isTooDeep ? yield* wrong(`it is nested deeper than ${maxDepth} levels`) : parsed.value
})
