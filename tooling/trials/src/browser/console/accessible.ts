import type { Page } from "playwright-core"
import { keysPath } from "@headgate/harness/Snapshot"
import { startConsole } from "./ConsoleServer.ts"
import type { Part } from "./Part.ts"
import { sampleDashboard, samplePipes } from "./samplePipes.ts"
import { themes, sizes, stopsOf } from "./stops.ts"
import { violationsOn } from "./violationsOn.ts"
import { misdeedsOf, staySignedIn, visit } from "./Visitor.ts"

/** Whether a page is wider than its window: it would scroll to a side. */
const overflows = (page: Page): Promise<boolean> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1")

/** Every page in light and dark, wide and narrow, judged by axe. */
export const accessible: Part = async ({ browser, directory, random, script, verdict }) => {
  const server = await startConsole(script, directory, random, {
    pipes: samplePipes(random, 40),
    dashboards: [sampleDashboard]
  })
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
