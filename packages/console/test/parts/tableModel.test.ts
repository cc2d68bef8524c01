import { assert, describe, it } from "vitest"
import {
  drawnOf,
  byNumber,
  byText,
  byTime,
  type Compare,
  found,
  isNone,
  keepEqual,
  sortAfter,
  sorted,
  sortOf,
  sortText,
  textOf,
  topFor,
  type Value,
  windowOf
} from "../../src/parts/table/model.ts"

const columnsOf = (compare?: Compare) => [
  {
    name: "of",
    title: "Of",
    value: ({ of }: { readonly of: Value }) => of,
    ...(compare === undefined ? {} : { compare })
  }
]

/** The values in order, by a column with this order. */
const order = (values: ReadonlyArray<Value>, compare: Compare | undefined, isDescending = false) =>
  sorted(
    values.map((of) => ({ of })),
    columnsOf(compare),
    { column: "of", isDescending }
  ).map(({ of }) => of)

describe("the order of a table", () => {
  it("orders numbers as numbers, texts of 64 bits too", () => {
    const least = "18446744073709551614"
    const most = "18446744073709551615"
    assert.deepStrictEqual(order([most, 10, least, 9, "-2", 1.5, "+3", 4n], byNumber), [
      "-2",
      1.5,
      "+3",
      4n,
      9,
      10,
      least,
      most
    ])
    assert.deepStrictEqual(order([1, "10", "9.5"], byNumber, true), ["10", "9.5", 1])
    assert.deepStrictEqual(order([-1e308, Number.POSITIVE_INFINITY, 0, -5], byNumber), [
      -1e308,
      -5,
      0,
      Number.POSITIVE_INFINITY
    ])
    assert.strictEqual(byNumber(-0, 0), 0)
    assert.strictEqual(byNumber("7", 7), 0)
  })

  it("puts what is no number after those that are", () => {
    assert.deepStrictEqual(order(["much", 2, "1"], byNumber), ["1", 2, "much"])
    assert.strictEqual(byNumber("much", "more"), 0)
    assert.strictEqual(byNumber(1, "much"), -1)
    assert.strictEqual(byNumber("much", 1), 1)
  })

  it("orders texts by the language, and numbers inside them as numbers", () => {
    assert.deepStrictEqual(order(["b", "pipe 10", "A", "pipe 9", "a"], undefined), ["a", "A", "b", "pipe 9", "pipe 10"])
    assert.isBelow(byText(true, "z"), 0)
  })

  it("orders times as times, to their last digit", () => {
    const values = [
      "2026-10-25T02:30:00+01:00",
      "2026-10-25T02:30:00+02:00",
      "2026-10-25T01:30:00.000000002Z",
      "2026-10-25T01:30:00.000000001Z",
      Date.UTC(2025, 0, 1)
    ]
    const [inWinter, inSummer, second, first, before] = values
    assert.deepStrictEqual(order(values, byTime), [before, inSummer, first, second, inWinter])
    assert.strictEqual(byTime("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"), 0)
  })

  it("puts what has no value last both ways, but not the text NULL", () => {
    const values = [null, 2, undefined, 1, Number.NaN, 3]
    assert.deepStrictEqual(order(values, byNumber), [1, 2, 3, null, undefined, Number.NaN])
    assert.deepStrictEqual(order(values, byNumber, true), [3, 2, 1, null, undefined, Number.NaN])
    assert.deepStrictEqual(order([null, "NULL", "", "Z"], byText), ["", "NULL", "Z", null])
    assert.deepStrictEqual([isNone(null), isNone(undefined), isNone(Number.NaN)], [true, true, true])
    assert.deepStrictEqual([isNone(0), isNone(""), isNone(false), isNone("NaN")], [false, false, false, false])
  })

  it("keeps equal rows as they were, both ways, and changes no list", () => {
    const rows = [
      { of: 1, name: "a" },
      { of: 0, name: "b" },
      { of: 1, name: "c" }
    ]
    const columns = columnsOf(byNumber)
    const names = (isDescending: boolean) =>
      sorted(rows, columns, { column: "of", isDescending })
        .map((row) => Reflect.get(row, "name"))
        .join("")
    assert.deepStrictEqual([names(false), names(true)], ["bac", "acb"])
    assert.strictEqual(rows[0]?.name, "a")
    assert.strictEqual(sorted(rows, columns, { column: "unknown", isDescending: true }), rows)
  })

  it("is a text of the URL", () => {
    assert.deepStrictEqual(sortOf("lag"), { column: "lag", isDescending: false })
    assert.deepStrictEqual(sortOf("-lag"), { column: "lag", isDescending: true })
    for (const text of ["lag", "-lag"]) assert.strictEqual(sortText(sortOf(text)), text)
  })

  it("turns around at the second click on a header", () => {
    const first = sortAfter({ column: "name", isDescending: true }, "lag")
    assert.deepStrictEqual(first, { column: "lag", isDescending: false })
    assert.deepStrictEqual(sortAfter(first, "lag"), { column: "lag", isDescending: true })
    assert.deepStrictEqual(sortAfter(sortAfter(first, "lag"), "lag"), first)
  })
})

describe("textOf", () => {
  it("is the value, or a dash", () => {
    assert.deepStrictEqual([textOf(1n), textOf(false), textOf(""), textOf(null)], ["1", "false", "", "–"])
  })
})

describe("found", () => {
  const rows = [
    { name: "Orders", table: "t12", lag: 99 },
    { name: "orders two", table: null, lag: null },
    { name: "null", table: "t3", lag: 3 }
  ]
  const columns = [
    { name: "name", title: "Name", value: (row: (typeof rows)[number]) => row.name },
    { name: "table", title: "Table", value: (row: (typeof rows)[number]) => row.table },
    { name: "lag", title: "Lag", value: (row: (typeof rows)[number]) => row.lag }
  ]
  it.each([
    ["", 3],
    ["  ", 3],
    ["ORDERS", 2],
    ["two  orders", 1],
    ["orders T12", 1],
    ["99", 0],
    ["null", 1],
    ["x", 0],
    ["undefined", 0]
  ])("finds %j in %i rows", (text, count) => {
    assert.lengthOf(found(rows, columns, text), count)
  })
})

describe("windowOf", () => {
  const view = { top: 0, height: 400, rowHeight: 40 }
  it("draws what is seen and four rows beyond", () => {
    assert.deepStrictEqual(windowOf(view, 1000), [0, 14])
    assert.deepStrictEqual(windowOf({ ...view, top: 4010 }, 1000), [96, 115])
    assert.deepStrictEqual(windowOf({ ...view, top: 39_600 }, 1000), [986, 1000])
  })

  it("stays within the rows, also when there are fewer than before", () => {
    assert.deepStrictEqual(windowOf(view, 3), [0, 3])
    assert.deepStrictEqual(windowOf(view, 0), [0, 0])
    assert.deepStrictEqual(windowOf({ ...view, top: 4000 }, 10), [10, 10])
    assert.deepStrictEqual(windowOf({ ...view, top: -400 }, 10), [0, 4])
  })

  it("draws all rows where everything is seen", () => {
    assert.deepStrictEqual(windowOf({ ...view, height: Number.POSITIVE_INFINITY }, 1000), [0, 1000])
  })

  it("draws the row that has the focus, too", () => {
    assert.deepStrictEqual(drawnOf([3, 6], 4, 100), [3, 4, 5])
    assert.deepStrictEqual(drawnOf([3, 6], 3, 100), [3, 4, 5])
    assert.deepStrictEqual(drawnOf([3, 6], 2, 100), [2, 3, 4, 5])
    assert.deepStrictEqual(drawnOf([3, 6], 6, 100), [3, 4, 5, 6])
    assert.deepStrictEqual(drawnOf([3, 6], 99, 100), [3, 4, 5, 99])
    assert.deepStrictEqual(drawnOf([0, 0], 0, 0), [])
    assert.deepStrictEqual(drawnOf([10, 10], 2, 10), [2])
  })

  it("scrolls as little as possible", () => {
    assert.strictEqual(topFor(view, 3), 0)
    assert.strictEqual(topFor(view, 9), 0)
    assert.strictEqual(topFor(view, 10), 40)
    assert.strictEqual(topFor({ ...view, top: 400 }, 9), 360)
    assert.strictEqual(topFor({ ...view, top: 400 }, 10), 400)
    assert.strictEqual(topFor({ ...view, top: 400 }, 0), 0)
  })
})

describe("keepEqual", () => {
  const keyOf = ({ id }: { readonly id: string }) => id
  it("keeps the objects of rows that did not change", () => {
    const before = [
      { id: "a", lag: 1 },
      { id: "b", lag: Number.NaN }
    ]
    const after = keepEqual(
      before,
      [
        { id: "b", lag: Number.NaN },
        { id: "a", lag: 2 },
        { id: "c", lag: 1 }
      ],
      keyOf
    )
    assert.deepStrictEqual(after, [
      { id: "b", lag: Number.NaN },
      { id: "a", lag: 2 },
      { id: "c", lag: 1 }
    ])
    assert.strictEqual(after[0], before[1])
    assert.notStrictEqual(after[1], before[0])
  })
})
