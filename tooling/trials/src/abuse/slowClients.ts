import { basic } from "../load/World.ts"
import type { Abuse, Target } from "./Abuse.ts"
import { answers, closedWhen, openRaw, type Outcome } from "./RawConnection.ts"

const beat = 1_000

/** Opens connections that begin with `head` and then send one byte a second, until the server has had enough. */
const drip = async ({ clients, url }: Target, head: string, byte: string): Promise<ReadonlyArray<Outcome>> => {
  const connections = await Promise.all(Array.from({ length: clients }, () => openRaw(url)))
  for (const { socket } of connections) socket.write(head)
  const timer = setInterval(() => {
    for (const { socket } of connections) if (socket.writable) socket.write(byte)
  }, beat)
  const outcomes = await Promise.all(connections.map(({ outcome }) => outcome))
  clearInterval(timer)
  return outcomes
}

const judge = ({ verdict }: Target, name: string, outcomes: ReadonlyArray<Outcome>): string => {
  const held = outcomes.filter(({ closedAfter }) => closedAfter === undefined).length
  const bytes = Math.max(...outcomes.map(({ bytesSent }) => bytesSent))
  verdict.hold(held === 0, `${name}: the server still held ${held} of ${outcomes.length} connections at the end`)
  verdict.hold(
    outcomes.every(({ status }) => status === undefined || (status >= 400 && status < 500)),
    `${name}: expected 408 or a closed connection, got ${answers(outcomes)}`
  )
  return `${answers(outcomes)}; ${closedWhen(outcomes)}, at most ${bytes} bytes sent on one`
}

const slowHeader: Abuse = {
  name: "slow headers",
  run: async (target) =>
    judge(target, "slow headers", await drip(target, "GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: ", "a"))
}

const slowBody: Abuse = {
  name: "slow bodies",
  run: async (target) => {
    const { adminKeyId, adminKeySecret, id } = target.organization
    const head = [
      `POST /v1/organizations/${id}/keys HTTP/1.1`,
      "host: localhost",
      // Credentials that are good: the server has a reason to wait for the body.
      `authorization: ${basic(adminKeyId, adminKeySecret)}`,
      "content-type: application/json",
      "content-length: 1000",
      "",
      ""
    ].join("\r\n")
    return judge(target, "slow bodies", await drip(target, head, " "))
  }
}

export const slowClients: ReadonlyArray<Abuse> = [slowHeader, slowBody]
