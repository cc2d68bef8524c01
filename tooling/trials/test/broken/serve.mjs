// Starts the real `headgate-server` with this process's command line and a fault between its socket and its routes.
import http from "node:http"
import { syncBuiltinESMExports } from "node:module"
import { pathToFileURL } from "node:url"

const built = new URL("../../../../apps/server/bin/headgate-server.mjs", import.meta.url)
const script = process.env.TRIAL_SERVER === undefined ? built : pathToFileURL(process.env.TRIAL_SERVER)

/** Calls `breakServer` with every HTTP server that is created. */
export const serveBroken = async (breakServer) => {
  const createServer = http.createServer
  http.createServer = (...args) => {
    const server = createServer(...args)
    breakServer(server)
    return server
  }
  syncBuiltinESMExports()
  await import(script.href)
}

/** Calls `before(request, response)` ahead of the routes; if it returns true, it has answered. */
export const intercept = (server, before) => {
  const on = server.on
  server.on = server.addListener = function (event, listener) {
    if (event !== "request") return on.call(this, event, listener)
    return on.call(this, event, (request, response) => {
      if (!before(request, response)) listener.call(this, request, response)
    })
  }
}
