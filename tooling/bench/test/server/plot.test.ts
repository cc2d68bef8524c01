import { assert, it } from "vitest"
import { barPlot } from "../../src/server/plot.ts"

it("a plot is drawn to scale, names its target, and escapes what it is given", () => {
  const svg = barPlot({
    title: "a < b & c",
    subtitle: "less is better",
    values: [
      { label: "one", value: 1, note: "x 1.00" },
      { label: "two", value: 2, note: "x 2.00", ours: true }
    ],
    target: { value: 1.5, label: "target" }
  })
  const widths = Array.from(svg.matchAll(/<rect class="(\w+)"[^>]* width="([\d.]+)"/g), ([, kind, width]) => [
    kind,
    Number(width)
  ])
  assert.deepStrictEqual(widths, [
    ["other", 200],
    ["ours", 400]
  ])
  assert.include(svg, "a &lt; b &amp; c")
  assert.include(svg, '<line class="target" x1="450.0"')
  assert.include(svg, "prefers-color-scheme: dark")
})
