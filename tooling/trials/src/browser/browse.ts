import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import type { BrowserContext } from "playwright-core"
import { makeRandom } from "../load/Random.ts"
import { makeWorld, type Organization, snapshotOf } from "../load/World.ts"
import type { TrialOptions } from "../report/Trial.ts"
import { say, Verdict } from "../report/Verdict.ts"
import { startServer } from "../server/ServerProcess.ts"
import { bundlePage, travelled } from "./bundlePage.ts"
import { startChromium } from "./Chromium.ts"
import { type FrontDoor, openFrontDoor } from "./FrontDoor.ts"
import { type PageConfig, redirectingPath, silentPath, type Steps, stepNames } from "./Page.ts"

/** A page of the trial: its name, its script, and how it shows that a call was aborted. */
export interface TrialPage {
  readonly name: string
  readonly script: URL
  readonly aborted: string
}

// A page that has not said by then that it is done never will.
const patience = 60_000

const configOf = (organization: Organization, name: string): PageConfig => ({
  name,
  organizationId: organization.id,
  serviceId: organization.serviceId,
  pipeId: organization.keptPipe,
  keyId: organization.adminKeyId,
  keySecret: organization.adminKeySecret,
  token: organization.token
})

/** What a page should show, when `listed` are the dashboards that it should see. */
const expectedOf = (
  page: TrialPage,
  { keptPipe }: Organization,
  listed: ReadonlyArray<string>
): Readonly<Record<keyof Steps, string>> => {
  const pipe = `pipe ${keptPipe.slice(0, 8)}`
  return {
    pipe: `${pipe} is Running`,
    key: `${page.name}, <redacted>, opens ${pipe}`,
    dashboards: listed.join(),
    wrongKey: "Unauthorized 401",
    badId: "InvalidRequest pipeId 0",
    aborted: page.aborted,
    redirected: "UnexpectedResponse 1"
  }
}

// An abort is seen on the wire a moment after the page has gone on; this long at most.
const abortSeenWithin = 5_000

const abortedSince = async (door: FrontDoor, before: number): Promise<number> => {
  const until = performance.now() + abortSeenWithin
  while (door.aborted() === before && performance.now() < until) await sleep(50)
  return door.aborted() - before
}

const requestsOf = ({ asked }: FrontDoor, path: string) =>
  asked.filter((request) => request.startsWith(`GET ${path}/`)).length

/** Opens a page, waits until it is done, and answers what it shows. */
const visit = async (browser: BrowserContext, door: FrontDoor, name: string, verdict: Verdict) => {
  const page = await browser.newPage()
  const strangers: Array<string> = []
  const abortedBefore = door.aborted()
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url())
    // Chromium also tells of a redirect's target that it does not ask: whether it does, is seen there.
    if (![door.url, door.elsewhereUrl].includes(origin) && protocol !== "data:") strangers.push(origin)
  })
  page.on("pageerror", (error) => verdict.hold(false, `${name}: the page threw: ${error.message}`))
  await page.goto(`${door.url}/${name}.html`)
  const isDone = await page
    .waitForSelector("#end", { timeout: patience })
    .then(() => true)
    .catch(() => false)
  verdict.hold(isDone, `${name}: the page was not done after ${patience} ms`)
  const shown = await Promise.all(
    stepNames.map(async (step) => [step, (await page.locator(`#${step}`).allTextContents()).join()] as const)
  )
  const aborted = await abortedSince(door, abortedBefore)
  verdict.hold(aborted === 1, `${name}: ${aborted} requests were aborted on the wire, not 1`)
  await page.close()
  verdict.none(strangers, `${name}: the browser asked another origin`)
  return new Map(shown)
}

/** The trial: each page in a real browser, against a real server behind the same origin. */
export const browse =
  (pages: ReadonlyArray<TrialPage>) =>
  async ({ count: rounds, seed, server: script }: TrialOptions, directory: string): Promise<void> => {
    const verdict = new Verdict("browser")
    const world = makeWorld(makeRandom(seed), 1)
    const [organization] = world
    if (organization === undefined) throw new Error("there is no organization")
    const snapshot = join(directory, "snapshot.json")
    writeFileSync(snapshot, snapshotOf(world))
    const bundles = await Promise.all(
      pages.map(async (page) => ({ page, bundle: await bundlePage(fileURLToPath(page.script)) }))
    )
    for (const { bundle, page } of bundles) {
      verdict.none(bundle.faults, `${page.name}: the bundle`)
      say(`${page.name}: ${travelled(bundle.code)} KiB of script, minified and compressed`)
    }
    const server = await startServer(script, "--memory", "--import", snapshot)
    const door = await openFrontDoor(
      server.url,
      bundles.map(({ bundle, page }) => ({ code: bundle.code, config: configOf(organization, page.name) }))
    )
    const browser = await startChromium(directory)
    say(`browser: Chromium ${browser.browser()?.version() ?? "of an unknown version"}`)
    const listed: Array<string> = []
    let steps = 0
    for (let round = 1; round <= rounds; round++) {
      for (const page of pages) {
        listed.push(page.name)
        const redirectedBefore = requestsOf(door, redirectingPath)
        const shown = await visit(browser, door, page.name, verdict)
        const expected = expectedOf(page, organization, listed)
        for (const step of stepNames) {
          const text = shown.get(step) ?? ""
          if (text === expected[step]) steps++
          else verdict.hold(false, `${page.name}, ${step}: expected "${expected[step]}", the page shows "${text}"`)
        }
        const redirected = requestsOf(door, redirectingPath) - redirectedBefore
        verdict.hold(redirected === 1, `${page.name}: ${redirected} requests met the redirect, not 1`)
      }
    }
    const silent = requestsOf(door, silentPath)
    verdict.hold(silent === rounds * pages.length, `${silent} requests met silence, not ${rounds * pages.length}`)
    verdict.none(door.elsewhere, "a redirect was followed to another origin")
    await browser.close()
    await door.close()
    const { code, complaints } = await server.stop()
    verdict.hold(code === 0 && complaints === "", `the server ended with ${code}: ${complaints.slice(0, 500)}`)
    const wanted = rounds * pages.length * stepNames.length
    verdict.end(
      `${steps} of ${wanted} steps as expected on ${rounds * pages.length} pages, ` +
        `${door.asked.length} requests to the APIs, ${door.elsewhere.length} elsewhere`
    )
  }
