import type { Page } from "playwright-core"
import { createRequire } from "node:module"
import { readFileSync } from "node:fs"
import { keysPath } from "@headgate/harness/Snapshot"
import { startConsole } from "./ConsoleServer.ts"
import type { Part } from "./Part.ts"
import { samplePipes } from "./samplePipes.ts"
import { themes, sizes, stopsOf } from "./stops.ts"
import { misdeedsOf, staySignedIn, visit } from "./Visitor.ts"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const rules = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]

/** What axe finds on a page, each with the elements that have it. */
const violationsOn = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  const found: ReadonlyArray<{ id: string; nodes: ReadonlyArray<{ html: string; failureSummary?: string }> }> =
    await page.evaluate(
      `axe.run(document, { runOnly: { type: "tag", values: ${JSON.stringify(rules)} } }).then(({ violations }) => violations)`
    )
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`)
}

/** Whether a page is wider than its window: it would scroll to a side. */
const overflows = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1")

/** Every page in light and dark, wide and narrow, judged by axe. */
export const accessible: Part = async ({ browser, directory, random, script, verdict }) => {
  const server = await startConsole(script, directory, random, { pipes: samplePipes(random, 40) })
  await server.call("POST", keysPath(server.organization), { name: "unused", roles: ["developer"] })
  const stops = await stopsOf(server)
  let judged = 0
  for (const colorScheme of themes) {
    for (const viewport of sizes) {
      const visitor = await visit(browser, server.process.url, { viewport, colorScheme })
      const { page } = visitor
      const judge = async (name: string) => {
        const where = `${name}, ${colorScheme}, ${viewport.width} px`
        verdict.none(await violationsOn(page), where)
        verdict.hold(!(await overflows(page)), `${where}: the page scrolls to a side`)
        judged += 1
      }
      await page.goto("/console")
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor()
      await judge("sign in")
      await page.goto(await server.link())
      await page.getByRole("heading", { level: 1, name: "Pipes" }).waitFor()
      await staySignedIn(page)
      for (const { name, open } of stops) {
        await open(page)
        await judge(name)
      }
      verdict.none(misdeedsOf(visitor), `${colorScheme}, ${viewport.width} px`)
      await visitor.close()
    }
  }
  await verdict.cleanExit(server.process, "the server")
  return `${judged} views judged by axe`
}
