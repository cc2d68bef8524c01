import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { sectionsOf } from "../src/dashboard/grid.ts"
import { service } from "./Service.ts"
import { headgate, secrets } from "./headgate.ts"

const api = service()
const directory = mkdtempSync(join(tmpdir(), "headgate-preview-"))
afterAll(() => rmSync(directory, { recursive: true }))

const file = (name: string, text: string): string => {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}
const json = (document: object) => file("dashboard.json", JSON.stringify(document))
const preview = async (path: string, env: Record<string, string> = {}, ...args: ReadonlyArray<string>) => {
  const { exitCode, stderr, stdout } = await headgate(["dashboard", "preview", path, ...args], { env })
  assert.strictEqual(exitCode, 0, stderr)
  return stdout
}

type Place = readonly [x: number, y: number, w: number, h: number]
const tile = ([x, y, w, h]: Place, name = "") => ({ name, x, y, w, h })
const placesOf = (...places: ReadonlyArray<Place>) =>
  sectionsOf({ tiles: places.map((place, index) => tile(place, String(index))) })
    .flatMap(({ tiles }) => tiles)
    .toSorted((one, other) => Number(one.name) - Number(other.name))
    .map(({ h, w, x, y }) => [x, y, w, h])

describe("the grid of a dashboard", () => {
  it.each<[string, ReadonlyArray<Place>, ReadonlyArray<Place>]>([
    ["keeps a tile at the top", [[0, 0, 24, 2]], [[0, 0, 24, 2]]],
    [
      "moves a tile up to the one above it",
      [
        [0, 0, 6, 2],
        [0, 9, 6, 2]
      ],
      [
        [0, 0, 6, 2],
        [0, 2, 6, 2]
      ]
    ],
    [
      "moves a tile up only as far as all of its columns are free",
      [
        [0, 0, 6, 2],
        [6, 0, 6, 5],
        [3, 9, 6, 1]
      ],
      [
        [0, 0, 6, 2],
        [6, 0, 6, 5],
        [3, 5, 6, 1]
      ]
    ],
    [
      "does not move a tile through another into a gap above it",
      [
        [0, 4, 6, 4],
        [0, 3, 24, 1],
        [0, 9, 6, 2]
      ],
      [
        [0, 1, 6, 4],
        [0, 0, 24, 1],
        [0, 5, 6, 2]
      ]
    ],
    [
      "moves a tile that overlaps another below it",
      [
        [0, 0, 12, 4],
        [6, 2, 12, 4]
      ],
      [
        [0, 0, 12, 4],
        [6, 4, 12, 4]
      ]
    ],
    [
      "moves a tile that is too far right to the left",
      [
        [20, 0, 8, 1],
        [0, 0, 99, 1]
      ],
      [
        [16, 1, 8, 1],
        [0, 0, 24, 1]
      ]
    ],
    ["bounds a huge tile", [[0, 1e308, 1e308, 1e308]], [[0, 0, 24, 1000]]]
  ])("%s", (_, given, shown) => {
    assert.deepStrictEqual<unknown>(placesOf(...given), shown)
  })

  it("never shows two tiles in one place", () => {
    // The same numbers in each run.
    let seed = 1
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647
      return seed % below
    }
    for (let round = 0; round < 50; round++) {
      const tiles = Array.from({ length: 40 }, (_, index) =>
        tile([random(24), random(30), 1 + random(24), 1 + random(6)], String(index))
      )
      const cells = sectionsOf({ tiles }).flatMap(({ tiles }) =>
        tiles.flatMap(({ h, w, x, y }) =>
          Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`)
        )
      )
      assert.strictEqual(new Set(cells).size, cells.length)
    }
  })

  it("has a part of its own for each container and tab; those that are not known count as none", () => {
    const containers = [
      { id: "a", title: "A", collapsed: false, tabs: [{ id: "t", title: "T" }] },
      { id: "b", title: "B", collapsed: true }
    ]
    const place: Place = [0, 5, 4, 1]
    const sections = sectionsOf({
      containers,
      tiles: [
        { ...tile(place, "in a tab"), containerId: "a", tabId: "t" },
        { ...tile(place, "in none") },
        { ...tile(place, "in a"), containerId: "a" },
        { ...tile(place, "unknown"), containerId: "x" }
      ]
    })
    assert.deepStrictEqual(
      sections.map(({ rows, tiles, title }) => [title, rows, tiles.map(({ name }) => name)]),
      [
        ["", 2, ["in none", "unknown"]],
        ["A", 1, ["in a"]],
        ["A / T", 1, ["in a tab"]]
      ]
    )
  })
})

const dashboard = {
  name: "Errors",
  tiles: [
    { ...tile([0, 3, 12, 4], "Errors by service"), series: [{ type: "time", aggFn: "count" }] },
    { ...tile([12, 3, 12, 4], "表は広い"), config: { displayType: "table" } },
    { ...tile([0, 9, 24, 1], "Notes"), config: { displayType: "markdown" } },
    { ...tile([0, 10, 6, 2], "A long name that is cut"), config: { displayType: "number" } }
  ]
}

describe("headgate dashboard preview", () => {
  it("draws a file in a terminal of 60 columns, without a service", async () => {
    const drawn = await preview(json(dashboard), { COLUMNS: "60" })
    assert.strictEqual(
      drawn,
      [
        "┌ Errors by service ───┐┌ 表は広い ────────────┐",
        "│ time                 ││ table                │",
        "│                      ││                      │",
        "└──────────────────────┘└──────────────────────┘",
        "[Notes                                         ]",
        "┌ A long n…┐",
        "└──────────┘",
        ""
      ].join("\n")
    )
  })

  it.each([20, 60, 140, 400])("fits a terminal of %d columns", async (columns) => {
    const drawn = await preview(json({ ...dashboard, tiles: dashboard.tiles.slice(2) }), { COLUMNS: String(columns) })
    for (const line of drawn.split("\n")) assert.isAtMost(line.length, Math.max(columns, 24))
  })

  it("draws YAML, and a dashboard of the service by its id", async () => {
    const yaml = file("dashboard.yaml", "name: Errors\ntiles:\n  - { name: Notes, x: 0, y: 0, w: 24, h: 1 }\n")
    const expected = await preview(yaml)
    const tiles = [{ id: "1", ...tile([0, 7, 24, 1], "Notes") }]
    api.respondWith({ status: 200, body: { data: { id: "65f5e4a3b9e77c001a567890", name: "Errors", tiles } } })
    const env = { HEADGATE_OBSERVABILITY_URL: api.url, HEADGATE_TOKEN: secrets.token }
    assert.strictEqual(await preview("65f5e4a3b9e77c001a567890", env), expected)
    assert.include(expected, "[Notes ")
  })

  it("prints the places as JSON", async () => {
    const { columns, sections } = JSON.parse(await preview(json(dashboard), {}, "--json"))
    assert.deepStrictEqual([columns, sections[0].rows], [24, 7])
    assert.deepInclude(sections[0].tiles, { name: "Notes", kind: "markdown", x: 0, y: 4, w: 24, h: 1 })
  })

  it("writes an SVG image, in which names are text", async () => {
    const svg = join(directory, "dashboard.svg")
    const name = `</text><script>alert("1 & 2")</script>\u0000`
    await preview(json({ name, tiles: [tile([0, 5, 24, 2], name)] }), {}, "--svg", svg)
    const image = readFileSync(svg, "utf8")
    assert.include(image, '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="94"')
    assert.include(image, '<svg x="10" y="10" width="1180" height="74">')
    assert.include(image, "&lt;/text&gt;&lt;script&gt;alert(&quot;1 &amp; 2&quot;)&lt;/script&gt;\\x00")
    assert.notInclude(image, "<script>")
  })

  it("is bounded", async () => {
    const tall = Array.from({ length: 3 }, (_, index) => tile([0, index * 900, 1, 900]))
    const drawn = await preview(json({ name: "Tall", tiles: tall }))
    assert.strictEqual(drawn.split("\n").at(-2), "… and 1700 more rows")
    const many = Array.from({ length: 501 }, (_, index) => ({ id: String(index), ...tile([0, index, 24, 1]) }))
    const refused = await headgate(["dashboard", "preview", json({ name: "Many", tiles: many })])
    assert.strictEqual(refused.exitCode, 2)
    assert.include(refused.stderr, "tiles: Expected at most 500 tiles")
    api.respondWith({ status: 200, body: { data: { id: "65f5e4a3b9e77c001a567890", name: "Many", tiles: many } } })
    const env = { HEADGATE_OBSERVABILITY_URL: api.url, HEADGATE_TOKEN: secrets.token }
    const { stderr, stdout } = await headgate(["dashboard", "preview", "65f5e4a3b9e77c001a567890"], { env })
    assert.include(stderr, "note: 1 tiles are not drawn")
    assert.strictEqual(stdout.split("\n").length, 501)
  })

  it("says what is wrong with a file, and which settings a dashboard of the service needs", async () => {
    const wrong = await headgate(["dashboard", "preview", json({ name: "A", tiles: [{ name: "x" }] })])
    assert.strictEqual(wrong.exitCode, 2)
    assert.include(wrong.stderr, "tiles[0].x")
    assert.strictEqual((await headgate(["dashboard", "preview", join(directory, "not-there.json")])).exitCode, 2)
    const missing = await headgate(["dashboard", "preview", "Errors"])
    assert.strictEqual(missing.exitCode, 2)
    assert.include(missing.stderr, "HEADGATE_TOKEN")
  })
})
