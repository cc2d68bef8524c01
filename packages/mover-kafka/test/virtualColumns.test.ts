import { assert, describe, it } from "@effect/vitest"
import type { KafkaMessage } from "../src/message/readMessages.ts"
import { addVirtualColumns, virtualColumns } from "../src/message/virtualColumns.ts"

const bytes = (text: string) => Buffer.from(text)

const message = (value: string | null, change: Partial<KafkaMessage> = {}): KafkaMessage => ({
  offset: 9007199254740993n,
  timestamp: 1_700_000_000_123n,
  key: bytes("k\n1"),
  headers: [
    [bytes("trace"), bytes("1")],
    [bytes("trace"), null]
  ],
  value: value === null ? null : bytes(value),
  ...change
})

const place = { topic: "orders", partition: 3 }
const add = addVirtualColumns(virtualColumns)
const rowOf = (row: string, change?: Partial<KafkaMessage>) =>
  JSON.parse(Buffer.from(add(bytes(row), message(row, change), place)).toString("utf8"))

describe("addVirtualColumns", () => {
  it("adds what the message has beside its value", () => {
    assert.deepStrictEqual(rowOf(`{"a":1}`), {
      _key: "k\n1",
      _timestamp: "2023-11-14 22:13:20.123",
      _topic: "orders",
      _partition: 3,
      _offset: "9007199254740993",
      _header_keys: ["trace", "trace"],
      _header_values: ["1", ""],
      _raw_message: `{"a":1}`,
      a: 1
    })
  })

  it("keeps the bytes of a key, of headers and of a value that are no text", () => {
    const raw = Buffer.from('{"a":"é\\n\xff"}', "latin1")
    const change = { key: Buffer.from([0x00, 0xff, 0x22, 0x5c, 0xc3, 0xa9]), headers: [[bytes("é"), raw] as const] }
    const added = Buffer.from(add(raw, { ...message(null, change), value: raw }, place)).toString("latin1")
    const { _header_keys, _header_values, _key, _raw_message } = JSON.parse(added)
    assert.strictEqual(_key, '\u0000\xff"\\\xc3\xa9')
    assert.deepStrictEqual([_header_keys, _header_values], [["\xc3\xa9"], [raw.toString("latin1")]])
    assert.strictEqual(_raw_message, raw.toString("latin1"))
  })

  it("leaves the bytes of the message as they are", () => {
    const row = `{ "n": 12345678901234567890.10, "t": "\\u00e9" }`
    const added = Buffer.from(addVirtualColumns(["_partition"])(bytes(row), message(row), place)).toString("utf8")
    assert.strictEqual(added, `{"_partition":3,"n": 12345678901234567890.10, "t": "\\u00e9" }`)
  })

  it("adds to a row without fields, and null where the message has nothing", () => {
    const empty = Buffer.from(add(bytes("{ }"), message(null, { key: null, headers: [] }), place)).toString("utf8")
    const { _header_keys, _key, _raw_message } = JSON.parse(empty)
    assert.deepStrictEqual([_key, _header_keys, _raw_message], [null, [], null])
  })

  it("has no time for a timestamp beyond every calendar", () => {
    assert.isNull(rowOf(`{}`, { timestamp: 2n ** 62n })["_timestamp"])
  })

  it("changes no row if no column is wanted", () => {
    const row = bytes(`{"a":1}`)
    assert.strictEqual(addVirtualColumns([])(row, message(`{"a":1}`), place), row)
  })
})
