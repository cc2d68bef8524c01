// Logs the Authorization header of every request.
import { intercept, serveBroken } from "./serve.mjs"

await serveBroken((server) =>
  intercept(server, (request) => {
    process.stderr.write(`${request.method} ${request.url} ${request.headers.authorization}\n`)
    return false
  })
)
