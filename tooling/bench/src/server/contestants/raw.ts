// The floor: node:http, a split of the path, no schema library. What is below this is Node itself.
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { announce, isLogging, logLine, refusal, responseHeaders } from "./answers.ts"
import { basicCaller, bearerCaller, type Caller, createDashboard, createKey, findPipe, isPossibleKey } from "./Store.ts"

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly path: string
  readonly started: number
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const answer = ({ path, request, requestId, response, started }: Exchange, status: number, body: object): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...responseHeaders(requestId)
  })
  response.end(text)
  if (isLogging) {
    const line = logLine({ requestId, method: request.method ?? "", path, status, started })
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
}

const refuse = (exchange: Exchange, status: number, code: string): void =>
  answer(exchange, status, refusal(status, code, exchange.requestId))

const isRecord = (value: unknown): value is Record<string, any> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isKeyRequest = (body: unknown): body is any =>
  isRecord(body) &&
  typeof body["name"] === "string" &&
  body["name"].length > 0 &&
  (body["roles"] === undefined || (Array.isArray(body["roles"]) && body["roles"].length > 0)) &&
  (body["ipAccessList"] === undefined ||
    (Array.isArray(body["ipAccessList"]) && body["ipAccessList"].every((entry) => typeof entry.source === "string")))

const isTile = (tile: unknown): boolean =>
  isRecord(tile) && [tile["x"], tile["y"], tile["w"], tile["h"]].every((number) => typeof number === "number")

const isDashboardRequest = (body: unknown): body is any =>
  isRecord(body) &&
  typeof body["name"] === "string" &&
  body["name"].length > 0 &&
  (body["tiles"] === undefined || (Array.isArray(body["tiles"]) && body["tiles"].every(isTile)))

const withBody = (exchange: Exchange, use: (body: unknown) => void): void => {
  const chunks: Array<Buffer> = []
  exchange.request.on("data", (chunk: Buffer) => chunks.push(chunk))
  exchange.request.on("end", () => {
    let body: unknown
    try {
      body = JSON.parse(Buffer.concat(chunks).toString())
    } catch {
      return refuse(exchange, 400, "BAD_REQUEST")
    }
    use(body)
  })
}

const management = (exchange: Exchange, caller: Caller, segments: ReadonlyArray<string>): void => {
  const [, , , organizationId = "", collection, serviceId = "", pipes, pipeId = ""] = segments
  if (organizationId !== caller.organizationId) return refuse(exchange, 403, "FORBIDDEN")
  if (exchange.request.method === "GET" && collection === "services" && pipes === "dbpipes") {
    if (!uuid.test(serviceId) || !uuid.test(pipeId)) return refuse(exchange, 400, "BAD_REQUEST")
    const result = findPipe(serviceId, pipeId)
    return result === undefined
      ? refuse(exchange, 404, "NOT_FOUND")
      : answer(exchange, 200, { status: 200, requestId: exchange.requestId, result })
  }
  if (exchange.request.method === "POST" && collection === "keys") {
    if (!caller.roles.includes("admin")) return refuse(exchange, 403, "FORBIDDEN")
    return withBody(exchange, (body) => {
      if (!isKeyRequest(body) || !isPossibleKey(body)) return refuse(exchange, 400, "BAD_REQUEST")
      const result = createKey(organizationId, body)
      return result === undefined
        ? refuse(exchange, 409, "CONFLICT")
        : answer(exchange, 200, { status: 200, requestId: exchange.requestId, result })
    })
  }
  return refuse(exchange, 404, "NOT_FOUND")
}

const observability = (exchange: Exchange): void => {
  if (exchange.request.method !== "POST") return answer(exchange, 404, { message: "not measured" })
  return withBody(exchange, (body) =>
    isDashboardRequest(body)
      ? answer(exchange, 200, { data: createDashboard(body) })
      : answer(exchange, 400, { message: "see the contract" })
  )
}

const server = createServer((request, response) => {
  const path = request.url ?? ""
  const exchange = { request, response, requestId: randomUUID(), path, started: isLogging ? performance.now() : 0 }
  if (path.startsWith("/api/")) {
    const caller = bearerCaller(request.headers.authorization)
    return caller === undefined ? answer(exchange, 401, { message: "see the contract" }) : observability(exchange)
  }
  const caller = basicCaller(request.headers.authorization)
  return caller === undefined ? refuse(exchange, 401, "UNAUTHORIZED") : management(exchange, caller, path.split("/"))
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") announce(address.port)
})
