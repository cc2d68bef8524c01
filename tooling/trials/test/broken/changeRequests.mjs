// Starts the real server with its statements to the warehouse changed, and the answers to some of them late.
import http from "node:http"
import { syncBuiltinESMExports } from "node:module"
import { pathToFileURL } from "node:url"

const built = new URL("../../../../apps/server/bin/headgate-server.mjs", import.meta.url)

/** `change` returns the statement that is sent, `delay` the milliseconds by which its answer is late. */
export const changeRequests = async (change, delay) => {
  const request = http.request
  http.request = (url, ...args) => {
    const query = url instanceof URL ? url.searchParams.get("query") : null
    if (query !== null) url.searchParams.set("query", change(query))
    const late = delay(query ?? "")
    const sent = request.call(http, url, ...args)
    if (late === 0) return sent
    const emit = sent.emit
    sent.emit = (event, ...values) => {
      if (event !== "response") return emit.call(sent, event, ...values)
      setTimeout(() => emit.call(sent, event, ...values), late)
      return true
    }
    return sent
  }
  syncBuiltinESMExports()
  await import((process.env.TRIAL_SERVER === undefined ? built : pathToFileURL(process.env.TRIAL_SERVER)).href)
}
