import { startHelper } from "@headgate/harness/HelperProcess"
import { authorizationOf, dashboardsPath, keysPath, type Organization } from "@headgate/harness/Snapshot"
import { requestBytes } from "@headgate/harness/WireConnection"
import { setTimeout as sleep } from "node:timers/promises"
import { openRaw } from "./RawConnection.ts"
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

// A server takes 100,000 values in a body, each of which has a comma or an opening bracket.
const bytesOfValue = 11

/** An element that is padded with spaces, so that a full body does not have too many values. */
const padded = (element: string): string => {
  const values = 1 + (element.match(/[,{[]/g)?.length ?? 0)
  return element.padEnd(values * bytesOfValue - 1)
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
  body: full(before, padded(element), after)
})

const key = (before: string, element: string, after: string): LargeBody => ({
  path: keysPath,
  body: full(before, padded(element), after)
})

const wrongBodies: Readonly<Record<string, LargeBody>> = {
  "more values than a body may have": { path: () => dashboardsPath, body: full('{"name":"x","tiles":[', "{}", "]}") },
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

/** The statuses of two requests of another client: one with a large body, and one with a body of unknown length. */
const othersAnswered = async (target: Target): Promise<ReadonlyArray<number | undefined>> => {
  const { organization, url } = target
  const large = send(target, { path: () => dashboardsPath, body: '{"name":"large","tiles":[]}'.padEnd(70_000) })
  const { outcome, socket } = await openRaw(url)
  const headers = [
    "host: localhost",
    "connection: close",
    "content-type: application/json",
    "transfer-encoding: chunked"
  ]
  socket.write(`POST ${keysPath(organization)} HTTP/1.1\r\n${headers.join("\r\n")}\r\n`)
  socket.write(`authorization: ${authorizationOf(organization).management}\r\n\r\nc\r\n{"name":"x"}\r\n0\r\n\r\n`)
  return [(await large).status, (await outcome).status]
}

/** Bodies of 1 MiB that lack their last byte, or all but the first. */
const unfinished: Attack = async (target) => {
  const { clients, crowded, url, verdict } = target
  const { observability: authorization } = authorizationOf(crowded)
  const whole = requestBytes({ method: "POST", path: dashboardsPath, authorization, body: largestDashboard.body })
  const begun = whole.length - Buffer.byteLength(largestDashboard.body) + 1
  const connections = await Promise.all(Array.from({ length: clients }, () => openRaw(url)))
  const open = () => connections.filter(({ socket }) => !socket.closed).length
  for (const { socket } of connections) socket.write(whole.subarray(0, begun))
  await sleep(100)
  const atFirst = await othersAnswered(target)
  verdict.hold(
    open() === clients,
    `unfinished large bodies: others were answered when ${open()} of ${clients} were open`
  )
  for (const { socket } of connections) socket.write(whole.subarray(begun, -1))
  await sleep(1000)
  const atLast = await othersAnswered(target)
  const held = open()
  for (const { socket } of connections) socket.destroy()
  const statuses = [...atFirst, ...atLast]
  verdict.hold(
    statuses.every((status) => status === 200 || status === 409),
    `unfinished large bodies: others were answered ${statuses}`
  )
  return `${clients} connections, of which ${held} stayed open; others answered ${statuses}`
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
  "unfinished large bodies": unfinished,
  ...Object.fromEntries(
    Object.entries(wrongBodies).map(([name, body]) => [`15 bodies of 1 MiB, ${name}`, wrong(name, body)])
  )
}
