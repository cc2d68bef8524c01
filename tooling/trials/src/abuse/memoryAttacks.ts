import { startHelper } from "@headgate/harness/HelperProcess"
import { authorizationOf, dashboardsPath, keysPath, type Organization } from "@headgate/harness/Snapshot"
import { requestBytes } from "@headgate/harness/WireConnection"
import { setTimeout as sleep } from "node:timers/promises"
import type { Attack, Target } from "./attacks.ts"

// Several processes, so that 4,096 open files for each are enough on this side.
const readerProcesses = 3
// Beyond what it takes to send all requests, in milliseconds.
const readingTime = 6_000

/** Connections that send requests and read the answers slowly, or not at all. */
const readers =
  (count: number, pause: number, requestsOf: (target: Target) => Buffer): Attack =>
  async (target) => {
    const requests = requestsOf(target).toString("base64")
    const args = [target.url, String(count / readerProcesses), String(pause), requests]
    const helpers = Array.from({ length: readerProcesses }, () =>
      startHelper(new URL("readers.main.ts", import.meta.url), args)
    )
    const sum = (numbers: ReadonlyArray<unknown>) =>
      numbers.reduce<number>((total, number) => total + Number(number), 0)
    const opened = sum(await Promise.all(helpers.map(({ next }) => next())))
    await sleep(readingTime)
    const mebibytes = sum(await Promise.all(helpers.map(({ ask }) => ask("stop")))) / 2 ** 20
    target.verdict.hold(opened === count, `${count} readers: only ${opened} could connect (ulimit -n?)`)
    return `${opened} connections, ${mebibytes.toFixed(0)} MiB read`
  }

const page = (count: number) => () => Buffer.from("GET /docs HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(count))

const list = ({ crowded }: Target) =>
  requestBytes({ method: "GET", path: dashboardsPath, authorization: authorizationOf(crowded).observability })

/** JSON just below the largest body: as often `element` as it fits. */
const full = (before: string, element: string, after: string): string => {
  const room = 1024 * 1024 - before.length - after.length
  return before + Array.from({ length: Math.floor(room / (element.length + 1)) }, () => element).join(",") + after
}

/** The same with as many fields, each of another name. */
const fullOfFields = (): string =>
  JSON.stringify({ name: "x", ...Object.fromEntries(Array.from({ length: 90_000 }, (_, index) => [`f${index}`, 1])) })

interface LargeBody {
  readonly path: (organization: Organization) => string
  readonly body: string
}

const dashboard = (before: string, element: string, after: string): LargeBody => ({
  path: () => dashboardsPath,
  body: full(before, element, after)
})

const key = (before: string, element: string, after: string): LargeBody => ({
  path: keysPath,
  body: full(before, element, after)
})

const wrongBodies: Readonly<Record<string, LargeBody>> = {
  "tiles that are empty": dashboard('{"name":"x","tiles":[', "{}", "]}"),
  "tiles that are numbers": dashboard('{"name":"x","tiles":[', "1", "]}"),
  "series that are numbers": dashboard('{"name":"x","tiles":[{"x":0,"y":0,"w":1,"h":1,"series":[', "1", "]}]}"),
  tags: dashboard('{"name":"x","tags":[', "1", "]}"),
  "a name of an object": dashboard('{"name":{"a":[', "{}", "]}}"),
  "unknown fields": { path: keysPath, body: fullOfFields() },
  roles: key('{"name":"x","roles":[', "1", "]}"),
  "roles that do not exist": key('{"name":"x","roles":[', '""', "]}"),
  ipAccessList: key('{"name":"x","ipAccessList":[', "{}", "]}"),
  "ipAccessList of no address": key('{"name":"x","ipAccessList":[', '{"source":"x"}', "]}")
}

const largestAnswer = 64 * 1024

const send = async ({ organization, url }: Target, { body, path }: LargeBody) => {
  const { management, observability } = authorizationOf(organization)
  const address = path(organization)
  const authorization = address === dashboardsPath ? observability : management
  const response = await fetch(new URL(address, url), {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body
  })
  return { status: response.status, length: (await response.text()).length }
}

const atOnce = 15

const wrong =
  (name: string, body: LargeBody): Attack =>
  async (target) => {
    const began = performance.now()
    const answers = await Promise.all(Array.from({ length: atOnce }, () => send(target, body)))
    const longest = Math.max(...answers.map(({ length }) => length))
    const statuses = new Set(answers.map(({ status }) => status))
    target.verdict.hold(
      statuses.size === 1 && statuses.has(400) && longest <= largestAnswer,
      `bodies of 1 MiB, ${name}: expected 400 in at most ${largestAnswer} bytes, got ${[...statuses]} in ${longest}`
    )
    return `${atOnce} answered ${[...statuses]} in ${((performance.now() - began) / 1000).toFixed(1)} s, at most ${longest} bytes`
  }

// Of the largest size that a caller may create, with as many parts as fit.
const largestDashboard = dashboard('{"name":"large","tiles":[{"x":0,"y":0,"w":1,"h":1,"a":[', "{}", "]}]}")

const right: Attack = async (target) => {
  const answers = await Promise.all(Array.from({ length: atOnce }, () => send(target, largestDashboard)))
  const statuses = new Set(answers.map(({ status }) => status))
  target.verdict.hold(
    answers.every(({ status }) => status === 200 || status === 409),
    `the largest legal bodies: ${[...statuses]}`
  )
  return `${atOnce} answered ${[...statuses]}`
}

const listsAtOnce = 40

const fastLists: Attack = async (target) => {
  const { observability } = authorizationOf(target.crowded)
  const lengths = await Promise.all(
    Array.from({ length: listsAtOnce }, async () => {
      const response = await fetch(new URL(dashboardsPath, target.url), { headers: { authorization: observability } })
      let length = 0
      for await (const chunk of response.body ?? []) length += chunk.length
      return length
    })
  )
  target.verdict.hold(new Set(lengths).size === 1, `${listsAtOnce} lists at once: lengths ${[...new Set(lengths)]}`)
  return `${listsAtOnce} lists of ${((lengths[0] ?? 0) / 2 ** 20).toFixed(1)} MiB`
}

/** Attacks on the memory and the time of a server: large answers that are not read, and the largest bodies. */
export const memoryAttacks: Readonly<Record<string, Attack>> = {
  "3,000 connections that never read /docs": readers(3000, 0, page(1)),
  "600 connections that never read 20 times /docs": readers(600, 0, page(20)),
  "300 slow readers of a list of 20 MiB": readers(300, 1000, list),
  "300 readers that never read a list of 20 MiB": readers(300, 0, list),
  "40 lists of 20 MiB at once": fastLists,
  "15 of the largest legal bodies": right,
  ...Object.fromEntries(
    Object.entries(wrongBodies).map(([name, body]) => [`15 bodies of 1 MiB, ${name}`, wrong(name, body)])
  )
}
