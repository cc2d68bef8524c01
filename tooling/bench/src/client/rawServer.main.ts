// The server that every client calls: node:http and strings made beforehand.
import { serveLocally } from "@headgate/harness/ReverseProxy"
import { fullPipe } from "@headgate/samples"
import { authorization, countPath, envelope, pathOf, pipeIds } from "./served.ts"

const { requestId } = envelope(null)
const full = JSON.stringify(envelope(fullPipe))
const wrong = JSON.stringify(envelope({ ...fullPipe, name: 7 }))
const failure = JSON.stringify({ status: 503, error: "UNAVAILABLE", requestId })
const unauthorized = JSON.stringify({ status: 401, error: "UNAUTHORIZED", requestId })
const fullPath = pathOf(pipeIds.full)

let served = 0
let isDown = false

const answerTo = (path: string | undefined): readonly [status: number, body: string] => {
  switch (path) {
    case fullPath:
      served++
      return [200, full]
    case pathOf(pipeIds.wrong):
      return [200, wrong]
    case pathOf(pipeIds.unsteady):
      isDown = !isDown
      return isDown ? [503, failure] : [200, full]
    case countPath:
      return [200, String(served)]
    default:
      return [404, failure]
  }
}

const { url } = await serveLocally((request, response) => {
  const isAuthorized = request.url === countPath || request.headers.authorization === authorization
  const [status, body] = isAuthorized ? answerTo(request.url) : [401, unauthorized]
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestId
  })
  response.end(body)
})
process.send?.(url)
process.on("disconnect", () => process.exit(0))
