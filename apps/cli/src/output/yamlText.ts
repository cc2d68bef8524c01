import { escapeControls } from "@headgate/command-line"
import * as Effect from "effect/Effect"

// Parsers of YAML 1.1 read `no` and `on` as booleans: such texts are quoted. Long texts stay on one line.
const style = { compat: "yaml-1.1", lineWidth: 0 } as const
const quoted = { ...style, defaultKeyType: "QUOTE_DOUBLE", defaultStringType: "QUOTE_DOUBLE" } as const

/** What `JSON.stringify` makes of a value, as YAML. It cannot control the terminal: such characters are escaped. */
export const yamlText = Effect.fnUntraced(function* (value: unknown) {
  const { stringify } = yield* Effect.promise(() => import("yaml"))
  const plain: unknown = JSON.parse(JSON.stringify(value))
  const text = stringify(plain, style).trimEnd()
  // Only quoted texts can hold escapes.
  return escapeControls(text) === text ? text : escapeControls(stringify(plain, quoted).trimEnd())
})
