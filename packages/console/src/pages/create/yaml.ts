import { isFields } from "../../format/fields.ts"

// Texts that are the same in every version of YAML; others stand in quotes, as in JSON, which YAML reads.
const isPlain = (text: string): boolean =>
  /^[A-Za-z_][\w./-]*$/.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null|nan)$/i.test(text)

const scalar = (value: unknown): string =>
  typeof value === "string" && isPlain(value) ? value : (JSON.stringify(value) ?? "null")

const isBranch = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isFields(value) && Object.keys(value).length > 0

const linesOf = (value: unknown, indent: string): ReadonlyArray<string> => {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      if (!isBranch(item)) return [`${indent}- ${scalar(item)}`]
      const [first = "", ...rest] = linesOf(item, `${indent}  `)
      return [`${indent}- ${first.trimStart()}`, ...rest]
    })
  }
  if (!isFields(value)) return [`${indent}${scalar(value)}`]
  return Object.entries(value).flatMap(([name, field]) =>
    isBranch(field)
      ? [`${indent}${scalar(name)}:`, ...linesOf(field, `${indent}  `)]
      : [`${indent}${scalar(name)}: ${scalar(field)}`]
  )
}

/** A value of JSON as YAML. */
export const toYaml = (value: unknown): string =>
  isBranch(value) ? `${linesOf(value, "").join("\n")}\n` : `${scalar(value)}\n`
