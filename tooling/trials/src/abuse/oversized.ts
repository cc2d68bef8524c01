import type { Abuse, Target } from "./Abuse.ts"
import { answers, closedWhen, openRaw, type Outcome, sendAll } from "./RawConnection.ts"

const attempts = 5
const requestLine = "GET / HTTP/1.1\r\nhost: localhost\r\n"

const sendTimes = async (url: string, pieces: () => Iterable<Buffer | string>): Promise<ReadonlyArray<Outcome>> =>
  Promise.all(
    Array.from({ length: attempts }, async () => {
      const { outcome, socket } = await openRaw(url)
      await sendAll(socket, pieces())
      return outcome
    })
  )

// A server that closes while it is sent to resets the connection, and its answer may be lost on the way: then there is
// none to see. Any other answer than 431 is wrong.
const judge = ({ verdict }: Target, name: string, outcomes: ReadonlyArray<Outcome>): string => {
  verdict.hold(
    outcomes.every(({ closedAfter, status }) => closedAfter !== undefined && (status === undefined || status === 431)),
    `${name}: expected 431 and a closed connection, got ${answers(outcomes)}`
  )
  const most = Math.max(...outcomes.map(({ bytesSent }) => bytesSent))
  return `${answers(outcomes)}; ${closedWhen(outcomes)}, at most ${most} bytes sent on one`
}

const megabyte = Buffer.alloc(1024 * 1024, "a")

const largeHeader: Abuse = {
  name: "a header of 10 MB",
  run: async (target) =>
    judge(
      target,
      "a header of 10 MB",
      await sendTimes(target.url, () => [
        `${requestLine}x-large: `,
        ...Array.from({ length: 10 }, () => megabyte),
        "\r\n\r\n"
      ])
    )
}

const manyHeaders: Abuse = {
  name: "10,000 headers",
  run: async (target) =>
    judge(
      target,
      "10,000 headers",
      await sendTimes(target.url, () => [
        requestLine,
        Array.from({ length: 10_000 }, (_, index) => `x-${index}: a\r\n`).join(""),
        "\r\n"
      ])
    )
}

export const oversized: ReadonlyArray<Abuse> = [largeHeader, manyHeaders]
