/// <reference lib="dom" />
import type { Page } from "playwright-core"

/** What a screen reader would call the element that has the focus, roughly: its label, or its text. */
const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return ""
    const labels = "labels" in element && element.labels instanceof NodeList ? [...element.labels] : []
    const label = element.getAttribute("aria-label") ?? labels.map((each) => each.textContent).join(" ")
    return (label === "" ? (element.textContent ?? "") : label).replaceAll(/\s+/g, " ").trim()
  })

/** Whether a person sees which element has the focus. */
const isFocusSeen = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return false
    const style = getComputedStyle(element)
    return (style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 1) || style.boxShadow !== "none"
  })

const most = 150

/** Presses Tab until the element with this name has the focus, and holds that it is seen. Throws if Tab never reaches it. */
export const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  const seen: Array<string> = []
  for (let pressed = 0; pressed < most; pressed += 1) {
    const focused = await focusedName(page)
    if (name.test(focused)) {
      if (await isFocusSeen(page)) return
      throw new Error(`the focus on "${focused}" is not seen`)
    }
    seen.push(focused.slice(0, 40))
    await page.keyboard.press("Tab")
  }
  throw new Error(`Tab does not reach ${String(name)}, only ${[...new Set(seen)].join(" | ")}`)
}

/** Reaches an element with Tab and presses a key on it. */
export const pressOn = async (page: Page, name: RegExp, key: string = "Enter"): Promise<void> => {
  await tabTo(page, name)
  await page.keyboard.press(key)
}

/** Reaches a field with Tab and types a text into it, in the place of what it had. */
export const typeInto = async (page: Page, name: RegExp, text: string): Promise<void> => {
  await tabTo(page, name)
  await page.keyboard.press("Control+a")
  await page.keyboard.type(text)
}
