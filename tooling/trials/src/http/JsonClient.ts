import { Agent, request } from "node:http"

/** How long a trial waits for any answer before it calls it none. Generous: the machine may be shared. */
const answerTimeout = 10_000

/** One answer, whole. */
export interface Answer {
  readonly status: number
  /** The body as JSON; `undefined` when it is none. */
  readonly json: any
}

/** One request. */
export interface Call {
  readonly method?: "GET" | "POST" | "DELETE"
  readonly path: string
  readonly authorization?: string
  /** Sent as it is when a string, else as JSON. */
  readonly body?: unknown
}

/** A plain HTTP client of one server: rejects only when there was no whole answer. */
export interface JsonClient {
  readonly call: (call: Call) => Promise<Answer>
  readonly close: () => void
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * A client of the server at `url`. Connections are kept and used again, or with `keepAlive: false` made anew for every
 * request, as a stranger's would be.
 */
export const makeJsonClient = (url: string, { keepAlive = true } = {}): JsonClient => {
  const agent = new Agent({ keepAlive })
  const call = ({ authorization, body, method = "GET", path }: Call) =>
    new Promise<Answer>((resolve, reject) => {
      const payload = body === undefined || typeof body === "string" ? body : JSON.stringify(body)
      const outgoing = request(
        new URL(path, url),
        {
          agent,
          method,
          headers: {
            ...(authorization === undefined ? {} : { authorization }),
            ...(payload === undefined
              ? {}
              : { "content-type": "application/json", "content-length": Buffer.byteLength(payload) })
          },
          signal: AbortSignal.timeout(answerTimeout)
        },
        (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          // Also for a body cut short: what is not whole is no answer.
          response.once("error", reject)
          response.once("end", () =>
            resolve({ status: response.statusCode ?? 0, json: parsed(Buffer.concat(chunks).toString("utf8")) })
          )
        }
      )
      outgoing.once("error", reject)
      outgoing.end(payload)
    })
  return { call, close: () => agent.destroy() }
}
