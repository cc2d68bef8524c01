import { useSignal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { go } from "../../data/route.ts"
import { topFor, type View, windowOf } from "./model.ts"
import { rowAfter } from "./tableKeys.ts"

/** The height of a row: 2.5 times the text, however large it was set. */
const rowHeightNow = (): number =>
  Math.round(2.5 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize))

const indexOf = (target: EventTarget | null): number | undefined => {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null
  return row === null ? undefined : Number(row.dataset["index"])
}

/** What is seen of a table whose rows are all of one height, which row has the focus, and what the keys do. */
export const useRows = <Row>(
  rows: ReadonlyArray<Row>,
  keyOf: (row: Row) => string,
  pathOf: ((row: Row) => string) | undefined
) => {
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = useRef(0)
  if (rowHeight.current === 0) rowHeight.current = rowHeightNow()
  const view = useSignal({ top: 0, height: 800 })
  const activeKey = useSignal<string | undefined>(undefined)
  const wanted = useRef<number | undefined>(undefined)

  const measure = () => {
    const element = scroller.current
    if (element === null) return
    const { clientHeight: height, scrollTop: top } = element
    if (view.peek().top !== top || view.peek().height !== height) view.value = { top, height }
  }
  useLayoutEffect(() => {
    if (scroller.current === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(scroller.current)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)?.focus({ preventScroll: true })
    wanted.current = undefined
  })

  // The header covers the uppermost row of what is seen.
  const seen = (): View => ({
    top: view.peek().top,
    height: Math.max(view.peek().height - rowHeight.current, rowHeight.current),
    rowHeight: rowHeight.current
  })

  const focus = (index: number) => {
    const row = rows[index]
    const element = scroller.current
    if (row === undefined || element === null) return
    element.scrollTop = topFor(seen(), index)
    wanted.current = index
    activeKey.value = keyOf(row)
    measure()
    // The row that had the focus keeps it if nothing is drawn anew.
    element.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const index = indexOf(event.target)
    if (index === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    const row = rows[index]
    const isOfRow = event.target instanceof HTMLElement && event.target.dataset["index"] !== undefined
    if (event.key === "Enter" && isOfRow && row !== undefined && pathOf !== undefined) {
      event.preventDefault()
      go(pathOf(row))
      return
    }
    const { height } = seen()
    const next = rowAfter(event.key, index, rows.length, Math.floor(height / rowHeight.current))
    if (next === undefined || (!isOfRow && !(event.target instanceof HTMLButtonElement))) return
    event.preventDefault()
    focus(next)
  }

  const onFocus = (event: FocusEvent) => {
    const row = rows[indexOf(event.target) ?? -1]
    if (row !== undefined) activeKey.value = keyOf(row)
  }

  const found = activeKey.value === undefined ? -1 : rows.findIndex((row) => keyOf(row) === activeKey.value)
  const active = Math.max(found, 0)
  const [first, last] = windowOf({ ...view.value, rowHeight: rowHeight.current }, rows.length)
  const drawn = Array.from({ length: Math.max(last - first, 0) }, (_, position) => first + position)
  // The row that has the focus stays, however far away it is scrolled.
  if (active < first) drawn.unshift(active)
  else if (active >= last && active < rows.length) drawn.push(active)
  return { active, drawn, onFocus, onKeyDown, onScroll: measure, rowHeight: rowHeight.current, scroller }
}
