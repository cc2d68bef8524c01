// Keeps memory for every large answer, and lets everybody wait while it handles its first large body.
import { intercept, serveBroken } from "./serve.mjs"

const kept = []
const keep = (kibibytes) => kept.push(Buffer.alloc(kibibytes * 1024, 1))

// Once, and longer than the trial allows: whether many short blocks add up to one depends on how fast the bodies arrive.
let blocked = false
const blockOnce = () => {
  if (blocked) return
  blocked = true
  const until = performance.now() + 4_000
  while (performance.now() < until);
}

await serveBroken((server) =>
  intercept(server, (request, response) => {
    if (request.url === "/docs") keep(300)
    if (request.url !== "/api/v2/dashboards") return false
    if (request.method === "GET") keep(3000)
    if (request.method !== "POST") return false
    blockOnce()
    request.resume()
    response.end(JSON.stringify({ message: "wrong; ".repeat(20_000) }))
    return true
  })
)
