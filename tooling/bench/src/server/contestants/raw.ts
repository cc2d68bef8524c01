// The lower bound: node:http, a split of the path, no schema library.
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import {
  basicCaller,
  bearerCaller,
  type Caller,
  createDashboard,
  createKey,
  findPipe,
  isPossibleKey,
  listPipes,
  replaceDashboard,
  setState
} from "./Store.ts"
import { announce, errorBody, isLogging, logLine, responseHeaders } from "./answers.ts"

interface RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly path: string
  readonly started: number
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const answer = (
  { path, request, requestId, response, started }: RequestContext,
  status: number,
  body: object
): void => {
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

const reject = (context: RequestContext, status: number, code: string): void =>
  answer(context, status, errorBody(status, code, context.requestId))

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

const isStateRequest = (body: unknown): body is any =>
  isRecord(body) && ["start", "stop", "resync"].includes(body["command"])

const withBody = (context: RequestContext, use: (body: unknown) => void): void => {
  const chunks: Array<Buffer> = []
  context.request.on("data", (chunk: Buffer) => chunks.push(chunk))
  context.request.on("end", () => {
    let body: unknown
    try {
      body = JSON.parse(Buffer.concat(chunks).toString())
    } catch {
      return reject(context, 400, "BAD_REQUEST")
    }
    use(body)
  })
}

const management = (context: RequestContext, caller: Caller, segments: ReadonlyArray<string>): void => {
  const [, , , organizationId = "", collection, serviceId = "", pipes, pipeId = ""] = segments
  if (organizationId !== caller.organizationId) return reject(context, 403, "FORBIDDEN")
  if (context.request.method === "GET" && collection === "services" && pipes === "dbpipes") {
    const isList = segments.length === 7
    if (!uuid.test(serviceId) || !(isList || uuid.test(pipeId))) return reject(context, 400, "BAD_REQUEST")
    const result = isList ? listPipes(serviceId) : findPipe(serviceId, pipeId)
    return result === undefined
      ? reject(context, 404, "NOT_FOUND")
      : answer(context, 200, { status: 200, requestId: context.requestId, result })
  }
  if (context.request.method === "PATCH" && pipes === "dbpipes" && segments[8] === "state") {
    if (!uuid.test(serviceId) || !uuid.test(pipeId)) return reject(context, 400, "BAD_REQUEST")
    if (!caller.roles.includes("admin")) return reject(context, 403, "FORBIDDEN")
    return withBody(context, (body) => {
      const result = isStateRequest(body) ? setState(serviceId, pipeId, body) : 400
      return typeof result === "number"
        ? reject(context, result, { 400: "BAD_REQUEST", 404: "NOT_FOUND" }[result] ?? "CONFLICT")
        : answer(context, 200, { status: 200, requestId: context.requestId, result })
    })
  }
  if (context.request.method === "POST" && collection === "keys") {
    if (!caller.roles.includes("admin")) return reject(context, 403, "FORBIDDEN")
    return withBody(context, (body) => {
      if (!isKeyRequest(body) || !isPossibleKey(body)) return reject(context, 400, "BAD_REQUEST")
      const result = createKey(organizationId, body)
      return result === undefined
        ? reject(context, 409, "CONFLICT")
        : answer(context, 200, { status: 200, requestId: context.requestId, result })
    })
  }
  return reject(context, 404, "NOT_FOUND")
}

const observability = (context: RequestContext, caller: Caller): void => {
  const { method } = context.request
  if (method !== "POST" && method !== "PUT") return answer(context, 404, { message: "not measured" })
  return withBody(context, (body) => {
    if (!isDashboardRequest(body)) return answer(context, 400, { message: "rejected" })
    const id = context.path.split("/")[4] ?? ""
    const data = method === "POST" ? createDashboard(caller, body) : replaceDashboard(caller, id, body)
    return data === undefined ? answer(context, 404, { message: "rejected" }) : answer(context, 200, { data })
  })
}

const server = createServer((request, response) => {
  const path = request.url ?? ""
  const context = { request, response, requestId: randomUUID(), path, started: isLogging ? performance.now() : 0 }
  if (path.startsWith("/api/")) {
    const caller = bearerCaller(request.headers.authorization)
    return caller === undefined ? answer(context, 401, { message: "rejected" }) : observability(context, caller)
  }
  const caller = basicCaller(request.headers.authorization)
  return caller === undefined ? reject(context, 401, "UNAUTHORIZED") : management(context, caller, path.split("/"))
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") announce(address.port)
})
