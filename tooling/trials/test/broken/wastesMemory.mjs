// Keeps memory for every large answer, and lets everybody wait while it handles a large body.
import { intercept, serveBroken } from "./serve.mjs"

const kept = []
const keep = (kibibytes) => kept.push(Buffer.alloc(kibibytes * 1024, 1))

const block = (milliseconds) => {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

await serveBroken((server) =>
  intercept(server, (request, response) => {
    if (request.url === "/docs") keep(300)
    if (request.url !== "/api/v2/dashboards") return false
    if (request.method === "GET") keep(3000)
    if (request.method !== "POST") return false
    block(500)
    request.resume()
    response.end(JSON.stringify({ message: "wrong; ".repeat(20_000) }))
    return true
  })
)
