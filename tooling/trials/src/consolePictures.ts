// Takes pictures of the console: of every view, in light and dark, wide and narrow, into a folder that is not committed; with `--docs` the
// two of the documentation, of a server with --demo.
import { readFlags, runCommand } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
import { serverScript } from "@headgate/harness/ServerProcess"
import { say } from "@headgate/harness/Verdict"
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Browser } from "playwright-core"
import { startConsole } from "./browser/console/ConsoleServer.ts"
import { sampleDashboard, samplePipes } from "./browser/console/samplePipes.ts"
import { startDemo } from "./browser/console/startDemo.ts"
import { sizes, stopsOf, themes } from "./browser/console/stops.ts"
import { staySignedIn, visit } from "./browser/console/Visitor.ts"
import { startChromium } from "./browser/startChromium.ts"

/** Every view of a simulated server. */
const takeViews = async (browser: Browser, directory: string, folder: string): Promise<number> => {
  const random = makeRandom(1)
  const content = { pipes: samplePipes(random, 24), dashboards: [sampleDashboard] }
  const server = await startConsole(serverScript, directory, random, content)
  const stops = await stopsOf(server)
  for (const colorScheme of themes) {
    for (const viewport of sizes) {
      const { close, page } = await visit(browser, server.process.url, { viewport, colorScheme })
      const take = (name: string) => {
        const file = `${name.replaceAll(/[^a-z]+/g, "-")}-${viewport.width}-${colorScheme}.png`
        return page.screenshot({ path: join(folder, file) })
      }
      await page.goto("/console")
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor()
      await take("sign in")
      await page.goto(await server.link())
      await page.getByRole("table").waitFor()
      await staySignedIn(page)
      for (const { name, open } of stops) {
        await open(page)
        await take(name)
      }
      await close()
    }
  }
  await server.process.stop()
  return (stops.length + 1) * themes.length * sizes.length
}

// The history of a pipe has a point a minute.
const untilHistory = 200_000

/** A pipe and the dashboard of the demo, after some minutes. */
const takeDemo = async (browser: Browser, directory: string, folder: string): Promise<number> => {
  const server = await startDemo(serverScript, directory)
  const { close, page } = await visit(browser, server.process.url, { viewport: { width: 1000, height: 720 } })
  say(`waiting ${untilHistory / 1000} s for a history`)
  await sleep(untilHistory)
  await page.goto(await server.link())
  await page.getByRole("link", { name: "clicks" }).click()
  await page.getByLabel("Time range").selectOption({ label: "Last 15 minutes" })
  await sleep(5000)
  await page.screenshot({ path: join(folder, "pipe.png") })
  await page.getByRole("link", { name: "Dashboards" }).click()
  await page.getByRole("link", { name: "Shop" }).click()
  await sleep(5000)
  await page.screenshot({ path: join(folder, "dashboard.png") })
  await close()
  await server.process.stop()
  return 2
}

await runCommand("console-pictures", async (directory) => {
  const { docs = false, to = docs ? "docs/pictures" : "console-pictures" } = readFlags({ docs: "switch", to: "text" })
  const folder = resolve(String(to))
  mkdirSync(folder, { recursive: true })
  const browser = await startChromium()
  const taken = await (docs ? takeDemo : takeViews)(browser, directory, folder)
  await browser.close()
  say(`${taken} pictures are in ${folder}`)
})
