// Replaces a wrong secret by the right one, once it has seen it.
import { intercept, serveBroken } from "./serve.mjs"

let right

await serveBroken((server) =>
  intercept(server, ({ headers }) => {
    const [scheme, encoded = ""] = (headers.authorization ?? "").split(" ")
    if (scheme !== "Basic") return false
    if (Buffer.from(encoded, "base64").toString().endsWith(":wrong")) headers.authorization = right
    else right = headers.authorization
    return false
  })
)
