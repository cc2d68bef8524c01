import { escapeTerminalLine } from "@headgate/command-line"
import { gridColumns, type PlacedTile, type Section } from "./grid.ts"

// As the service draws them, in pixels.
const rowHeight = 32
const gap = 10
const width = 1200
const columnWidth = (width - gap) / gridColumns - gap
const titleHeight = 40

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

// XML has neither control characters nor these two.
const escaped = (text: string): string =>
  escapeTerminalLine(text)
    .replaceAll(/[\ufffe\uffff]/g, "\ufffd")
    .replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character)

const pixels = (value: number): number => Math.round(value * 100) / 100

const start = (cells: number, size: number): number => gap + cells * (size + gap)
const extent = (cells: number, size: number): number => cells * (size + gap) - gap

const text = (y: number, size: number, color: string, content: string): string =>
  `<text x="12" y="${y}" font-size="${size}" fill="${color}">${escaped(content)}</text>`

/** A tile. It is an image of its own, which cuts text that is too long; pointed at, it shows the whole name. */
const tileSvg =
  (top: number) =>
  ({ h, kind, name, w, x, y }: PlacedTile): string =>
    [
      `<svg x="${pixels(start(x, columnWidth))}" y="${pixels(top + start(y, rowHeight))}" ` +
        `width="${pixels(extent(w, columnWidth))}" height="${pixels(extent(h, rowHeight))}">`,
      `<title>${escaped(name)}</title>`,
      `<rect width="100%" height="100%" rx="4" fill="#f6f8fa" stroke="#8c959f"/>`,
      text(21, 14, "#1f2328", name),
      text(41, 12, "#59636e", kind),
      "</svg>"
    ].join("")

/** Draws the grids of a dashboard as an SVG image, in the sizes that the service has. */
export const gridSvg = (name: string, sections: ReadonlyArray<Section>): string => {
  let top = 0
  const parts = sections.flatMap(({ rows, tiles, title }) => {
    const heading = title === "" ? [] : [`<svg y="${pixels(top)}">${text(28, 18, "#1f2328", title)}</svg>`]
    if (title !== "") top += titleHeight
    const drawn = tiles.map(tileSvg(top))
    top += start(rows, rowHeight)
    return [...heading, ...drawn]
  })
  const height = pixels(Math.max(top, rowHeight))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif">`,
    `<title>${escaped(name)}</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...parts,
    "</svg>",
    ""
  ].join("\n")
}
