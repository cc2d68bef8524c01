/** The mark before the digits of a fraction in a language: `,` in German. */
const decimalMark = (language: string): string =>
  new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? "."

const isGrouped = (parts: ReadonlyArray<string>): boolean =>
  /^[+-]?\d{1,3}$/.test(parts[0] ?? "") && parts.slice(1).every((part) => /^\d{3}$/.test(part))

const plain = (text: string): number | undefined => {
  const value = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/**
 * Reads a number as people of a language write it, `undefined` if it is none: `1.234,5` and `1,234.5` are the same in each. A single mark
 * before three digits is that of thousands if it is not the language's decimal mark: `1.234` is 1,234 in German, and 1.234 in English.
 */
export const parseNumber = (input: string, language: string): number | undefined => {
  const text = input.trim().replace(/(?<=\d)[\s'’\u00a0\u202f](?=\d{3})/g, "")
  const decimal = decimalMark(language)
  const marks = Array.from(text.matchAll(/[.,]/g), ([mark]) => mark)
  const last = marks.at(-1)
  if (last === undefined) return plain(text)
  const [whole = "", fraction = ""] = [text.slice(0, text.lastIndexOf(last)), text.slice(text.lastIndexOf(last) + 1)]
  if (new Set(marks).size > 1) {
    const thousands = last === "." ? "," : "."
    return marks.filter((mark) => mark === last).length === 1 && isGrouped(whole.split(thousands))
      ? plain(`${whole.replaceAll(thousands, "")}.${fraction}`)
      : undefined
  }
  const isThousands = isGrouped(text.split(last)) && (marks.length > 1 || last !== decimal)
  if (isThousands) return plain(text.replaceAll(last, ""))
  return marks.length === 1 ? plain(`${whole}.${fraction}`) : undefined
}

/** A number as it stands in a field: without thousands, with the decimal mark of the language. */
export const inputNumber = (value: number, language: string): string =>
  String(value).replace(".", decimalMark(language))
