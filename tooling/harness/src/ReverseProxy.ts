import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type ServerResponse
} from "node:http"
import type { AddressInfo } from "node:net"

/** An HTTP server of a trial on a free port. */
export interface LocalServer {
  readonly url: string
  readonly close: () => Promise<void>
}

export const serveLocally = async (listener: RequestListener): Promise<LocalServer> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // a server on a TCP port has an address of this kind
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** How often each server's `/readyz` is read, in milliseconds. */
const probeInterval = 100

interface Backend {
  readonly url: string
  readonly agent: Agent
  isReady: boolean
  /** Requests sent to it and not answered yet. */
  inFlight: number
}

export const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks)
}

// Headers of one connection.
const hopByHop = new Set(["connection", "keep-alive", "transfer-encoding"])

const forwarded = (headers: IncomingMessage["headers"]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)))

/**
 * A reverse proxy and load balancer: requests go round-robin to the servers whose `/readyz` answers 200, over connections
 * that are kept open. It sends no request twice: it tries another server only if the connection was refused.
 */
export class ReverseProxy {
  /** Requests that got no answer from a server, in words; their clients got a 502. */
  readonly failures: Array<string> = []
  private readonly backends = new Map<string, Backend>()
  private readonly probing = setInterval(() => void this.probe(), probeInterval)
  private nextIndex = 0

  /** Sends requests to this server from now on, once it is ready. */
  async add(url: string): Promise<void> {
    this.backends.set(url, { url, agent: new Agent({ keepAlive: true }), isReady: false, inFlight: 0 })
    await this.probe()
  }

  /** Forgets a server that has ended. */
  remove(url: string): void {
    this.backends.get(url)?.agent.destroy()
    this.backends.delete(url)
  }

  inFlight(url: string): number {
    return this.backends.get(url)?.inFlight ?? 0
  }

  /** Passes a request on and its answer back. */
  readonly forward = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    try {
      await this.pass(incoming, await bodyOf(incoming), answer, new Set())
    } catch {
      // The client is gone.
      answer.destroy()
    }
  }

  close(): void {
    clearInterval(this.probing)
    for (const { agent } of this.backends.values()) agent.destroy()
  }

  private async probe(): Promise<void> {
    await Promise.all(
      Array.from(this.backends.values(), async (backend) => {
        backend.isReady = await fetch(`${backend.url}/readyz`).then(
          ({ status }) => status === 200,
          () => false
        )
      })
    )
  }

  private async pass(
    incoming: IncomingMessage,
    body: Buffer,
    answer: ServerResponse,
    tried: ReadonlySet<Backend>
  ): Promise<void> {
    const ready = Array.from(this.backends.values()).filter((backend) => backend.isReady && !tried.has(backend))
    const backend = ready[this.nextIndex++ % Math.max(1, ready.length)]
    const fail = (reason: string) => {
      this.failures.push(`${incoming.method} ${incoming.url}: ${reason}`)
      answer.writeHead(502).end()
    }
    if (backend === undefined) return fail("no server is ready")
    backend.inFlight++
    try {
      const upstream = await new Promise<IncomingMessage>((resolve, reject) => {
        const { headers, method = "GET", url = "/" } = incoming
        const options = { agent: backend.agent, method, headers: forwarded(headers) }
        request(new URL(url, backend.url), options, resolve).once("error", reject).end(body)
      })
      const text = await bodyOf(upstream)
      answer.writeHead(upstream.statusCode ?? 502, forwarded(upstream.headers)).end(text)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ECONNREFUSED")) return fail(String(error))
      backend.isReady = false
      return await this.pass(incoming, body, answer, new Set([...tried, backend]))
    } finally {
      backend.inFlight--
    }
  }
}
