// Hono on Node with zod, as its users write it: validators for what comes in, middleware for who may enter.
import { serve } from "@hono/node-server"
import { zValidator } from "@hono/zod-validator"
import { type Context, Hono, type Next } from "hono"
import { randomUUID } from "node:crypto"
import { z } from "zod"
import { announce, isLogging, logLine, refusal, responseHeaders } from "./answers.ts"
import { basicCaller, bearerCaller, createDashboard, createKey, findPipe, isPossibleKey } from "./Store.ts"

type Variables = { requestId: string; organizationId: string }
type Exchange = Context<{ Variables: Variables }>

const app = new Hono<{ Variables: Variables }>()

app.use(async (c, next) => {
  const requestId = randomUUID()
  const started = isLogging ? performance.now() : 0
  c.set("requestId", requestId)
  for (const [name, value] of Object.entries(responseHeaders(requestId))) c.header(name, value)
  await next()
  if (isLogging) {
    const line = logLine({ requestId, method: c.req.method, path: c.req.path, status: c.res.status, started })
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
})

const refuse = (c: Exchange, status: 400 | 401 | 403 | 404 | 409, code: string) =>
  c.json(refusal(status, code, c.get("requestId")), status)

const management = (permission: "read" | "write") => async (c: Exchange, next: Next) => {
  const caller = basicCaller(c.req.header("authorization"))
  if (caller === undefined) return refuse(c, 401, "UNAUTHORIZED")
  const isAuthorized = caller.roles.includes("admin") || (permission === "read" && caller.roles.includes("developer"))
  if (c.req.param("organizationId") !== caller.organizationId || !isAuthorized) return refuse(c, 403, "FORBIDDEN")
  await next()
}

const invalid = (result: { readonly success: boolean }, c: Context) =>
  result.success ? undefined : refuse(c, 400, "BAD_REQUEST")

const uuid = z.guid()

app.get(
  "/v1/organizations/:organizationId/services/:serviceId/dbpipes/:pipeId",
  management("read"),
  zValidator("param", z.object({ organizationId: uuid, serviceId: uuid, pipeId: uuid }), invalid),
  (c) => {
    const { pipeId, serviceId } = c.req.valid("param")
    const result = findPipe(serviceId, pipeId)
    return result === undefined
      ? refuse(c, 404, "NOT_FOUND")
      : c.json({ status: 200, requestId: c.get("requestId"), result })
  }
)

const keyCreate = z.looseObject({
  name: z.string().min(1).max(255),
  roles: z
    .array(z.enum(["admin", "developer", "query_endpoints"]))
    .min(1)
    .exactOptional(),
  expireAt: z.iso.datetime().exactOptional(),
  ipAccessList: z
    .array(z.looseObject({ source: z.string(), description: z.string().nullable().exactOptional() }))
    .exactOptional()
})

app.post(
  "/v1/organizations/:organizationId/keys",
  management("write"),
  zValidator("param", z.object({ organizationId: uuid }), invalid),
  zValidator("json", keyCreate, invalid),
  (c) => {
    const request = c.req.valid("json")
    if (!isPossibleKey(request)) return refuse(c, 400, "BAD_REQUEST")
    const result = createKey(c.req.valid("param").organizationId, request)
    return result === undefined
      ? refuse(c, 409, "CONFLICT")
      : c.json({ status: 200, requestId: c.get("requestId"), result })
  }
)

const dashboardCreate = z.looseObject({
  name: z.string().min(1).max(1024),
  tiles: z
    .array(
      z.looseObject({
        name: z.string().exactOptional(),
        x: z.number().min(0),
        y: z.number().min(0),
        w: z.number().positive(),
        h: z.number().positive(),
        asRatio: z.boolean().exactOptional(),
        series: z
          .array(
            z.looseObject({
              type: z.enum(["time", "table", "number", "histogram", "search", "markdown"]).exactOptional(),
              dataSource: z.enum(["events", "metrics"]).exactOptional(),
              aggFn: z
                .enum(["avg", "count", "count_distinct", "last_value", "max", "min", "quantile", "sum"])
                .exactOptional(),
              where: z.string().exactOptional(),
              whereLanguage: z.enum(["lucene", "sql"]).exactOptional(),
              groupBy: z.array(z.string()).exactOptional(),
              sourceId: z.string().exactOptional(),
              field: z.string().exactOptional(),
              metricName: z.string().exactOptional(),
              metricDataType: z.enum(["sum", "gauge", "histogram"]).exactOptional()
            })
          )
          .exactOptional()
      })
    )
    .max(500)
    .exactOptional(),
  tags: z.array(z.string().min(1).max(32)).max(50).exactOptional()
})

app.post(
  "/api/v2/dashboards",
  async (c, next) => {
    if (bearerCaller(c.req.header("authorization")) === undefined) return c.json({ message: "see the contract" }, 401)
    return next()
  },
  zValidator("json", dashboardCreate, (result, c) =>
    result.success ? undefined : c.json({ message: "see the contract" }, 400)
  ),
  (c) => c.json({ data: createDashboard(c.req.valid("json")) })
)

// What is no JSON: Hono would answer it as text.
app.onError((_error, c) =>
  c.req.path.startsWith("/api/") ? c.json({ message: "see the contract" }, 400) : refuse(c, 400, "BAD_REQUEST")
)

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => announce(port))
