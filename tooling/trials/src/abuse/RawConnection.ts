import { connect, type Socket } from "node:net"

/** How long a trial waits for the server to let go of a connection, in milliseconds: beyond any limit it has. */
export const patience = 90_000

/** How a connection fared on which anything at all was sent. */
export interface Outcome {
  /** The status that was answered; `undefined` when the connection was closed without a word. */
  readonly status: number | undefined
  readonly answer: string
  readonly bytesSent: number
  /** After how many milliseconds the server closed it; `undefined` when it never did. */
  readonly closedAfter: number | undefined
}

/** A connection that speaks no HTTP unless told to, open until the server closes it or patience ends. */
export interface RawConnection {
  readonly socket: Socket
  readonly outcome: Promise<Outcome>
}

/** Connects to the server at `url`; rejects when it takes no connection. */
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

const outcomeOf = (socket: Socket): Promise<Outcome> => {
  const begun = performance.now()
  let answer = ""
  let impatient = false
  // A reset is a way of closing like another: "close" follows.
  socket.on("error", () => undefined)
  socket.on("data", (chunk) => (answer += chunk.toString("latin1")))
  const timer = setTimeout(() => {
    impatient = true
    socket.destroy()
  }, patience)
  return new Promise((resolve) =>
    socket.once("close", () => {
      clearTimeout(timer)
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]
      resolve({
        status: status === undefined ? undefined : Number(status),
        answer,
        bytesSent: socket.bytesWritten,
        closedAfter: impatient ? undefined : performance.now() - begun
      })
    })
  )
}

/** Sends bytes piece by piece, no faster than they are taken, until all are gone or the connection is. */
export const sendAll = async (socket: Socket, pieces: Iterable<Buffer | string>): Promise<void> => {
  for (const piece of pieces) {
    if (socket.destroyed || !socket.writable) return
    if (socket.write(piece)) continue
    await new Promise<void>((resolve) => {
      const go = () => {
        socket.off("drain", go)
        socket.off("close", go)
        resolve()
      }
      socket.once("drain", go)
      socket.once("close", go)
    })
  }
}

/** How many of each answer: `431 x 10, closed unanswered x 2`. */
export const answers = (outcomes: ReadonlyArray<Outcome>): string => {
  const counts = new Map<string, number>()
  for (const { closedAfter, status } of outcomes) {
    const name = status === undefined ? (closedAfter === undefined ? "still open" : "closed unanswered") : `${status}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return Array.from(counts, ([name, count]) => `${name} x ${count}`).join(", ")
}

/** Between which seconds the server closed them. */
export const closedWhen = (outcomes: ReadonlyArray<Outcome>): string => {
  const times = outcomes.flatMap(({ closedAfter }) => (closedAfter === undefined ? [] : [closedAfter / 1000]))
  return times.length === 0
    ? "none closed by the server"
    : `${times.length} of ${outcomes.length} closed by the server after ${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)} s`
}
