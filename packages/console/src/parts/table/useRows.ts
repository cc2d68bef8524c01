import { useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useLayoutEffect, useMemo, useRef } from "preact/hooks"
import { go } from "../../data/route.ts"
import { drawnOf, topFor, type View, windowOf } from "./model.ts"
import { rowAfter } from "./tableKeys.ts"

/** The height of a row: 2.5 times the text, however large it was set. */
const rowHeightNow = (): number =>
  Math.round(2.5 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize))

const indexOf = (target: EventTarget | null): number | undefined => {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null
  return row === null ? undefined : Number(row.dataset["index"])
}

/** What is seen of the rows in an element that scrolls, in pixels. On paper that are all. */
const useView = (scroller: RefObject<HTMLElement | null>) => {
  const view = useSignal({ top: 0, height: 800 })
  const measure = () => {
    const element = scroller.current
    if (element === null) return
    const { clientHeight: height, scrollTop: top } = element
    if (view.peek().top !== top || view.peek().height !== height) view.value = { top, height }
  }
  useLayoutEffect(() => {
    if (scroller.current === null) return
    const drawAll = () => {
      view.value = { top: 0, height: Number.POSITIVE_INFINITY }
    }
    const observer = new ResizeObserver(measure)
    observer.observe(scroller.current)
    addEventListener("beforeprint", drawAll)
    addEventListener("afterprint", measure)
    return () => {
      observer.disconnect()
      removeEventListener("beforeprint", drawAll)
      removeEventListener("afterprint", measure)
    }
  }, [])
  return { measure, view }
}

/** What is seen of a table whose rows are all of one height, which row has the focus, and what the keys do. */
export const useRows = <Row>(
  rows: ReadonlyArray<Row>,
  keyOf: (row: Row) => string,
  pathOf: ((row: Row) => string) | undefined
) => {
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = useMemo(rowHeightNow, [])
  const { measure, view } = useView(scroller)
  const activeKey = useSignal<string | undefined>(undefined)
  // The row that gets the focus as soon as it is drawn.
  const wanted = useRef<number | undefined>(undefined)

  const focusWanted = () => {
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`)
    if (row === null || row === undefined) return
    row.focus({ preventScroll: true })
    wanted.current = undefined
  }
  useLayoutEffect(() => {
    if (wanted.current !== undefined) focusWanted()
  })

  // The header covers the uppermost row of what is seen.
  const seen = (): View => ({
    top: view.peek().top,
    height: Math.max(view.peek().height - rowHeight, rowHeight),
    rowHeight
  })

  const focus = (index: number) => {
    const row = rows[index]
    const element = scroller.current
    if (row === undefined || element === null) return
    element.scrollTop = topFor(seen(), index)
    wanted.current = index
    activeKey.value = keyOf(row)
    measure()
    focusWanted()
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
    const next = rowAfter(event.key, index, rows.length, Math.floor(seen().height / rowHeight))
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
  const drawn = drawnOf(windowOf({ ...view.value, rowHeight }, rows.length), active, rows.length)
  return { active, drawn, onFocus, onKeyDown, onScroll: measure, rowHeight, scroller }
}
