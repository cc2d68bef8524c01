import { gzipSync } from "node:zlib"
import type { Random } from "../load/Random.ts"
import { type Draft, type Mutation, setHeader, toBytes } from "./Draft.ts"

const hasBody = ({ body, json }: Draft): boolean => body !== undefined || json !== undefined

const onText = (name: string, change: (text: string, random: Random) => string): Mutation => ({
  name,
  fits: hasBody,
  apply: (draft, random) => {
    draft.body = Buffer.from(change(toBytes(draft).toString("utf8"), random))
  }
})

const onBytes = (name: string, change: (bytes: Buffer, random: Random) => Buffer): Mutation => ({
  name,
  fits: hasBody,
  apply: (draft, random) => {
    draft.body = change(toBytes(draft), random)
  }
})

const insert = (bytes: Buffer, at: number, what: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), what, bytes.subarray(at)])

const somewhere = (bytes: Buffer, random: Random) => random.between(0, bytes.length)

/** No UTF-8: overlong forms, halves of surrogates, lonely continuation bytes, what is above U+10FFFF. */
const brokenUtf8 = ["ff", "c0af", "e080af", "eda080", "f4908080", "80", "c3", "fefe"].map((hex) =>
  Buffer.from(hex, "hex")
)

const notNumbers = ["NaN", "Infinity", "-Infinity", "1e999", "01", "+1", "0x10", "1.", ".5", "- 1", "undefined", "1_0"]

/** What can be wrong with a body that is no JSON any more, or JSON that no serializer writes. */
export const byteMutations: ReadonlyArray<Mutation> = [
  onBytes("truncated", (bytes, random) => bytes.subarray(0, somewhere(bytes, random))),
  onBytes("broken UTF-8", (bytes, random) => insert(bytes, somewhere(bytes, random), random.pick(brokenUtf8))),
  onBytes("a byte put in", (bytes, random) => insert(bytes, somewhere(bytes, random), random.bytes(1))),
  onBytes("random bytes", (_, random) => random.bytes(random.between(1, 200))),
  onBytes("empty", () => Buffer.alloc(0)),
  onBytes("UTF-16", (bytes) => Buffer.from(`\ufeff${bytes.toString("utf8")}`, "utf16le")),
  onBytes("too large", (bytes, random) => insert(bytes, 0, Buffer.alloc(random.pick([1_048_576, 1_100_000]), " "))),
  onText("byte order mark", (text) => `\ufeff${text}`),
  onText("not a number", (text, random) => text.replace(/:\s*("[^"]*"|[\d.]+)/, `:${random.pick(notNumbers)}`)),
  onText("a key twice", (text, random) => {
    const field = /"[^"\\]*":("[^"\\]*"|[\d.]+|null|true|false)/.exec(text)?.[0] ?? `"name":"twice"`
    return text.replace("{", random.next() < 0.5 ? `{${field},` : `{"name":"twice","name":1,`)
  }),
  onText("__proto__ in the text", (text) => text.replace("{", `{"__proto__":{"name":"from afar","roles":["admin"]},`)),
  onText("nested very deeply", (text, random) => {
    const depth = random.pick([33, 3000, 100_000])
    const [open, close] = random.pick([
      ["[", "]"],
      ['{"a":', "}"]
    ] as const)
    return text.replace("{", `{"deep":${open.repeat(depth)}1${close.repeat(depth)},`)
  }),
  onText("more behind it", (text, random) => text + random.pick(["}", "]", "null", "\u0000", " x", text])),
  onText("single quotes", (text) => text.replaceAll('"', "'")),
  onText("a comment", (text) => text.replace("{", "{/* x */")),
  onText("a comma too many", (text) => text.replace(/}$/, ",}")),
  onText("a raw line break in a text", (text) => text.replace(/"([^"\\])/, '"\n$1')),
  onText("a lonely surrogate", (text) => text.replace(/"([^"\\])/, '"\\ud800$1')),
  onText("a broken escape", (text, random) =>
    text.replace(/"([^"\\])/, `"${random.pick(["\\x41", "\\u12", "\\", "\\U0041"])}$1`)
  ),
  {
    name: "gzip, and says so",
    fits: hasBody,
    apply: (draft) => {
      draft.body = gzipSync(toBytes(draft))
      setHeader(draft, "content-encoding", "gzip")
    }
  },
  {
    name: "gzip, and does not say so",
    fits: hasBody,
    apply: (draft) => {
      draft.body = gzipSync(toBytes(draft))
    }
  },
  {
    name: "in chunks",
    fits: hasBody,
    apply: (draft) => {
      toBytes(draft)
      draft.chunked = true
    }
  },
  {
    name: "a body where none belongs",
    fits: (draft) => !hasBody(draft),
    apply: (draft, random) => {
      draft.body = random.pick([Buffer.from("{}"), Buffer.from("{"), random.bytes(20)])
      setHeader(draft, "content-type", "application/json")
    }
  }
]
