// The server that every contestant calls: node:http and strings made beforehand, so that it costs as little as can be.
import { createServer } from "node:http"
import { authorization, countPath, envelope, pathOf, pipeIds, servedPipe } from "./served.ts"

const full = JSON.stringify(envelope(servedPipe))
const wrong = JSON.stringify(envelope({ ...servedPipe, name: 7 }))
const failure = JSON.stringify({ status: 503, error: "UNAVAILABLE", requestId: envelope(null).requestId })
const refusal = JSON.stringify({ status: 401, error: "UNAUTHORIZED", requestId: envelope(null).requestId })

const paths = { full: pathOf(pipeIds.full), wrong: pathOf(pipeIds.wrong), unsteady: pathOf(pipeIds.unsteady) }
let served = 0
let isDown = false

const answerTo = (path: string | undefined): readonly [status: number, body: string] => {
  switch (path) {
    case paths.full:
      served++
      return [200, full]
    case paths.wrong:
      return [200, wrong]
    case paths.unsteady:
      isDown = !isDown
      return isDown ? [503, failure] : [200, full]
    case countPath:
      return [200, String(served)]
    default:
      return [404, failure]
  }
}

const server = createServer((request, response) => {
  const mayEnter = request.url === countPath || request.headers.authorization === authorization
  const [status, body] = mayEnter ? answerTo(request.url) : [401, refusal]
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": envelope(null).requestId
  })
  response.end(body)
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.(typeof address === "object" ? address?.port : undefined)
})
process.on("disconnect", () => process.exit(0))
