import { startHelper } from "@headgate/harness/HelperProcess"
import { callJson } from "@headgate/harness/JsonClient"
import type { Random } from "@headgate/harness/Random"
import { authorizationOf, dashboardsPath, keysPath, type Organization } from "@headgate/harness/Snapshot"
import type { Verdict } from "@headgate/harness/Verdict"
import { requestBytes } from "@headgate/harness/WireConnection"
import { residentMebibytes, socketsOf } from "@headgate/harness/processUsage"
import { setTimeout as sleep } from "node:timers/promises"
import { closeTimeout, openRaw, type RawOutcome, sendOnEach, summaryOf } from "./RawConnection.ts"
import type { ClosedConnections, OpenConnections } from "./idleConnections.main.ts"

/** The server that is attacked. */
export interface Target {
  readonly url: string
  readonly pid: number
  readonly organization: Organization
  /** Another organization, with 20 MiB of dashboards. */
  readonly crowded: Organization
  readonly random: Random
  /** How many clients attack at once where one is not enough. */
  readonly clients: number
  readonly verdict: Verdict
}

/** Attacks the server, holds what must be true of its answers, and returns what it saw. */
export type Attack = (target: Target) => Promise<string>

const nested = (open: string, close: string, depth: number): string =>
  `{"name":"deep","tiles":${open.repeat(depth)}0${close.repeat(depth)}}`

const deepJson =
  (depth: number): Attack =>
  async ({ organization, url, verdict }) => {
    const { management, observability } = authorizationOf(organization)
    const answers = new Set<string>()
    for (const call of [
      { path: dashboardsPath, authorization: observability },
      { path: keysPath(organization), authorization: management }
    ]) {
      for (const body of [nested("[", "]", depth), nested('{"a":', "}", depth), "[".repeat(depth)]) {
        const { json, status } = await callJson(url, { ...call, method: "POST", body })
        const answer = `${status} ${json?.error ?? json?.message}`
        answers.add(answer)
        verdict.hold(
          status === 400 && /deep|depth|nest/i.test(answer),
          `${depth} levels of JSON to ${call.path}: expected a 400 that names the depth, got ${answer}`
        )
      }
    }
    const { json } = await callJson(url, { path: dashboardsPath, authorization: observability })
    verdict.hold(json?.data?.length === 0, `${depth} levels of JSON: a dashboard was stored`)
    return Array.from(answers).join("; ")
  }

/** Holds that the server closed every connection, and answered nothing but these statuses. */
const holdClosed = (
  { verdict }: Target,
  name: string,
  outcomes: ReadonlyArray<RawOutcome>,
  isExpected: (status: number) => boolean
): string => {
  const summary = summaryOf(outcomes)
  // A server that closes while it receives resets the connection, and its answer may be lost.
  const isRight = ({ closedAfter, status }: RawOutcome) =>
    closedAfter !== undefined && (status === undefined || isExpected(status))
  verdict.hold(outcomes.every(isRight), `${name}: not closed, or another answer: ${summary}`)
  return summary
}

const requestLine = "GET / HTTP/1.1\r\nhost: localhost\r\n"
const megabyte = Buffer.alloc(1024 * 1024, "a")
const attempts = 5

const oversized =
  (name: string, pieces: ReadonlyArray<Buffer | string>): Attack =>
  async (target) =>
    holdClosed(target, name, await sendOnEach(target.url, attempts, () => pieces), (status) => status === 431)

// The first bytes of a TLS 1.2 record of 512 bytes with a ClientHello; the rest never comes.
const halfHello = Buffer.concat([
  Buffer.from("1603010200010001fc0303", "hex"),
  Buffer.alloc(32, 0x5a),
  Buffer.from("20", "hex"),
  Buffer.alloc(32, 0xa5),
  Buffer.from("0020130213031301c02cc030", "hex")
])
const largestGarbage = 16 * 1024

const notHttp =
  (name: string, bytes: (random: Random) => Buffer): Attack =>
  async (target) => {
    const { clients, random, url } = target
    const outcomes = await sendOnEach(url, clients, () => [bytes(random)])
    return holdClosed(target, name, outcomes, (status) => status === 400)
  }

const byteInterval = 1_000

/** Sends a head and then one byte a second. */
const slow =
  (name: string, headOf: (organization: Organization) => string): Attack =>
  async (target) => {
    const { clients, organization, url } = target
    const connections = await Promise.all(Array.from({ length: clients }, () => openRaw(url)))
    for (const { socket } of connections) socket.write(headOf(organization))
    const timer = setInterval(() => {
      for (const { socket } of connections) if (socket.writable) socket.write(" ")
    }, byteInterval)
    const outcomes = await Promise.all(connections.map(({ outcome }) => outcome))
    clearInterval(timer)
    return holdClosed(target, name, outcomes, (status) => status >= 400 && status < 500)
  }

/** The head of a request whose body never comes. The credentials are right: the server has a reason to wait. */
const headWithoutBody = (organization: Organization): string => {
  const authorization = authorizationOf(organization).management
  const whole = requestBytes({ method: "POST", path: keysPath(organization), authorization, body: "x".repeat(1000) })
  return whole.toString("latin1").slice(0, -1000)
}

// Several processes, so that 4,096 open files for each are enough on this side.
const idleProcesses = 4
const idleCount = 10_000

const idle: Attack = async ({ pid, url, verdict }) => {
  const held = await Promise.all(
    Array.from({ length: idleProcesses }, async () => {
      const args = [url, String(idleCount / idleProcesses)]
      const helper = startHelper(new URL("idleConnections.main.ts", import.meta.url), args)
      const open = (await helper.next()) as OpenConnections // its first message
      return { open, closed: helper.next() as Promise<ClosedConnections> } // and its second
    })
  )
  const [sockets, memory] = [socketsOf(pid), residentMebibytes(pid)]
  const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, number) => total + number, 0)
  const refused = held.flatMap(({ open }) => open.refused)
  const ends = await Promise.all(held.map(({ closed }) => closed))
  const stillOpen = sum(ends.map((end) => end.stillOpen))
  verdict.none(refused, `of ${idleCount} connections ${refused.length} could not be opened (ulimit -n?)`)
  verdict.hold(stillOpen === 0, `10,000 idle connections: the server still held ${stillOpen} of them at the end`)
  return (
    `${sum(held.map(({ open }) => open.count))} open at once (${sockets} sockets and ${memory?.toFixed(0)} MiB in the ` +
    `server); ${sum(ends.map(({ closedByServer }) => closedByServer))} closed by the server, the last after ` +
    `${Math.max(...ends.map(({ seconds }) => seconds)).toFixed(1)} s`
  )
}

// Together more than the buffers of a connection hold, so that answers stay in the server.
const unreadRequests = 400
// More would only be more requests at once, which is another attack.
const mostReaders = 50

const slowReaders: Attack = async ({ clients, pid, url, verdict }) => {
  const count = Math.min(clients, mostReaders)
  const before = socketsOf(pid)
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  const connections = await Promise.all(Array.from({ length: count }, () => openRaw(url)))
  for (const { socket } of connections) {
    socket.pause()
    socket.write("GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(unreadRequests))
  }
  // A client that does not read does not notice that the connection was closed: only the server's sockets show it. It has one
  // more, that of the control client.
  let held = Number.NaN
  let mostMemory = 0
  do {
    await sleep(100)
    mostMemory = Math.max(mostMemory, residentMebibytes(pid) ?? 0)
    held = (socketsOf(pid) ?? Number.NaN) - (before ?? Number.NaN)
  } while (held > 1 && seconds() * 1000 < closeTimeout)
  const after = seconds().toFixed(1)
  for (const { socket } of connections) socket.destroy()
  if (Number.isNaN(held)) return "this system does not show the sockets of another process: not judged"
  verdict.hold(held <= 1, `clients that never read: the server still held ${held} of ${count} connections`)
  return (
    `${unreadRequests} requests on each of ${count} connections; ` +
    `${held <= 1 ? `all closed by the server within ${after} s` : `${held} still open after ${after} s`}, ` +
    `at most ${mostMemory.toFixed(0)} MiB in the server`
  )
}

/** Attacks by connections and by what is sent on them. */
export const connectionAttacks: Readonly<Record<string, Attack>> = {
  "JSON 100 levels deep": deepJson(100),
  "JSON 100,000 levels deep": deepJson(100_000),
  "a header of 10 MB": oversized("a header of 10 MB", [
    `${requestLine}x-large: `,
    ...Array.from({ length: 10 }, () => megabyte),
    "\r\n\r\n"
  ]),
  "10,000 headers": oversized("10,000 headers", [
    requestLine,
    Array.from({ length: 10_000 }, (_, index) => `x-${index}: a\r\n`).join(""),
    "\r\n"
  ]),
  garbage: notHttp("garbage", (random) => random.bytes(random.between(1, largestGarbage))),
  "half a TLS hello": notHttp("half a TLS hello", () => halfHello),
  "10,000 idle connections": idle,
  "slow headers": slow("slow headers", () => `${requestLine}x-slow: `),
  "slow bodies": slow("slow bodies", headWithoutBody),
  "clients that never read": slowReaders
}
