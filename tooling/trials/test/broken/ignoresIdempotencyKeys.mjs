// Carries a creation out again when it is sent again under its `Idempotency-Key`. Its answers come 50 ms late, so that a kill
// meets creations that are stored and not answered.
import { intercept, serveBroken } from "./serve.mjs"

await serveBroken((server) =>
  intercept(server, (request, response) => {
    if (request.headers["idempotency-key"] === undefined) return false
    delete request.headers["idempotency-key"]
    const end = response.end
    response.end = (...args) => {
      setTimeout(() => end.apply(response, args), 50)
      return response
    }
    return false
  })
)
