import { assert, describe, it } from "vitest"
import {
  type Cells,
  columns,
  freePlace,
  inside,
  overlap,
  type Placed,
  placeOfKey,
  placeOfPointer,
  placeText,
  put
} from "../../src/pages/dashboards/grid.ts"

const cells = (x: number, y: number, w: number, h: number): Cells => ({ x, y, w, h })
const tile = (id: string, x: number, y: number, w: number, h: number): Placed => ({ id, x, y, w, h })

describe("inside", () => {
  it.each([
    [cells(0, 0, 24, 1), cells(0, 0, 24, 1)],
    [cells(20, 3, 8, 2), cells(16, 3, 8, 2)],
    [cells(-1, -5, 0, -1), cells(0, 0, 1, 1)],
    [cells(0, 0, 30, 2000), cells(0, 0, 24, 1000)],
    [cells(1.4, 1.6, 3.5, 2.4), cells(1, 2, 4, 2)],
    [cells(Number.NaN, Number.POSITIVE_INFINITY, Number.NaN, 2), cells(0, 0, 1, 2)],
    [cells(0, 5000, 2, 2), cells(0, 1000, 2, 2)]
  ])("%j becomes %j", (given, wanted) => {
    assert.deepStrictEqual(inside(given), wanted)
  })
})

describe("overlap", () => {
  // Compared cell by cell.
  const share = (one: Cells, other: Cells) => {
    for (let x = one.x; x < one.x + one.w; x += 1) {
      for (let y = one.y; y < one.y + one.h; y += 1) {
        if (x >= other.x && x < other.x + other.w && y >= other.y && y < other.y + other.h) return true
      }
    }
    return false
  }

  it("is true for all places that share a cell, and for no other", () => {
    const fixed = cells(2, 2, 2, 3)
    for (let x = 0; x < 6; x += 1) {
      for (let y = 0; y < 7; y += 1) {
        for (const [w, h] of [
          [1, 1],
          [2, 1],
          [1, 3],
          [3, 3]
        ] as const) {
          const other = cells(x, y, w, h)
          assert.strictEqual(overlap(fixed, other), share(fixed, other), JSON.stringify(other))
        }
      }
    }
  })
})

describe("put", () => {
  const tiles = [tile("a", 0, 0, 12, 4), tile("b", 12, 0, 12, 4), tile("c", 0, 4, 24, 4)]

  it("moves down what it covers, and what that covers then", () => {
    assert.deepStrictEqual(put(tiles, "a", cells(12, 0, 12, 4)), [
      tile("a", 12, 0, 12, 4),
      tile("b", 12, 4, 12, 4),
      tile("c", 0, 8, 24, 4)
    ])
  })

  it("leaves alone what nothing covers", () => {
    assert.deepStrictEqual(put(tiles, "c", cells(0, 10, 24, 4)), [
      tile("a", 0, 0, 12, 4),
      tile("b", 12, 0, 12, 4),
      tile("c", 0, 10, 24, 4)
    ])
  })

  it("keeps the other fields of a tile, and takes a place outside of the grid for the nearest inside", () => {
    const named = [{ ...tile("a", 0, 0, 12, 4), name: "Requests" }]
    assert.deepStrictEqual(put(named, "a", cells(30, -2, 12, 4)), [{ ...tile("a", 12, 0, 12, 4), name: "Requests" }])
  })

  it("lets no two tiles share a cell, whatever is put where, and loses none", () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let round = 0; round < 300; round += 1) {
      const many = Array.from({ length: 1 + random(9) }, (_, index) =>
        tile(String(index), random(24), random(12), 1 + random(24), 1 + random(6))
      )
      const moved = put(many, String(random(many.length)), cells(random(40) - 8, random(20) - 4, random(30), random(9)))
      assert.deepStrictEqual(
        moved.map(({ id }) => id),
        many.map(({ id }) => id)
      )
      for (const [index, one] of moved.entries()) {
        assert.deepStrictEqual(inside(one), cells(one.x, one.y, one.w, one.h))
        for (const other of moved.slice(index + 1)) assert.isFalse(overlap(one, other), JSON.stringify(moved))
      }
    }
  })

  it("is done twice without a further change", () => {
    const once = put(tiles, "a", cells(6, 2, 12, 4))
    const a = once[0] ?? tiles[0]
    assert.deepStrictEqual(put(once, "a", a ?? cells(0, 0, 1, 1)), once)
  })
})

describe("freePlace", () => {
  it("is the first gap that is wide and high enough, else below all", () => {
    const tiles = [cells(0, 0, 12, 4), cells(18, 0, 6, 4)]
    assert.deepStrictEqual(freePlace(tiles, 6, 4), cells(12, 0, 6, 4))
    assert.deepStrictEqual(freePlace(tiles, 7, 2), cells(0, 4, 7, 2))
    assert.deepStrictEqual(freePlace([], 8, 6), cells(0, 0, 8, 6))
    assert.deepStrictEqual(freePlace([cells(0, 0, 24, 2), cells(0, 4, 24, 2)], 24, 2), cells(0, 2, 24, 2))
    assert.deepStrictEqual(freePlace([cells(0, 0, 24, 2), cells(0, 3, 24, 2)], 24, 2), cells(0, 5, 24, 2))
    assert.deepStrictEqual(freePlace(tiles, 99, 0), cells(0, 4, 24, 1))
  })
})

describe("the keys", () => {
  const at = cells(4, 4, 6, 3)

  it.each([
    ["ArrowLeft", false, cells(3, 4, 6, 3)],
    ["ArrowRight", false, cells(5, 4, 6, 3)],
    ["ArrowUp", false, cells(4, 3, 6, 3)],
    ["ArrowDown", false, cells(4, 5, 6, 3)],
    ["ArrowLeft", true, cells(4, 4, 5, 3)],
    ["ArrowRight", true, cells(4, 4, 7, 3)],
    ["ArrowUp", true, cells(4, 4, 6, 2)],
    ["ArrowDown", true, cells(4, 4, 6, 4)]
  ])("%s with resize %s", (key, isResize, wanted) => {
    assert.deepStrictEqual(placeOfKey(at, key, isResize), wanted)
  })

  it("stop at the edges: a tile that grows does not move", () => {
    assert.deepStrictEqual(placeOfKey(cells(18, 0, 6, 1), "ArrowRight", true), cells(18, 0, 6, 1))
    assert.deepStrictEqual(placeOfKey(cells(18, 0, 6, 1), "ArrowRight", false), cells(18, 0, 6, 1))
    assert.deepStrictEqual(placeOfKey(cells(0, 0, 1, 1), "ArrowLeft", true), cells(0, 0, 1, 1))
    assert.deepStrictEqual(placeOfKey(cells(0, 0, 1, 1), "ArrowUp", false), cells(0, 0, 1, 1))
  })

  it("do nothing but the arrows", () => {
    assert.isUndefined(placeOfKey(at, "Enter", false))
    assert.isUndefined(placeOfKey(at, "toString", true))
  })
})

describe("the pointer", () => {
  it("moves and resizes by whole cells", () => {
    const cell = { width: 50, height: 40 }
    assert.deepStrictEqual(placeOfPointer(cells(4, 4, 6, 3), { x: 74, y: -61 }, cell, false), cells(5, 2, 6, 3))
    assert.deepStrictEqual(placeOfPointer(cells(4, 4, 6, 3), { x: 76, y: 19 }, cell, true), cells(4, 4, 8, 3))
    assert.deepStrictEqual(placeOfPointer(cells(20, 0, 4, 3), { x: 500, y: 0 }, cell, true), cells(20, 0, 4, 3))
  })
})

it("says a place in words", () => {
  assert.strictEqual(columns, 24)
  assert.strictEqual(placeText(cells(0, 2, 6, 3)), "column 1 of 24, row 3, 6 wide, 3 high")
})
