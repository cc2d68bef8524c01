import { type ColumnType, withoutNull } from "../row/ColumnType.ts"

// Texts here hold a byte in each character, so that bytes that are no UTF-8 stay as they are.

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const wholeNumber = new RegExp(`^(?:${number.source})$`)
const numeric = /^(U?Int|Float|BFloat|Decimal)/

const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1B",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "0": "\0",
  N: ""
}

/** A text as the engine reads it after a backslash; `undefined` if it cannot. A backslash before any other character stays. */
export const unescape = (text: string): string | undefined => {
  if (!text.includes("\\")) return text
  let isBad = false
  const read = text.replaceAll(/\\(x[0-9a-fA-F]{2}|[^]|$)/g, (found, what: string) => {
    if (what.length === 3) return String.fromCharCode(Number.parseInt(what.slice(1), 16))
    if (what === "" || what === "x") isBad = true
    const escape = escapes[what]
    if (escape !== undefined) return escape
    return what < " " || "\\`\"'/=".includes(what) ? what : found
  })
  return isBad ? undefined : read
}

const bytesOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1")

type TypeOf<Tag> = Extract<ColumnType, { readonly _tag: Tag }>

/** Reads values as the engine writes them in a text: `['a', NULL]`, `(1, 'a')`, `{'a': 1}`. */
class TextReader {
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  private skipSpace(): void {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at += 1
  }

  private take(expected: string): boolean {
    this.skipSpace()
    if (!this.text.startsWith(expected, this.at)) return false
    this.at += expected.length
    return true
  }

  /** What stands between brackets, with commas in between. */
  private list(end: string, item: (index: number) => string | undefined): ReadonlyArray<string> | undefined {
    const items: Array<string> = []
    if (this.take(end)) return items
    for (;;) {
      const found = item(items.length)
      if (found === undefined) return undefined
      items.push(found)
      if (this.take(end)) return items
      if (!this.take(",")) return undefined
    }
  }

  private quoted(): string | undefined {
    const found = /'((?:[^'\\]|\\[^]|'')*)'/y
    found.lastIndex = this.at
    const [whole, inner] = found.exec(this.text) ?? []
    if (whole === undefined || inner === undefined) return undefined
    this.at += whole.length
    const read = unescape(inner.replaceAll("''", "'"))
    return read === undefined ? undefined : JSON.stringify(read)
  }

  private bare(): string | undefined {
    const found = /[^\s,()[\]{}:']+/y
    found.lastIndex = this.at
    const [word] = found.exec(this.text) ?? []
    if (word === undefined) return undefined
    this.at += word.length
    if (word.toUpperCase() === "NULL") return "null"
    return wholeNumber.test(word) || word === "true" || word === "false" ? word : JSON.stringify(word)
  }

  private map({ key: keyType, value: valueType }: TypeOf<"Map">): string | undefined {
    const entry = () => {
      const key = this.value(keyType)
      const value = key !== undefined && this.take(":") ? this.value(valueType) : undefined
      return key === undefined || value === undefined ? undefined : `${key.startsWith('"') ? key : `"${key}"`}:${value}`
    }
    const entries = this.take("{") ? this.list("}", entry) : undefined
    return entries === undefined ? undefined : `{${entries.join(",")}}`
  }

  private tuple({ elements }: TypeOf<"Tuple">): string | undefined {
    const items = this.take("(")
      ? this.list(")", (index) => (index < elements.length ? this.value(elements[index]?.type) : undefined))
      : undefined
    if (items === undefined || items.length !== elements.length) return undefined
    const names = elements.map(({ name }) => name)
    return names.includes(undefined)
      ? `[${items.join(",")}]`
      : `{${items.map((item, index) => `${bytesOf(JSON.stringify(names[index]))}:${item}`).join(",")}}`
  }

  private value(typeOfValue: ColumnType | undefined): string | undefined {
    const type = typeOfValue === undefined ? undefined : withoutNull(typeOfValue)
    this.skipSpace()
    if (type?._tag === "Array") {
      const items = this.take("[") ? this.list("]", () => this.value(type.of)) : undefined
      return items === undefined ? undefined : `[${items.join(",")}]`
    }
    if (type?._tag === "Map") return this.map(type)
    if (type?._tag === "Tuple") return this.tuple(type)
    return this.text[this.at] === "'" ? this.quoted() : this.bare()
  }

  /** The whole text as one value, as JSON. */
  whole(type: ColumnType): string | undefined {
    const value = this.value(type)
    this.skipSpace()
    return this.at === this.text.length ? value : undefined
  }
}

const empty: Readonly<Record<string, string>> = { Array: "[]", Map: "{}" }

/** A text of CSV or TSV as a value of JSON for a column of a type; `undefined` if it is none. */
export const textJson = (text: string, typeOfColumn: ColumnType): string | undefined => {
  const type = withoutNull(typeOfColumn)
  if (type._tag === "Opaque") return type.text.startsWith("JSON") && /^\s*\{/.test(text) ? text : JSON.stringify(text)
  if (type._tag !== "Leaf") return text === "" ? empty[type._tag] : new TextReader(text).whole(type)
  if (type.name === "Bool" && /^(?:true|false|0|1)$/.test(text)) return text
  return numeric.test(type.name) && wholeNumber.test(text) ? text : JSON.stringify(text)
}
