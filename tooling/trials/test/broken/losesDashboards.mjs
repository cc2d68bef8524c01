// Acknowledges one dashboard in three without storing it.
import { randomUUID } from "node:crypto"
import { intercept, serveBroken } from "./serve.mjs"

let dashboards = 0

await serveBroken((server) =>
  intercept(server, (request, response) => {
    if (request.method !== "POST" || request.url !== "/api/v2/dashboards" || ++dashboards % 3 !== 0) return false
    request.resume()
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ data: { id: randomUUID(), name: "lost", tags: [], tiles: [] } }))
    return true
  })
)
