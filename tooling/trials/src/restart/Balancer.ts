import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** How often each server is asked whether it is ready, in milliseconds. */
const askedEvery = 100

interface Backend {
  readonly url: string
  readonly agent: Agent
  isReady: boolean
  /** Requests sent to it and not answered at this moment. */
  inFlight: number
}

/** A load balancer as they stand in front of services. */
export interface Balancer {
  readonly url: string
  /** From now on requests may go to this server, once it is ready. */
  readonly add: (url: string) => Promise<void>
  /** Forgets a server that is gone. */
  readonly remove: (url: string) => void
  readonly inFlight: (url: string) => number
  /** What it could not get an answer to, in words; its clients got a 502 for each. */
  readonly failures: ReadonlyArray<string>
  readonly close: () => void
}

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const isReady = async (url: string): Promise<boolean> => {
  try {
    const { status } = await fetch(`${url}/readyz`)
    return status === 200
  } catch {
    return false
  }
}

// What concerns one connection only.
const ofConnection = new Set(["connection", "keep-alive", "transfer-encoding"])

const passedOn = (headers: IncomingMessage["headers"]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)))

/**
 * Starts a balancer over HTTP/1.1: requests go in turn to the servers whose `/readyz` says so, over connections that are
 * kept. Like any that may not send a request twice, it tries another server only where none of the request was sent: when
 * the connection was refused.
 */
export const startBalancer = async (): Promise<Balancer> => {
  const backends = new Map<string, Backend>()
  const failures: Array<string> = []
  let turn = 0

  const next = (tried: ReadonlySet<Backend>): Backend | undefined => {
    const ready = Array.from(backends.values()).filter((backend) => backend.isReady && !tried.has(backend))
    return ready[turn++ % Math.max(1, ready.length)]
  }

  const pass = (
    incoming: IncomingMessage,
    body: Buffer,
    answer: ServerResponse,
    tried: ReadonlySet<Backend> = new Set()
  ): void => {
    const backend = next(tried)
    const fail = (why: string) => {
      failures.push(`${incoming.method} ${incoming.url}: ${why}`)
      answer.writeHead(502).end()
    }
    if (backend === undefined) return fail("no server is ready")
    backend.inFlight++
    let isOver = false
    const over = () => {
      if (!isOver) backend.inFlight--
      isOver = true
    }
    const outgoing = request(
      new URL(incoming.url ?? "/", backend.url),
      { agent: backend.agent, method: incoming.method ?? "GET", headers: passedOn(incoming.headers) },
      async (upstream) => {
        try {
          const text = await bodyOf(upstream)
          answer.writeHead(upstream.statusCode ?? 502, passedOn(upstream.headers)).end(text)
        } catch (error) {
          fail(`the answer was cut short: ${String(error)}`)
        }
        over()
      }
    )
    outgoing.once("error", (error: NodeJS.ErrnoException) => {
      over()
      if (error.code !== "ECONNREFUSED") return fail(String(error))
      backend.isReady = false
      pass(incoming, body, answer, new Set([...tried, backend]))
    })
    outgoing.end(body)
  }

  const server = createServer((incoming, answer) => {
    bodyOf(incoming).then(
      (body) => pass(incoming, body, answer),
      () => answer.destroy()
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))

  const askAll = () =>
    Promise.all(
      Array.from(backends.values(), async (backend) => {
        backend.isReady = await isReady(backend.url)
      })
    )
  const asking = setInterval(askAll, askedEvery)

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (url) => {
      backends.set(url, { url, agent: new Agent({ keepAlive: true }), isReady: false, inFlight: 0 })
      await askAll()
    },
    remove: (url) => {
      backends.get(url)?.agent.destroy()
      backends.delete(url)
    },
    inFlight: (url) => backends.get(url)?.inFlight ?? 0,
    failures,
    close: () => {
      clearInterval(asking)
      server.close()
      server.closeAllConnections()
      for (const { agent } of backends.values()) agent.destroy()
    }
  }
}
