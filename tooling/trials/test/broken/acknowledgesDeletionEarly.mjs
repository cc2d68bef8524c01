// Acknowledges the deletion of a pipe 0.3 s before it happens: only a kill in between shows it.
import { request as send } from "node:http"
import { intercept, serveBroken } from "./serve.mjs"

const carryOut = (server, { headers, method, url }) =>
  send({ port: server.address().port, path: url, method, headers: { ...headers, "x-late": "1" } })
    .on("response", (response) => response.resume())
    .end()

await serveBroken((server) =>
  intercept(server, (request, response) => {
    if (request.method !== "DELETE" || request.headers["x-late"] !== undefined) return false
    setTimeout(carryOut, 300, server, request)
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ status: 200, requestId: "00000000-0000-4000-8000-000000000000" }))
    return true
  })
)
