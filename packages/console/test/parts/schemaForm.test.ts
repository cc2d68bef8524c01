import { describe, expect, it } from "vitest"
import { draftOf, fieldsOf, readDraft } from "../../src/parts/schemaForm/formModel.ts"
import { labelOf } from "../../src/parts/schemaForm/labelOf.ts"

const nullable = (type: string, rest: object = {}) => ({
  anyOf: [{ type, ...rest }, { type: "null" }],
  description: "What."
})
const schema = {
  type: "object",
  required: ["name"],
  properties: {
    threads: nullable("integer", { minimum: 0, maximum: 32 }),
    memoryGb: nullable("number", { minimum: 0.5 }),
    wait_ms: { type: "integer", maximum: 60_000, default: 5000 },
    isOn: nullable("boolean"),
    mode: { enum: ["one", "two"] },
    name: { type: "string", description: "Its name." },
    list: { type: "array", items: { type: "string" } },
    either: { anyOf: [{ type: "object" }, { type: "integer" }] }
  }
}
const fields = fieldsOf(schema, "Empty: the default.", String)

describe("the fields of a schema", () => {
  it("have kinds and bounds, without those that are no number, choice or text", () => {
    expect(
      fields.map(({ choices, isRequired, kind, least, most, name }) => [name, kind, least, most, choices, isRequired])
    ).toEqual([
      ["threads", "integer", 0, 32, undefined, false],
      ["memoryGb", "number", 0.5, undefined, undefined, false],
      ["wait_ms", "integer", undefined, 60_000, undefined, false],
      ["isOn", "boolean", undefined, undefined, undefined, false],
      ["mode", "choice", undefined, undefined, ["one", "two"], false],
      ["name", "text", undefined, undefined, undefined, true]
    ])
  })

  it("say what they mean, their bounds, and what is so without them", () => {
    expect(fields.map(({ help }) => help)).toEqual([
      "What. 0 to 32. Empty: the default.",
      "What. At least 0.5. Empty: the default.",
      "At most 60000. Empty: 5000.",
      "What. Empty: the default.",
      "Empty: the default.",
      "Its name."
    ])
  })

  it("are none of what is no object", () => {
    expect(fieldsOf({ type: "string" }, "", String)).toEqual([])
  })

  it.each([
    ["streaming_max_insert_wait_ms", "Streaming max insert wait (milliseconds)"],
    ["db_max_threads", "Database max threads"],
    ["clickhouse_max_threads", "Database max threads"],
    ["db_min_insert_block_size_bytes", "Database min insert block size (bytes)"],
    ["replicaMemoryGb", "Replica memory (GB)"],
    ["replicaCpuMillicores", "Replica CPU (millicores)"],
    ["syncIntervalSeconds", "Sync interval (seconds)"],
    ["replicas", "Replicas"]
  ])("have names of words: %s", (name, label) => {
    expect(labelOf(name)).toBe(label)
  })
})

describe("what was typed", () => {
  const read = (draft: Record<string, string>, language = "en") => readDraft(fields, { name: "x", ...draft }, language)

  it("is read by the language", () => {
    expect(read({ memoryGb: "1,5", threads: "8", isOn: "true", mode: "two" }, "de")).toEqual({
      values: { threads: 8, memoryGb: 1.5, isOn: true, mode: "two", name: "x" },
      errors: {}
    })
    expect(read({ isOn: "false", wait_ms: "1,000" }).values).toEqual({ isOn: false, wait_ms: 1000, name: "x" })
  })

  it("is left out where it is empty", () => {
    expect(read({ threads: " ", memoryGb: "" })).toEqual({ values: { name: "x" }, errors: {} })
    expect(readDraft(fields, {}, "en")).toEqual({ values: {}, errors: { name: "Enter a value." } })
  })

  it.each([
    ["threads", "1.5", "Enter a whole number."],
    ["threads", "many", "Enter a number."],
    ["threads", "33", "The number is out of bounds."],
    ["threads", "-1", "The number is out of bounds."],
    ["memoryGb", "0.4", "The number is out of bounds."],
    ["wait_ms", "60001", "The number is out of bounds."]
  ])("is refused: %s %s", (name, text, error) => {
    const { errors, values } = read({ [name]: text })
    expect(errors).toEqual({ [name]: error })
    expect(values).toEqual({ name: "x" })
  })

  it("is taken at its bounds", () => {
    expect(read({ threads: "0", memoryGb: "0.5", wait_ms: "60000" }).errors).toEqual({})
    expect(read({ threads: "32" }).values).toEqual({ threads: 32, name: "x" })
  })

  it("begins with the present values", () => {
    const values = { threads: 4, memoryGb: 0.5, isOn: false, mode: null, other: 1 }
    expect(draftOf(fields, values, "de")).toEqual({
      threads: "4",
      memoryGb: "0,5",
      wait_ms: "",
      isOn: "false",
      mode: "",
      name: ""
    })
  })
})
