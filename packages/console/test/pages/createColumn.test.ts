import { describe, expect, it } from "vitest"
import { emptyDraft, withColumn } from "../../src/pages/create/pipeRequest.ts"

const column = (field: string | undefined, name: string, type = "String", isLeftOut = false) => ({
  field,
  name,
  type,
  isLeftOut
})

describe("a column that is renamed", () => {
  const draft = {
    ...emptyDraft,
    columns: [column("a", "a"), column("b", "b")],
    destination: { table: "t", tableDefinition: { ttl: "x", sortingKey: ["b", "a"] } }
  }
  it("is renamed in the sorting key", () => {
    const { columns, destination } = withColumn(draft, 0, { name: "c" })
    expect(columns).toEqual([column("a", "c"), column("b", "b")])
    expect(destination).toEqual({ table: "t", tableDefinition: { ttl: "x", sortingKey: ["b", "c"] } })
  })

  it("changes nothing else", () => {
    expect(withColumn(draft, 0, { type: "Int8" })).toEqual({
      ...draft,
      columns: [column("a", "a", "Int8"), column("b", "b")]
    })
    expect(withColumn(draft, 2, { name: "c" })).toBe(draft)
    expect(withColumn({ ...draft, destination: undefined }, 0, { name: "c" }).destination).toBeUndefined()
  })
})
