import type { TrialOptions } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
import { startServer } from "@headgate/harness/ServerProcess"
import { makeOrganization, organizationDocument, plainPipe } from "@headgate/harness/Snapshot"
import { say, type Verdict } from "@headgate/harness/Verdict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import type { Browser } from "playwright-core"
import { type PageConfig, redirectingPath, silentPath, stepNames, type Steps } from "./Page.ts"
import { type PageServer, startPageServer } from "./PageServer.ts"
import { bundlePage } from "./bundlePage.ts"
import { startChromium } from "./startChromium.ts"

/** A page of the trial: its name, its script, and what it shows for an aborted call. */
export interface TrialPage {
  readonly name: string
  readonly script: URL
  readonly aborted: string
}

const pageTimeout = 60_000
// The server sees an abort a moment after the page; after this time it counts as missing.
const abortTimeout = 5_000

/** What a page should show, if `listed` are the dashboards that exist. */
const expectedOf = (
  page: TrialPage,
  pipe: string,
  listed: ReadonlyArray<string>
): Readonly<Record<keyof Steps, string>> => ({
  pipe: `${pipe} is Running`,
  key: `${page.name}, <redacted>, opens ${pipe}`,
  dashboards: listed.join(),
  wrongKey: "Unauthorized 401",
  badId: "InvalidRequest pipeId 0",
  aborted: page.aborted,
  redirected: "UnexpectedResponse 1"
})

const requestsTo = ({ requests }: PageServer, path: string) =>
  requests.filter((request) => request.startsWith(`GET ${path}/`)).length

/** Opens a page, waits until it is done, and returns what it shows by step. */
const visit = async (browser: Browser, server: PageServer, name: string, verdict: Verdict) => {
  const page = await browser.newPage()
  const otherOrigins: Array<string> = []
  const abortedBefore = server.aborted()
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url())
    // Chromium reports a redirect's target even if it sends nothing there; the target itself sees whether it does.
    if (![server.url, server.otherUrl].includes(origin) && protocol !== "data:") otherOrigins.push(origin)
  })
  page.on("pageerror", (error) => verdict.hold(false, `${name}: the page threw: ${error.message}`))
  await page.goto(`${server.url}/${name}.html`)
  const isDone = await page.waitForSelector("#end", { timeout: pageTimeout }).then(
    () => true,
    () => false
  )
  verdict.hold(isDone, `${name}: the page was not done after ${pageTimeout} ms`)
  const shown = new Map<string, string>()
  for (const step of stepNames) shown.set(step, (await page.locator(`#${step}`).allTextContents()).join())
  const until = performance.now() + abortTimeout
  while (server.aborted() === abortedBefore && performance.now() < until) await sleep(50)
  const aborted = server.aborted() - abortedBefore
  verdict.hold(aborted === 1, `${name}: ${aborted} requests were aborted on the wire, not 1`)
  await page.close()
  verdict.none(otherOrigins, `${name}: the browser sent requests to another origin`)
  return shown
}

/** Each page in a real browser, with a real server behind the same origin. Returns what happened, as one line. */
export const browse =
  (pages: ReadonlyArray<TrialPage>) =>
  async (
    { count: rounds, seed, server: script }: TrialOptions,
    directory: string,
    verdict: Verdict
  ): Promise<string> => {
    const random = makeRandom(seed)
    const organization = makeOrganization(random)
    const { id: organizationId, keyId, keySecret, serviceId, token } = organization
    const pipe = plainPipe(random.uuid(), serviceId)
    const snapshot = join(directory, "snapshot.json")
    writeFileSync(snapshot, JSON.stringify({ organizations: [organizationDocument(organization, { pipes: [pipe] })] }))
    const config: Omit<PageConfig, "name"> = { organizationId, serviceId, pipeId: pipe.id, keyId, keySecret, token }
    const served = []
    for (const { name, script: entry } of pages) {
      const { code, faults } = await bundlePage(fileURLToPath(entry))
      verdict.none(faults, `${name}: the bundle`)
      say(`${name}: ${(gzipSync(code).length / 1024).toFixed(1)} KiB of script, minified and compressed`)
      served.push({ code, config: { ...config, name } })
    }
    const server = await startServer(script, "--memory", "--import", snapshot)
    const pageServer = await startPageServer(server.url, served)
    const browser = await startChromium()
    say(`browser: Chromium ${browser.version()}`)
    const listed: Array<string> = []
    let steps = 0
    for (const page of Array.from({ length: rounds }, () => pages).flat()) {
      listed.push(page.name)
      const redirectedBefore = requestsTo(pageServer, redirectingPath)
      const shown = await visit(browser, pageServer, page.name, verdict)
      const expected = expectedOf(page, pipe.name, listed)
      for (const step of stepNames) {
        const text = shown.get(step) ?? ""
        if (text === expected[step]) steps++
        else verdict.hold(false, `${page.name}, ${step}: expected "${expected[step]}", the page shows "${text}"`)
      }
      const redirected = requestsTo(pageServer, redirectingPath) - redirectedBefore
      verdict.hold(redirected === 1, `${page.name}: ${redirected} requests were redirected, not 1`)
    }
    const visits = rounds * pages.length
    const silent = requestsTo(pageServer, silentPath)
    verdict.hold(silent === visits, `${silent} requests went to ${silentPath}, not ${visits}`)
    verdict.none(pageServer.elsewhere, "a redirect was followed to another origin")
    await browser.close()
    await pageServer.close()
    await verdict.cleanExit(server, "the server")
    return (
      `${steps} of ${visits * stepNames.length} steps as expected on ${visits} pages, ` +
      `${pageServer.requests.length} requests to the API, ${pageServer.elsewhere.length} elsewhere`
    )
  }
