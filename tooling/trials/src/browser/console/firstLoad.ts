import { startConsole } from "./ConsoleServer.ts"
import type { Part } from "./Part.ts"
import { samplePipes } from "./samplePipes.ts"
import { misdeedsOf, visit } from "./Visitor.ts"

const most = 60 * 1024

/** What is sent until the table of a thousand pipes stands, and what a refresh of it asks for. */
export const firstLoad: Part = async ({ browser, directory, random, script, verdict }) => {
  const server = await startConsole(script, directory, random, { pipes: samplePipes(random, 1000) })
  const link = await server.link()
  const visitor = await visit(browser, server.process.url)
  const { misdeeds, page } = visitor
  const sizes = new Map<string, number>()
  page.on("response", (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.startsWith("/console")) return
    void response
      .request()
      .sizes()
      .then(({ responseBodySize }) => sizes.set(pathname, responseBodySize))
  })
  await page.goto(link)
  await page.getByRole("row").nth(5).waitFor()
  const rows = await page.getByRole("row").count()
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const scripts = [...sizes.keys()].filter((path) => path.endsWith(".js")).length
  const styles = [...sizes.keys()].filter((path) => path.endsWith(".css")).length
  verdict.hold(
    bytes > 0 && bytes <= most,
    `${bytes} bytes of /console are sent until the table stands, not at most ${most}`
  )
  verdict.hold(scripts === 1 && styles === 1, `${scripts} scripts and ${styles} styles are sent, not one of each`)
  verdict.hold(rows < 100, `${rows} rows of 1,000 are in the page`)
  const before = misdeeds.requests.length
  await page.waitForRequest((request) => request.url().endsWith("/statuses"))
  await page.waitForResponse((response) => response.url().endsWith("/statuses"))
  await page.waitForRequest((request) => request.url().endsWith("/statuses"))
  const asked = misdeeds.requests.slice(before).filter((request) => !request.endsWith("/statuses"))
  verdict.none(asked, "a refresh of the pipes asks for more than their statuses")
  verdict.none(misdeedsOf(visitor), "the first load")
  await visitor.close()
  await verdict.cleanExit(server.process, "the server")
  return `${bytes} bytes, ${scripts} script, ${styles} style; ${rows} of 1,000 rows in the page`
}
