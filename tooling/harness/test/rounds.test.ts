import { assert, describe, it } from "vitest"
import { median, medianOf, medianRatio, type Round, runRounds } from "../src/rounds.ts"
import { targetTable } from "../src/table.ts"

const round = (a: number, b: number): Round<number> =>
  new Map([
    ["a", a],
    ["b", b]
  ])
const figure = (measured: number) => measured

describe("ratios", () => {
  it("are taken within a round, so that a slow round does not change them", () => {
    const rounds = [round(1, 2), round(10, 20), round(100, 200), round(3, 2)]
    assert.strictEqual(medianRatio(rounds, "a", "b", figure), 0.5)
    assert.strictEqual(medianOf(rounds, "a", figure), 6.5)
  })

  it("have a median for an odd count, an even count and none", () => {
    assert.strictEqual(median([3, 1, 2]), 2)
    assert.strictEqual(median([4, 1, 3, 2]), 2.5)
    assert.isNaN(median([]))
  })
})

it("each round measures every contestant, in an order that shifts by one", async () => {
  const order: Array<string> = []
  await runRounds([{ name: "a" }, { name: "b" }, { name: "c" }], 2, async ({ name }) => void order.push(name))
  assert.deepStrictEqual(order, ["a", "b", "c", "b", "c", "a"])
})

describe("a target", () => {
  it("is reached or missed by the figure that is shown", () => {
    const rows = targetTable([
      { what: "just", atMost: 0.5, measured: 0.504 },
      { what: "not", atMost: 0.5, measured: 0.506 },
      { what: "enough", atLeast: 1.7, measured: 1.7 },
      { what: "too little", atLeast: 1.7, measured: 1.69 },
      { what: "unknown", atMost: 0.5, measured: Number.NaN }
    ])
    assert.deepStrictEqual(
      rows.map((row) => row.split(/\s+/).at(-1)),
      ["reached", "yes", "no", "yes", "no", "no"]
    )
  })
})
