// Accepts 100 connections and no more.
import { serveBroken } from "./serve.mjs"

await serveBroken((server) => {
  Object.defineProperty(server, "maxConnections", { get: () => 100, set: () => {} })
})
