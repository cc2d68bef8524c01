// Caches authenticated answers for ten minutes: revoked credentials still work.
import { intercept, serveBroken } from "./serve.mjs"

const remembered = new Map()

await serveBroken((server) =>
  intercept(server, (request, response) => {
    if (request.method !== "GET") return false
    const caller = `${request.url} ${request.headers.authorization}`
    const before = remembered.get(caller)
    if (before !== undefined && Date.now() - before.at < 600_000) {
      response.setHeader("content-type", "application/json")
      response.end(before.body)
      return true
    }
    const end = response.end
    response.end = function (body, ...rest) {
      if (response.statusCode === 200) remembered.set(caller, { at: Date.now(), body })
      return end.call(this, body, ...rest)
    }
    return false
  })
)
