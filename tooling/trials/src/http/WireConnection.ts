import { connect, type Socket } from "node:net"
import { AnswerReader, type WireAnswer } from "./AnswerReader.ts"

/** How long an answer may take. Generous: the machine may be shared. */
const answerTimeout = 10_000

/** How long before the server closes an idle connection it is no longer used: what is sent as it closes gets no answer. */
const idleMargin = 1_000

/** For how long an answer says that its connection may be idle, in milliseconds. */
const idleTimeOf = ({ headers }: WireAnswer): number => {
  const seconds = /(?:^|[,\s])timeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1]
  return seconds === undefined ? Infinity : Number(seconds) * 1_000
}

/** Where a connection goes, and which address of this machine it comes from. */
export interface Route {
  readonly url: string
  readonly localAddress?: string
}

/** What came back: an answer, or how the connection ended without one. */
export type Outcome = WireAnswer | { readonly silence: string }

/**
 * A connection that sends bytes just as they are given and reads the answer to them. One request at a time; made anew
 * when the server has closed it or is about to. Nothing between a trial and the socket mends, refuses or retries a request.
 */
export class WireConnection {
  private socket: Socket | undefined
  private usableUntil = Infinity
  private reader = new AnswerReader()
  private readonly route: Route
  private listener: ((event: "data" | "close", error?: Error) => void) | undefined

  constructor(route: Route) {
    this.route = route
  }

  /** Sends a request. `method` tells whether its answer has a body. */
  async exchange(bytes: Uint8Array, method: string): Promise<Outcome> {
    if (performance.now() > this.usableUntil) this.close()
    const socket = this.socket ?? (await this.open())
    return await new Promise<Outcome>((resolve) => {
      const settle = (outcome: Outcome) => {
        clearTimeout(timer)
        this.listener = undefined
        resolve(outcome)
      }
      const timer = setTimeout(() => {
        this.close()
        settle({ silence: `no answer in ${answerTimeout} ms` })
      }, answerTimeout)
      this.listener = (event, error) => {
        const answer = this.reader.take(method, event === "close")
        if (answer === undefined) {
          if (event === "close") settle({ silence: error?.message ?? "the connection was closed without an answer" })
          return
        }
        this.usableUntil = performance.now() + idleTimeOf(answer) - idleMargin
        if (answer.headers.get("connection") === "close") this.close()
        settle(answer)
      }
      socket.write(bytes)
    })
  }

  close(): void {
    this.socket?.destroy()
    this.socket = undefined
  }

  private async open(): Promise<Socket> {
    const { hostname, port } = new URL(this.route.url)
    const { localAddress } = this.route
    this.reader = new AnswerReader()
    this.usableUntil = Infinity
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      ...(localAddress === undefined ? {} : { localAddress })
    })
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve)
      socket.once("error", reject)
    })
    let failure: Error | undefined
    const reader = this.reader
    socket.on("error", (error) => (failure = error))
    socket.on("data", (chunk: Buffer) => {
      if (reader !== this.reader) return
      reader.add(chunk)
      this.listener?.("data")
    })
    socket.on("close", () => {
      if (this.socket !== socket) return
      this.socket = undefined
      this.listener?.("close", failure)
    })
    this.socket = socket
    return socket
  }
}
