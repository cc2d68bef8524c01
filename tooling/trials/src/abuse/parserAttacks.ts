import type { Random } from "@headgate/harness/Random"
import { authorizationOf, dashboardsPath } from "@headgate/harness/Snapshot"
import { requestBytes, WireConnection } from "@headgate/harness/WireConnection"
import { cpuMicroseconds } from "@headgate/harness/processUsage"
import { openRaw } from "./RawConnection.ts"
import type { Attack, Target } from "./attacks.ts"

// How much more CPU a request may cost than a plain one of as many bytes.
const mostTimes = 10
// The dearest inputs are measured again, so often: the least counts, so that neither noise nor a first call does.
const candidates = 5
const repeats = 5
// No request counts as less, in microseconds: the clock of a process is too coarse to tell what takes less, and the time of a thread
// that runs may not be counted yet. What takes quadratic time takes hundreds of these.
const leastCost = 1000

const signs = [
  "%",
  "%25",
  "%2",
  "%zz",
  "%C3%28",
  "%2F",
  ";",
  "?",
  "#",
  "/",
  "//",
  ".",
  "a",
  "&",
  "=",
  "&a=",
  "+",
  ":",
  "'",
  "\t"
]
const openings = ["[", '{"a":', "[[],", '{"a":{},"b":']

/** A text of one sign, or of two that alternate or follow each other: what a parser takes quadratic time for repeats something. */
const repeated = (random: Random, most: number, from: ReadonlyArray<string> = signs): string => {
  const [first, second] = [random.pick(from), random.pick(from)]
  const count = Math.max(1, Math.floor(random.between(1, most) / (first.length + second.length)))
  return random.next() < 0.5 ? (first + second).repeat(count) : first.repeat(count) + second.repeat(count)
}

// A head has at most 16 KiB, of which credentials take some.
const mostOfHead = 15_000
const mostOfBody = 200_000
// One filter of a saved search.
const mostOfCondition = 8000

const savedSearchesPath = dashboardsPath.replace("dashboards", "saved-searches")

/** Generated inputs for each parser of a request. */
const parsers: Readonly<Record<string, (target: Target) => Buffer>> = {
  path: ({ random }) => {
    const path = repeated(random, mostOfHead).replaceAll(/[\t#?]/g, "a")
    return requestBytes({ method: "GET", path: `${random.pick(["/v1/", "/api/v2/", "/", "/docs/"])}${path}` })
  },
  query: ({ organization, random }) => {
    const { observability: authorization } = authorizationOf(organization)
    const query = repeated(random, mostOfHead).replaceAll("\t", "a")
    return requestBytes({ method: "GET", path: `${dashboardsPath}?${query}`, authorization })
  },
  headers: ({ random }) => {
    const name = random.pick([
      "authorization",
      "accept-encoding",
      "if-none-match",
      "content-type",
      "x-forwarded-for",
      "cookie"
    ])
    const value =
      random.pick(["Basic ", "Bearer ", "gzip", "gzip;q=", ""]) +
      repeated(random, mostOfHead, [...signs, " ", ",", ";q=0."])
    return requestBytes({
      method: "GET",
      path: random.pick(["/openapi.json", dashboardsPath]),
      headers: [[name, value]]
    })
  },
  body: ({ organization, random }) => {
    const { observability: authorization } = authorizationOf(organization)
    const value = random.pick([repeated(random, mostOfBody, openings), JSON.stringify(repeated(random, mostOfBody))])
    const body = `{"name":"x","${random.pick(["tiles", "tags", "name", "filters", "other"])}":[${value}`
    return requestBytes({
      method: "POST",
      path: `${dashboardsPath}/validate`,
      authorization,
      body: body + random.pick(["]}", ""])
    })
  },
  conditions: ({ organization, random }) => {
    const { observability: authorization } = authorizationOf(organization)
    // Few: what a character of a condition costs is more than what one of a name costs, and grows with their number alone.
    const filters = Array.from({ length: 10 }, () => ({
      condition: `a IN (${repeated(random, mostOfCondition, ["'", "\\'", "`", '\\"', "''", " IN ", " NOT ", "?,", "1"])}`
    }))
    const body = { name: "x", sourceId: "0".repeat(24), filters }
    return requestBytes({ method: "POST", path: savedSearchesPath, authorization, body })
  },
  names: ({ organization, random }) => {
    const { observability: authorization } = authorizationOf(organization)
    const [count, prefix] = [random.between(1, 20_000), random.pick(["", "f", "__proto__", "tile"])]
    const fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 1]))
    const body = random.pick([
      { name: "x", ...fields },
      { name: "x", tiles: [{ x: 0, y: 0, w: 1, h: 1, ...fields }] }
    ])
    return requestBytes({ method: "POST", path: `${dashboardsPath}/validate`, authorization, body })
  }
}

/** A request of the same length for the same route that no parser has work with. */
const plainOf = (request: Buffer): Buffer => {
  const [start = "", body = ""] = request.toString("latin1").split(/(?<=\r\n\r\n)/s, 2)
  const [method = "", target = ""] = start.split(" ", 2)
  if (method === "GET") {
    const path = /^\/[\w./]{0,20}/.exec(target)?.[0] ?? "/"
    const head = start.slice(`GET ${target}`.length).replace(/^([\w-]+): .{200,}$/m, "x-plain: a")
    return Buffer.from(`GET ${path}?${"a".repeat(Math.max(0, request.length - path.length - head.length - 5))}${head}`)
  }
  const shell = '{"name":""}'
  return Buffer.from(`${start}{"name":"${"a".repeat(Math.max(0, body.length - shell.length))}"}`)
}

/** CPU of the server for a request, in microseconds: the least of several times. */
const costOf = async (connection: WireConnection, pid: number, request: Buffer, times: number): Promise<number> => {
  let least = Infinity
  for (let time = 0; time < times; time++) {
    const before = cpuMicroseconds(pid)
    await connection.exchange(request, "GET")
    least = Math.min(least, cpuMicroseconds(pid) - before)
  }
  return least
}

/** The worst of generated inputs for a parser: its CPU beside that of a plain request of as many bytes. */
const worstOf =
  (name: string, generate: (target: Target) => Buffer): Attack =>
  async (target) => {
    const { clients: count, pid, url, verdict } = target
    const connection = new WireConnection({ url })
    const dearest: Array<{ readonly request: Buffer; readonly cost: number }> = []
    for (let index = 0; index < count; index++) {
      const request = generate(target)
      dearest.push({ request, cost: await costOf(connection, pid, request, 1) })
      dearest.sort((a, b) => b.cost - a.cost)
      dearest.splice(candidates)
    }
    let worst = { times: 0, text: "" }
    for (const { request } of dearest) {
      const plain = Math.max(leastCost, await costOf(connection, pid, plainOf(request), repeats))
      const cost = await costOf(connection, pid, request, repeats)
      const start = JSON.stringify(request.toString("latin1", 0, 60))
      const text = `${(cost / 1000).toFixed(1)} ms for ${request.length} bytes, plain ${(plain / 1000).toFixed(1)} ms: ${start}`
      if (cost / plain > worst.times) worst = { times: cost / plain, text }
    }
    connection.close()
    const shown = `${worst.times.toFixed(1)} times a plain request's CPU, ${worst.text}`
    verdict.hold(worst.times <= mostTimes, `${name}: ${shown}`)
    return `${name}: the worst of ${count} took ${shown}`
  }

const hangUps = 30

/** Clients that ask for a document that is made at the first request, and hang up. */
const abortedDocuments: Attack = async ({ pid, url }) => {
  const before = cpuMicroseconds(pid)
  for (let index = 0; index < hangUps; index++) {
    const { socket } = await openRaw(url)
    socket.end(`GET ${index % 2 === 0 ? "/docs" : "/openapi.json"} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    await new Promise((resolve) => setTimeout(resolve, 20))
    socket.destroy()
  }
  return `${hangUps} hung up; the server took ${((cpuMicroseconds(pid) - before) / 1e6).toFixed(2)} s of CPU`
}

/** What the parsers of a request, and documents that nobody waits for, cost. */
export const parserAttacks: Readonly<Record<string, Attack>> = {
  "generated inputs": async (target) => {
    const seen: Array<string> = []
    for (const [name, generate] of Object.entries(parsers)) seen.push(await worstOf(name, generate)(target))
    return seen.join("\n    ")
  },
  "documents that are asked for and not read": abortedDocuments
}
