import { signal } from "@preact/signals"

/** Counts the changes of the colours of the page: dark or light, forced colours. */
export const coloursChanged = signal(0)

const forced = matchMedia("(forced-colors: active)")

const change = () => {
  coloursChanged.value += 1
}
forced.addEventListener("change", change)
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", change)
new MutationObserver(change).observe(document.documentElement, { attributes: true })

/** Whether the person has colours of their own, in which those of lines are not told from each other. */
export const isWithoutColours = (): boolean => forced.matches

/** The colours that a chart is drawn with: a canvas knows no variables of CSS, so they are those of elements in it. */
export interface Colours {
  readonly text: string
  readonly line: string
  readonly ground: string
  readonly series: ReadonlyArray<string>
}

/** Reads the colours of the elements of a chart. */
export const readColours = (figure: HTMLElement): Colours => {
  const style = getComputedStyle(figure)
  const marks = Array.from(figure.querySelectorAll(".series-mark"))
  return {
    text: style.color,
    line: style.borderTopColor,
    ground: style.backgroundColor,
    series: marks.map((mark) => getComputedStyle(mark).color)
  }
}
