// Has no timeouts.
import { serveBroken } from "./serve.mjs"

await serveBroken((server) => {
  server.headersTimeout = 0
  server.requestTimeout = 0
  server.keepAliveTimeout = 0
  Object.defineProperty(server, "timeout", { get: () => 0, set: () => {} })
})
