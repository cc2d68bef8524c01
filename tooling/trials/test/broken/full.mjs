// Takes a hundred connections and no more, whoever holds them.
import { serveBroken } from "./serve.mjs"

await serveBroken((server) => {
  Object.defineProperty(server, "maxConnections", { get: () => 100, set: () => {} })
})
