// Starts the real `headgate-server` of this process's command line with a fault put between its socket and its routes.
// The trials must turn red on it.
import http from "node:http"
import { syncBuiltinESMExports } from "node:module"

const realServer = new URL("../../../../apps/server/bin/headgate-server.mjs", import.meta.url)

/** `broken(server)` is told of every HTTP server as it is made. */
export const serveBroken = async (broken) => {
  const createServer = http.createServer
  http.createServer = (...args) => {
    const server = createServer(...args)
    broken(server)
    return server
  }
  syncBuiltinESMExports()
  await import(realServer.href)
}

/** Puts `before(request, response)` in front of the routes; it answers by itself where it returns true. */
export const intercept = (server, before) => {
  const on = server.on
  server.on = server.addListener = function (event, listener) {
    if (event !== "request") return on.call(this, event, listener)
    return on.call(this, event, (request, response) => {
      if (!before(request, response)) listener.call(this, request, response)
    })
  }
}
