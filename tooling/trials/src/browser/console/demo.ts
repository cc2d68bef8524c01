/// <reference lib="dom" />
import type { Page } from "playwright-core"
import { engineMissing } from "../../../../../packages/mover-clickhouse/test/support/engine.ts"
import { pressOn, tabTo, typeInto } from "./keyboard.ts"
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

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor()

/** Creates a pipe from Kafka by the keyboard alone: a wrong broker is named at its field, sample rows are seen. */
const createPipe = async (page: Page): Promise<string> => {
  await page.keyboard.press("g")
  await page.keyboard.press("p")
  await pressOn(page, /^New pipe$/)
  await heading(page, "New pipe")
  await pressOn(page, /^Kafka/, "Space")
  await pressOn(page, /^Next$/)
  await typeInto(page, /^Name of the pipe/, "typed")
  await typeInto(page, /^Brokers/, "elsewhere:9092")
  await typeInto(page, /^Topics/, "orders")
  await page.keyboard.press("Enter")
  await page.getByRole("alert").filter({ hasText: "demo:9092" }).first().waitFor()
  await typeInto(page, /^Brokers/, "demo:9092")
  await page.keyboard.press("Enter")
  const samples = page.getByRole("region", { name: "First rows" })
  await samples.waitFor()
  const seen = (await samples.textContent()) ?? ""
  await pressOn(page, /^Next$/)
  await typeInto(page, /^Table$/, "typed")
  await page.keyboard.press("Enter")
  await pressOn(page, /^Create$/)
  await heading(page, "typed")
  await page.locator("main .state", { hasText: "Running" }).first().waitFor()
  return seen
}

/** Moves a tile of the demo's dashboard by the keyboard alone, and saves it. */
const moveTile = async (page: Page): Promise<void> => {
  await page.getByRole("link", { name: "Dashboards" }).focus()
  await page.keyboard.press("Enter")
  await heading(page, "Dashboards")
  await pressOn(page, /^Shop/)
  await heading(page, "Shop")
  await page.waitForFunction(() => document.querySelectorAll("canvas").length >= 2)
  await pressOn(page, /^Edit$/)
  await tabTo(page, /^Move Requests by service$/)
  await page.keyboard.press("ArrowDown")
  await pressOn(page, /^Save/)
  await pressOn(page, /^End editing$/)
}

/** Pipes that move rows: their figures, a chart, a rejected row as it was read, the newest rows. */
export const demo: Part = async ({ browser, directory, script, verdict }) => {
  const missing = engineMissing()
  if (missing !== undefined) {
    if (process.env["HEADGATE_REQUIRE_MOVE"] === "1") throw new Error(missing)
    return `skipped: ${missing}`
  }
  const server = await startDemo(script, directory)
  const { id, serviceId } = server.organization
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
  const samples = await createPipe(page)
  verdict.hold(samples.includes("status"), `the first rows of a source are shown as ${samples}`)
  const dashboards = `/v1/organizations/${id}/services/${serviceId}/dbstack/dashboards`
  const [before] = await server.call("GET", dashboards)
  await moveTile(page)
  const [after] = await server.call("GET", dashboards)
  const rowOf = ({ tiles }: { tiles: ReadonlyArray<{ name: string; y: number }> }) =>
    tiles.find(({ name }) => name === "Requests by service")?.y ?? Number.NaN
  verdict.hold(rowOf(after) === rowOf(before) + 1, `a tile was moved from row ${rowOf(before)} to ${rowOf(after)}`)
  verdict.none(await violationsOn(page), "the dashboard of the demo")
  verdict.none(misdeedsOf(visitor), "over the demo")
  await visitor.close()
  const { code, stderr } = await server.process.stop()
  verdict.hold(code === 0, `the demo exited with ${code}`)
  // It tells the states of its pipes.
  verdict.none(stderr.match(/^.*\b(?:WARN|ERROR|FATAL)\b.*$/gm) ?? [], "the demo logged")
  return `a chart of ${drawn} pixels, a rejected row, the newest rows; by keyboard a pipe made and a tile moved`
}
