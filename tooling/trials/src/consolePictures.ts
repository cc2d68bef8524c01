// Takes a picture of every view of the console, in light and dark, wide and narrow, into a folder that is not committed.
import { readFlags, runCommand } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
import { serverScript } from "@headgate/harness/ServerProcess"
import { say } from "@headgate/harness/Verdict"
import { mkdirSync } from "node:fs"
import { join, resolve } from "node:path"
import { startConsole } from "./browser/console/ConsoleServer.ts"
import { sampleDashboard, samplePipes } from "./browser/console/samplePipes.ts"
import { sizes, stopsOf, themes } from "./browser/console/stops.ts"
import { staySignedIn, visit } from "./browser/console/Visitor.ts"
import { startChromium } from "./browser/startChromium.ts"

await runCommand("console-pictures", async (directory) => {
  const { to = "console-pictures" } = readFlags({ to: "text" })
  const folder = resolve(String(to))
  mkdirSync(folder, { recursive: true })
  const random = makeRandom(1)
  const server = await startConsole(serverScript, directory, random, {
    pipes: samplePipes(random, 24),
    dashboards: [sampleDashboard]
  })
  const browser = await startChromium()
  const stops = await stopsOf(server)
  for (const colorScheme of themes) {
    for (const viewport of sizes) {
      const { close, page } = await visit(browser, server.process.url, { viewport, colorScheme })
      const take = (name: string) =>
        page.screenshot({
          path: join(folder, `${name.replaceAll(/[^a-z]+/g, "-")}-${viewport.width}-${colorScheme}.png`)
        })
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
  await browser.close()
  await server.process.stop()
  say(`${(stops.length + 1) * themes.length * sizes.length} pictures are in ${folder}`)
})
