/// <reference lib="dom" />
import type { Page } from "playwright-core"
import { engineMissing } from "../../../../../packages/mover-clickhouse/test/support/engine.ts"
import { pressOn, tabTo } from "./keyboard.ts"
import type { Part } from "./Part.ts"
import { startDemo } from "./startDemo.ts"
import { violationsOn } from "./violationsOn.ts"
import { misdeedsOf, visit } from "./Visitor.ts"

/** How many pixels of the first canvas have a colour: none of an empty chart. */
const drawnPixels = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const canvas = document.querySelector("canvas")
    const context = canvas?.getContext("2d")
    if (canvas === null || context === null || context === undefined) return 0
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
    let drawn = 0
    for (let index = 3; index < data.length; index += 4) if (data[index] !== 0) drawn += 1
    return drawn
  })

/** Pipes that move rows: their figures, a chart, a rejected row as it was read, the newest rows. */
export const demo: Part = async ({ browser, directory, script, verdict }) => {
  const missing = engineMissing()
  if (missing !== undefined) {
    if (process.env["HEADGATE_REQUIRE_MOVE"] === "1") throw new Error(missing)
    return `skipped: ${missing}`
  }
  const server = await startDemo(script, directory)
  const visitor = await visit(browser, server.process.url)
  const { page } = visitor
  await page.goto(await server.link())
  const row = page.getByRole("row", { name: /clicks/ })
  await row.filter({ hasText: "Running" }).waitFor()
  await tabTo(page, /clicks/)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { level: 1, name: "clicks" }).waitFor()
  await page.waitForFunction(() => document.querySelector("canvas") !== null)
  const drawn = await drawnPixels(page)
  verdict.hold(drawn > 500, `the chart of a pipe that moves rows has ${drawn} pixels`)
  await pressOn(page, /^column duration_ms/)
  const raw = await page.getByRole("dialog", { name: "Rejected row" }).locator("pre").textContent()
  verdict.hold(JSON.parse(raw ?? "{}").duration_ms === "timeout", `a rejected row is shown as ${raw}`)
  verdict.none(await violationsOn(page), "a rejected row")
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
  await pressOn(page, /^Show$/)
  const newest = page.getByRole("table", { name: /newest/i })
  await newest.scrollIntoViewIfNeeded()
  await newest.getByRole("row").nth(1).waitFor()
  const cells = await newest.getByRole("row").nth(1).textContent()
  verdict.hold(/GET|POST/.test(cells ?? ""), `the newest row is shown as ${cells}`)
  verdict.none(await violationsOn(page), "a pipe that moves rows")
  verdict.none(misdeedsOf(visitor), "over the demo")
  await visitor.close()
  const { code, stderr } = await server.process.stop()
  verdict.hold(code === 0, `the demo exited with ${code}`)
  // It tells the states of its pipes.
  verdict.none(stderr.match(/^.*\b(?:WARN|ERROR|FATAL)\b.*$/gm) ?? [], "the demo logged")
  return `a chart of ${drawn} pixels, a rejected row and the newest rows`
}
