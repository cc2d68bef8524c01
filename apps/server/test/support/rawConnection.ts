import { connect, type Socket } from "node:net"
import { setTimeout } from "node:timers/promises"
import { connect as connectTls } from "node:tls"

/** A connection on which a test sends what it likes, when it likes. */
export interface RawConnection {
  readonly send: (text: string) => void
  /** Resolves with all that was received so far, once it matches; rejects if the connection closes before. */
  readonly received: (pattern: RegExp) => Promise<string>
  /** Resolves with all that was received when the connection is closed, in whatever way. */
  readonly closed: Promise<string>
  /** Hangs up. */
  readonly destroy: () => void
}

const opened = (url: URL) =>
  new Promise<Socket>((resolve, reject) => {
    const to = { host: url.hostname, port: Number(url.port) }
    const socket: Socket =
      url.protocol === "https:"
        ? connectTls({ ...to, rejectUnauthorized: false }, () => resolve(socket))
        : connect(to, () => resolve(socket))
    socket.once("error", reject)
  })

/** Opens a connection to a server; rejects when it is refused. */
export const openConnection = async (url: string): Promise<RawConnection> => {
  const socket = await opened(new URL(url))
  let text = ""
  let isClosed = false
  socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(text)))
  socket.on("error", () => undefined)
  void closed.then(() => (isClosed = true))
  return {
    send: (text) => void socket.write(text),
    received: async (pattern) => {
      while (!pattern.test(text)) {
        if (isClosed) throw new Error(`closed before ${pattern} came: ${text}`)
        await setTimeout(5)
      }
      return text
    },
    closed,
    destroy: () => void socket.destroy()
  }
}
