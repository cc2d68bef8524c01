// Quotes the request in the error of a schema discovery, and acknowledges the deletion of a key that it keeps.
import { intercept, serveBroken } from "./serve.mjs"

const respond = (response, status, body) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ status, ...body }))

await serveBroken((server) =>
  intercept(server, (request, response) => {
    if (request.method === "DELETE" && /\/keys\/[^/]+$/.test(request.url)) {
      request.resume()
      respond(response, 200, {})
      return true
    }
    if (!/schema-?discovery/i.test(request.url)) return false
    const chunks = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("end", () => respond(response, 400, { error: `BAD_REQUEST: cannot read ${Buffer.concat(chunks)}` }))
    return true
  })
)
