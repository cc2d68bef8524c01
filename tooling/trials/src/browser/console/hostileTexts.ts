/// <reference lib="dom" />
import { keysPath, pipesPath } from "@headgate/harness/Snapshot"
import { startConsole } from "./ConsoleServer.ts"
import type { Part } from "./Part.ts"
import { payloads } from "./payloads.ts"
import { samplePipes } from "./samplePipes.ts"
import { misdeedsOf, staySignedIn, visit } from "./Visitor.ts"

// A name holds no control characters: those stay in messages and rows.
const nameOf = (payload: string) => payload.replaceAll("\u0000", "").replaceAll("\u2028", "")

/** Texts that would run a script, in everything that callers and sources can write and these pages show. */
export const hostileTexts: Part = async ({ browser, directory, random, script, verdict }) => {
  const named = samplePipes(random, payloads.length)
  const server = await startConsole(
    script,
    directory,
    random,
    {
      pipes: (organization) =>
        named(organization).map((pipe, index) => {
          const payload = payloads[index] ?? ""
          return {
            ...pipe,
            name: nameOf(payload),
            source: {
              kafka: { type: "kafka", brokers: payload, topics: payload, consumerGroup: payload, format: "JSONEachRow" }
            },
            destination: { database: payload, table: payload, managedTable: true }
          }
        }),
      dashboards: [
        {
          id: "hostile",
          name: nameOf(payloads[0] ?? ""),
          tags: payloads.slice(0, 10).map(nameOf),
          tiles: payloads.map((payload, index) => ({
            id: `t${index}`,
            name: nameOf(payload),
            x: (index % 4) * 6,
            y: Math.floor(index / 4) * 2,
            w: 6,
            h: 2,
            series: [
              { type: "time", dataSource: "events", aggFn: "count", where: payload, field: payload, sourceId: payload }
            ]
          }))
        }
      ]
    },
    "--admin"
  )
  for (const payload of payloads.slice(0, 40)) {
    await server.call("POST", keysPath(server.organization), { name: nameOf(payload), roles: ["developer"] })
  }
  const pipes: ReadonlyArray<{ id: string; name: string }> = await server.call("GET", pipesPath(server.organization))
  const { id: organizationId, serviceId } = server.organization
  // A message of a failed pipe is what its source said.
  for (const [index, { id }] of pipes.entries()) {
    await fetch(`${server.process.url}/_admin/pipe-state`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ organizationId, serviceId, pipeId: id, state: "Failed", message: payloads[index] })
    })
  }
  const visitor = await visit(browser, server.process.url)
  const { page } = visitor
  await page.goto(await server.link())
  await page.getByRole("table").waitFor()
  await staySignedIn(page)
  const base = `/console/organizations/${organizationId}`
  let shown = 0
  for (const { id, name } of pipes) {
    await page.goto(`${base}/services/${serviceId}/pipes/${id}`)
    // Its own name, character by character: until it is loaded the page is called otherwise.
    await page.waitForFunction((name) => document.querySelector("h1")?.textContent === name, name)
    shown += 1
  }
  await page.goto(`${base}/keys`)
  await page.getByRole("row").nth(1).waitFor()
  const keys = (await page.locator("main").textContent()) ?? ""
  verdict.none(
    payloads.slice(0, 40).filter((payload) => !keys.includes(nameOf(payload))),
    "the page of keys does not show, as text"
  )
  await page.goto(`${base}/services/${serviceId}/dashboards`)
  await page.getByRole("row").nth(1).waitFor()
  await page.goto(`${base}/services/${serviceId}/dashboards/hostile`)
  await page.waitForFunction((name) => document.querySelector("h1")?.textContent === name, nameOf(payloads[0] ?? ""))
  const tiles = (await page.locator("main").textContent()) ?? ""
  verdict.none(
    payloads.filter((payload) => !tiles.includes(nameOf(payload))),
    "the page of a dashboard does not show, as text"
  )
  verdict.none(misdeedsOf(visitor), "with hostile texts")
  await visitor.close()
  await verdict.cleanExit(server.process, "the server")
  return `${payloads.length} texts on ${shown + 4} pages, ${misdeedsOf(visitor).length} misdeeds`
}
