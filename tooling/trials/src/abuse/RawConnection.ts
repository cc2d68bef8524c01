import { connect, type Socket } from "node:net"

/** How long a trial waits until the server closes a connection, in milliseconds: beyond any limit of the server. */
export const closeTimeout = 90_000

/** How a connection ended. */
export interface RawOutcome {
  /** The status that was answered, if any. */
  readonly status: number | undefined
  readonly bytesSent: number
  /** After how many milliseconds the server closed it; `undefined` if it did not. */
  readonly closedAfter: number | undefined
}

/** A connection on which any bytes may be sent, open until the server closes it or {@link closeTimeout}. */
export interface RawConnection {
  readonly socket: Socket
  readonly outcome: Promise<RawOutcome>
}

const outcomeOf = (socket: Socket): Promise<RawOutcome> => {
  const began = performance.now()
  let answer = ""
  let isTimedOut = false
  // A reset closes too: "close" follows.
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => (answer += chunk.toString("latin1")))
  const timer = setTimeout(() => {
    isTimedOut = true
    socket.destroy()
  }, closeTimeout)
  return new Promise((resolve) =>
    socket.once("close", () => {
      clearTimeout(timer)
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]
      resolve({
        status: status === undefined ? undefined : Number(status),
        bytesSent: socket.bytesWritten,
        closedAfter: isTimedOut ? undefined : performance.now() - began
      })
    })
  )
}

/** Connects; rejects if the server accepts no connection. */
export const openRaw = (url: string): Promise<RawConnection> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.once("error", reject)
    socket.once("connect", () => {
      socket.off("error", reject)
      resolve({ socket, outcome: outcomeOf(socket) })
    })
  })

/** Opens connections, writes to each as fast as it accepts, and waits until all are closed. */
export const sendOnEach = async (
  url: string,
  count: number,
  pieces: () => Iterable<Buffer | string>
): Promise<ReadonlyArray<RawOutcome>> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { outcome, socket } = await openRaw(url)
      for (const piece of pieces()) {
        if (socket.destroyed || !socket.writable) break
        if (socket.write(piece)) continue
        await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), outcome])
      }
      return outcome
    })
  )

/** `431 x 10, closed unanswered x 2; 12 of 12 closed by the server after 0.1 to 0.3 s, at most 10 bytes sent on one` */
export const summaryOf = (outcomes: ReadonlyArray<RawOutcome>): string => {
  const counts = new Map<string, number>()
  for (const { closedAfter, status } of outcomes) {
    const name = String(status ?? (closedAfter === undefined ? "still open" : "closed unanswered"))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const seconds = outcomes.flatMap(({ closedAfter }) => (closedAfter === undefined ? [] : [closedAfter / 1000]))
  const range = `${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s`
  const bytes = Math.max(...outcomes.map(({ bytesSent }) => bytesSent))
  return (
    `${Array.from(counts, ([name, count]) => `${name} x ${count}`).join(", ")}; ${seconds.length} of ${outcomes.length} ` +
    `closed by the server${seconds.length === 0 ? "" : ` after ${range}`}, at most ${bytes} bytes sent on one`
  )
}
