/** A bar of a plot, or a point of a line: what it is called, how much it is, and what is written beside it. */
export interface Value {
  readonly label: string
  readonly value: number
  readonly note: string
  /** Drawn in the colour of what the plot is about. */
  readonly ours?: boolean
}

export interface Plot {
  readonly title: string
  readonly subtitle: string
  readonly values: ReadonlyArray<Value>
  /** A line across at a target. */
  readonly target?: { readonly value: number; readonly label: string }
}

// Colours that can be read on white and on near-black; the page behind is not painted.
const style = `
  text { font: 13px system-ui, sans-serif; fill: #57606a }
  .title { font-weight: 600; font-size: 15px; fill: #24292f }
  .ours { fill: #0a7ea4 } .other { fill: #8c959f } .target { stroke: #bc4c00; stroke-dasharray: 4 3 } .named { fill: #bc4c00 }
  @media (prefers-color-scheme: dark) {
    text { fill: #9ea7b3 } .title { fill: #e6edf3 } .ours { fill: #4cc2e8 } .other { fill: #6e7681 }
    .target { stroke: #f0883e } .named { fill: #f0883e }
  }`

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const width = 720
const left = 150
const right = 170
const rowHeight = 30
const top = 64

/** Draws bars, one beneath the other, from nought: as SVG that needs nothing else. */
export const barPlot = ({ subtitle, target, title, values }: Plot): string => {
  const most = Math.max(...values.map(({ value }) => value), target?.value ?? 0)
  const scale = (width - left - right) / most
  const height = top + values.length * rowHeight + (target === undefined ? 12 : 30)
  const bars = values.map(({ label, note, ours = false, value }, index) => {
    const y = top + index * rowHeight
    return [
      `  <text x="${left - 10}" y="${y + 15}" text-anchor="end">${escaped(label)}</text>`,
      `  <rect class="${ours ? "ours" : "other"}" x="${left}" y="${y}" width="${(value * scale).toFixed(1)}" height="20" rx="2"/>`,
      `  <text x="${(left + value * scale + 8).toFixed(1)}" y="${y + 15}">${escaped(note)}</text>`
    ].join("\n")
  })
  const bottom = top + values.length * rowHeight
  const x = target === undefined ? "" : (left + target.value * scale).toFixed(1)
  const mark =
    target === undefined
      ? []
      : [
          `  <line class="target" x1="${x}" y1="${top - 6}" x2="${x}" y2="${bottom}"/>`,
          `  <text class="named" x="${x}" y="${bottom + 16}" text-anchor="middle">${escaped(target.label)}</text>`
        ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `  <style>${style}\n  </style>`,
    `  <text class="title" x="0" y="18">${escaped(title)}</text>`,
    `  <text x="0" y="38">${escaped(subtitle)}</text>`,
    ...bars,
    ...mark,
    "</svg>",
    ""
  ].join("\n")
}
