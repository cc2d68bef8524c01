// Fastify 5 with response schemas: ajv for requests, fast-json-stringify for responses, hooks for authorization.
import fastify from "fastify"
import type { FastifyReply, FastifyRequest } from "fastify"
import { randomUUID } from "node:crypto"
import {
  basicCaller,
  bearerCaller,
  type Caller,
  createDashboard,
  createKey,
  type DashboardRequest,
  findPipe,
  isPossibleKey,
  type KeyRequest,
  listPipes,
  replaceDashboard,
  setState,
  type StateRequest
} from "./Store.ts"
import { announce, errorBody, isLogging, logLine, responseHeaders } from "./answers.ts"
import {
  getPipeSchema,
  getPipesSchema,
  patchStateSchema,
  postDashboardSchema,
  postKeySchema,
  putDashboardSchema
} from "./jsonSchemas.ts"

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | undefined
    started: number
  }
}

interface PipeParams {
  readonly organizationId: string
  readonly serviceId: string
  readonly pipeId: string
}

const app = fastify({ logger: isLogging, disableRequestLogging: true, genReqId: () => randomUUID(), trustProxy: false })

app.decorateRequest("caller", undefined)
app.decorateRequest("started", 0)

app.addHook("onRequest", (request, reply, done) => {
  if (isLogging) request.started = performance.now()
  reply.headers(responseHeaders(request.id))
  done()
})

if (isLogging) {
  app.addHook("onResponse", (request, reply, done) => {
    const { id, method, started, url } = request
    request.log.info(logLine({ requestId: id, method, path: url, status: reply.statusCode, started }))
    done()
  })
}

const reject = (request: FastifyRequest, reply: FastifyReply, status: number, code: string) =>
  reply.code(status).send(errorBody(status, code, request.id))

app.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) => {
  const status = error.statusCode ?? 500
  const code = status === 400 ? "BAD_REQUEST" : "INTERNAL_ERROR"
  return reply
    .code(status)
    .send(
      request.url.startsWith("/api/") ? { message: error.message } : errorBody(status, code, request.id, error.message)
    )
})

const management = (permission: "read" | "write") =>
  function guard(request: FastifyRequest, reply: FastifyReply, done: () => void) {
    const caller = basicCaller(request.headers.authorization)
    if (caller === undefined) return void reject(request, reply, 401, "UNAUTHORIZED")
    const { organizationId } = request.params as PipeParams // every management path has it
    const isAuthorized = caller.roles.includes("admin") || (permission === "read" && caller.roles.includes("developer"))
    if (organizationId !== caller.organizationId || !isAuthorized) return void reject(request, reply, 403, "FORBIDDEN")
    request.caller = caller
    done()
  }

app.get<{ Params: PipeParams }>(
  "/v1/organizations/:organizationId/services/:serviceId/dbpipes/:pipeId",
  { schema: getPipeSchema, onRequest: management("read") },
  (request, reply) => {
    const result = findPipe(request.params.serviceId, request.params.pipeId)
    if (result === undefined) return reject(request, reply, 404, "NOT_FOUND")
    reply.send({ status: 200, requestId: request.id, result })
  }
)

app.get<{ Params: PipeParams }>(
  "/v1/organizations/:organizationId/services/:serviceId/dbpipes",
  { schema: getPipesSchema, onRequest: management("read") },
  (request, reply) => {
    const result = listPipes(request.params.serviceId)
    if (result === undefined) return reject(request, reply, 404, "NOT_FOUND")
    reply.send({ status: 200, requestId: request.id, result })
  }
)

app.patch<{ Params: PipeParams; Body: StateRequest }>(
  "/v1/organizations/:organizationId/services/:serviceId/dbpipes/:pipeId/state",
  { schema: patchStateSchema, onRequest: management("write") },
  (request, reply) => {
    const result = setState(request.params.serviceId, request.params.pipeId, request.body)
    if (typeof result === "number")
      return reject(request, reply, result, { 400: "BAD_REQUEST", 404: "NOT_FOUND" }[result] ?? "CONFLICT")
    reply.send({ status: 200, requestId: request.id, result })
  }
)

app.post<{ Params: PipeParams; Body: KeyRequest }>(
  "/v1/organizations/:organizationId/keys",
  { schema: postKeySchema, onRequest: management("write") },
  (request, reply) => {
    if (!isPossibleKey(request.body)) return reject(request, reply, 400, "BAD_REQUEST")
    const result = createKey(request.params.organizationId, request.body)
    if (result === undefined) return reject(request, reply, 409, "CONFLICT")
    reply.send({ status: 200, requestId: request.id, result })
  }
)

const observability = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
  request.caller = bearerCaller(request.headers.authorization)
  if (request.caller === undefined) return void reply.code(401).send({ message: "rejected" })
  done()
}

app.post<{ Body: DashboardRequest }>(
  "/api/v2/dashboards",
  { schema: postDashboardSchema, onRequest: observability },
  (request, reply) => {
    const { body, caller } = request
    if (caller !== undefined) reply.send({ data: createDashboard(caller, body) })
  }
)

app.put<{ Params: { readonly dashboardId: string }; Body: DashboardRequest }>(
  "/api/v2/dashboards/:dashboardId",
  { schema: putDashboardSchema, onRequest: observability },
  (request, reply) => {
    const { body, caller, params } = request
    const data = caller && replaceDashboard(caller, params.dashboardId, body)
    return data === undefined ? reply.code(404).send({ message: "rejected" }) : reply.send({ data })
  }
)

announce(Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port))
