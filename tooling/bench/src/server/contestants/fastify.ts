// Fastify 5 without response schemas, hooks and decorators: each handler authenticates, ajv validates parameters and bodies,
// and JSON.stringify writes the answer.
import fastify from "fastify"
import type { FastifyReply, FastifyRequest } from "fastify"
import { randomUUID } from "node:crypto"
import {
  basicCaller,
  bearerCaller,
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

interface PipeParams {
  readonly organizationId: string
  readonly serviceId: string
  readonly pipeId: string
}

const app = fastify({ logger: false, genReqId: () => randomUUID() })

const answer = (request: FastifyRequest, reply: FastifyReply, status: number, body: object): FastifyReply => {
  if (isLogging) {
    const { id, method, url } = request
    const started = performance.now() - reply.elapsedTime
    process.stdout.write(`${JSON.stringify(logLine({ requestId: id, method, path: url, status, started }))}\n`)
  }
  return reply
    .code(status)
    .headers({ "content-type": "application/json", ...responseHeaders(request.id) })
    .send(JSON.stringify(body))
}

const reject = (request: FastifyRequest, reply: FastifyReply, status: number, code: string) =>
  answer(
    request,
    reply,
    status,
    request.url.startsWith("/api/") ? { message: "rejected" } : errorBody(status, code, request.id)
  )

app.setErrorHandler((error: { statusCode?: number }, request, reply) =>
  error.statusCode === 400 ? reject(request, reply, 400, "BAD_REQUEST") : reject(request, reply, 500, "INTERNAL_ERROR")
)

/** The status and error code of a management call that is not authorized. */
const rejectionOf = (request: FastifyRequest, permission: "read" | "write") => {
  const caller = basicCaller(request.headers.authorization)
  if (caller === undefined) return { status: 401, code: "UNAUTHORIZED" }
  const isAuthorized = caller.roles.includes("admin") || (permission === "read" && caller.roles.includes("developer"))
  const { organizationId } = request.params as PipeParams // every management path has it
  return organizationId === caller.organizationId && isAuthorized ? undefined : { status: 403, code: "FORBIDDEN" }
}

const management =
  <Body>(permission: "read" | "write", result: (params: PipeParams, body: Body) => object | number) =>
  (request: FastifyRequest, reply: FastifyReply) => {
    const rejection = rejectionOf(request, permission)
    if (rejection !== undefined) return reject(request, reply, rejection.status, rejection.code)
    const found = result(request.params as PipeParams, request.body as Body) // as the schemas of the route say
    if (typeof found !== "number")
      return answer(request, reply, 200, { status: 200, requestId: request.id, result: found })
    return reject(request, reply, found, { 400: "BAD_REQUEST", 404: "NOT_FOUND" }[found] ?? "CONFLICT")
  }

const pipes = "/v1/organizations/:organizationId/services/:serviceId/dbpipes"

app.get(
  `${pipes}/:pipeId`,
  { schema: getPipeSchema },
  management("read", ({ pipeId, serviceId }) => findPipe(serviceId, pipeId) ?? 404)
)

app.get(
  pipes,
  { schema: getPipesSchema },
  management("read", ({ serviceId }) => listPipes(serviceId) ?? 404)
)

app.patch(
  `${pipes}/:pipeId/state`,
  { schema: patchStateSchema },
  management<StateRequest>("write", ({ pipeId, serviceId }, body) => setState(serviceId, pipeId, body))
)

app.post(
  "/v1/organizations/:organizationId/keys",
  { schema: postKeySchema },
  management<KeyRequest>("write", ({ organizationId }, body) =>
    isPossibleKey(body) ? (createKey(organizationId, body) ?? 409) : 400
  )
)

app.post<{ Body: DashboardRequest }>("/api/v2/dashboards", { schema: postDashboardSchema }, (request, reply) => {
  const caller = bearerCaller(request.headers.authorization)
  return caller === undefined
    ? reject(request, reply, 401, "UNAUTHORIZED")
    : answer(request, reply, 200, { data: createDashboard(caller, request.body) })
})

app.put<{ Params: { readonly dashboardId: string }; Body: DashboardRequest }>(
  "/api/v2/dashboards/:dashboardId",
  { schema: putDashboardSchema },
  (request, reply) => {
    const caller = bearerCaller(request.headers.authorization)
    if (caller === undefined) return reject(request, reply, 401, "UNAUTHORIZED")
    const data = replaceDashboard(caller, request.params.dashboardId, request.body)
    return data === undefined ? reject(request, reply, 404, "NOT_FOUND") : answer(request, reply, 200, { data })
  }
)

announce(Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port))
