import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"

// Nothing but Node's own modules is imported: src/health.ts has this file without the rest of the server.

/** The server that is asked if nothing else is said. */
export const defaultUrl = "http://127.0.0.1:7420"

/** The URL of a server; `undefined` for another text. */
export const serverUrlOf = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined
}

/** What `/readyz` says. */
export interface Readiness {
  readonly isReady: boolean
  /** In one line: the answer, or why there is none. */
  readonly text: string
}

/** How long it waits, in milliseconds: less than an orchestrator gives a health check. */
const longestWait = 4000

// What listens there may be something else.
const longestAnswer = 1000

/** In one line of ASCII: the text may go to a terminal. */
const inOneLine = (text: string): string => text.replaceAll(/[^\x21-\x7e]+/g, " ").trim()

/**
 * Asks the server at a URL whether it is ready. The certificate is not verified: nothing secret is sent, and it does not name
 * a loopback address.
 */
export const askReady = (server: URL): Promise<Readiness> =>
  new Promise((resolve) => {
    const target = new URL("/readyz", server)
    // Not its userinfo, and no query.
    const end = (isReady: boolean, text: string) =>
      resolve({ isReady, text: inOneLine(isReady ? text : `${target.origin}/readyz: ${text}`) })
    const send = target.protocol === "https:" ? requestHttps : requestHttp
    const signal = AbortSignal.timeout(longestWait)
    const fail = (error: Error) => end(false, signal.aborted ? `no answer in ${longestWait} ms` : error.message)
    const request = send(target, { agent: false, rejectUnauthorized: false, signal }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("error", fail)
      response.on("data", (part: string) => {
        text += part
        if (text.length > longestAnswer)
          response.destroy(new Error("this is no headgate-server: its answer is too long"))
      })
      response.on("end", () => {
        const isReady = response.statusCode === 200
        end(isReady, isReady ? text : `${response.statusCode} ${text}`)
      })
    })
    request.on("error", fail)
    // Without a listener, Node closes the connection, and nothing would be said.
    request.on("upgrade", ({ statusCode }, socket) => {
      socket.destroy()
      end(false, String(statusCode))
    })
    request.end()
  })
