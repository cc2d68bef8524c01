/// <reference lib="dom" />
import { median } from "@headgate/harness/rounds"
import type { Verdict } from "@headgate/harness/Verdict"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { CDPSession, Page } from "playwright-core"
import { startConsole } from "./ConsoleServer.ts"
import type { Part, PartOptions } from "./Part.ts"
import { dashboardOf, answerCharts } from "./sampleCharts.ts"
import { samplePipes } from "./samplePipes.ts"
import { misdeedsOf, visit } from "./Visitor.ts"

const much = { name: "much", pipes: 1000, tiles: 500 }
const little = { name: "little", pipes: 50, tiles: 10 }
/** How often each action is measured, after those that warm up. */
const rounds = { counted: 7, before: 2 }
/** How many times the CPU time over little content an action over much may take. The target is 2; the rest is noise of a shared machine. */
const most = 3

/** Waits until what was changed is drawn. */
const frame = "await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));"
const scroll = (element: string) => `
  for (const step of [...Array(10).fill(150), ...Array(10).fill(-150)]) { ${element}.scrollBy(0, step); ${frame} }`
const type = (field: string, texts: ReadonlyArray<string>, then = "") => `
  const field = document.querySelector(${JSON.stringify(field)});
  for (const text of ${JSON.stringify(texts)}) {
    field.value = text; field.dispatchEvent(new Event("input", { bubbles: true })); ${then} ${frame} }`
const sort = (table: string) => `
  for (const column of [1, 0, 1, 0]) {
    document.querySelectorAll(${JSON.stringify(`${table} [role=columnheader] button`)})[column].click(); ${frame} }`

/** What is done, as scripts in the pages: as many rows and tiles are in view over much content as over little. */
const actions = {
  pipes: {
    scroll: scroll('document.querySelector(".table-scroll")'),
    filter: type("input[type=search]", ["p", "pi", "pip", "pipe 00", ""]),
    sort: sort(".table")
  },
  tiles: {
    scroll: scroll("window"),
    filter: type(".where-text", ["status:200", ""], 'field.dispatchEvent(new Event("blur"));'),
    sort: sort(".tile .table")
  }
} as const

/** CPU time of the thread that runs the page's scripts and layout, in milliseconds. */
const cpuOf = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send("Performance.getMetrics")
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000
}

const openPages = async ({ browser, directory, random, script, verdict }: PartOptions, content: typeof much) => {
  const own = join(directory, content.name)
  mkdirSync(own)
  const dashboards = [dashboardOf(content.tiles)]
  const server = await startConsole(script, own, random, { pipes: samplePipes(random, content.pipes), dashboards })
  const { id, serviceId } = server.organization
  const service = `/console/organizations/${id}/services/${serviceId}`
  const open = async (path: string, isReady: (page: Page) => Promise<unknown>) => {
    const visitor = await visit(browser, server.process.url)
    await answerCharts(visitor.page)
    await visitor.page.goto(`${service}${path}${new URL(await server.link()).hash}`)
    await isReady(visitor.page)
    const session = await visitor.page.context().newCDPSession(visitor.page)
    await session.send("Performance.enable", { timeDomain: "threadTicks" })
    return { visitor, session }
  }
  const pages = {
    pipes: await open("/pipes", (page) => page.getByRole("row").nth(5).waitFor()),
    tiles: await open(`/dashboards/${dashboards[0]?.id}?refresh=off`, (page) =>
      page.locator(".tile .table").first().waitFor()
    )
  }
  const close = async () => {
    for (const { visitor } of Object.values(pages)) {
      verdict.none(misdeedsOf(visitor), `with ${content.name}`)
      await visitor.close()
    }
    await verdict.cleanExit(server.process, "the server")
  }
  return { pages, close }
}

type Pages = Awaited<ReturnType<typeof openPages>>["pages"]

/** Measures an action in both pages by turns, and holds that it depends little on how much there is. */
const compare = async (
  subject: keyof typeof actions,
  action: "scroll" | "filter" | "sort",
  all: ReadonlyArray<Pages>,
  verdict: Verdict
) => {
  const taken = all.map(() => new Array<number>())
  for (let round = 1; round <= rounds.before + rounds.counted; round += 1) {
    for (const [index, pages] of all.entries()) {
      const { session, visitor } = pages[subject]
      const before = await cpuOf(session)
      await visitor.page.evaluate(`(async () => { ${actions[subject][action]} })()`)
      if (round > rounds.before) taken[index]?.push((await cpuOf(session)) - before)
    }
  }
  const [more = Number.NaN, less = Number.NaN] = taken.map(median)
  verdict.hold(
    more <= most * less,
    `a ${action} of ${subject}: ${more.toFixed(1)} ms of CPU over much, ${less.toFixed(1)} over little`
  )
  return `${action} ${(more / less).toFixed(2)} (${more.toFixed(0)}/${less.toFixed(0)} ms)`
}

/** A scroll, a filter and a sort over much content take about the CPU time that they take over little. */
export const muchContent: Part = async (options) => {
  const opened = [await openPages(options, much), await openPages(options, little)]
  const pages = opened.map((one) => one.pages)
  const texts: Array<string> = []
  for (const subject of ["pipes", "tiles"] as const) {
    const figures = []
    for (const action of ["scroll", "filter", "sort"] as const)
      figures.push(await compare(subject, action, pages, options.verdict))
    texts.push(`${much[subject]} ${subject} beside ${little[subject]}: ${figures.join(", ")}`)
  }
  for (const { close } of opened) await close()
  return texts.join("; ")
}
