import { assert, describe, it } from "@effect/vitest"
import { pipeRequests, secretMark } from "@headgate/conformance/fixtures"
import { systemRoleIds } from "@headgate/core"
import { systemRoles } from "@headgate/core/adapter"
import { clickhouse, type Dialect, neutral } from "@headgate/http-contract"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { type Answer, call, memoryServer } from "./support/liveServer.ts"
import { assertUpstreamShape, upstreamOperations } from "./support/upstream.ts"
import { documentRequests, namedDocuments } from "./support/namedDocuments.ts"
import { as, keysPath, withToken, environment } from "./support/environment.ts"

/** One request and what its answer must be. */
interface Case {
  /** As the published documents of the real service write it. */
  readonly operation: string
  readonly body?: unknown
  readonly status?: number
  /** What the result must include. */
  readonly includes?: object
  /** What the text of the answer must match. */
  readonly text?: RegExp
  /** Sent at once, before the steps of a pipe end. */
  readonly isAtOnce?: boolean
  /** Why the published document does not describe this answer. */
  readonly undescribed?: string
  /** Path parameters of this request alone. */
  readonly names?: Readonly<Record<string, string>>
  /** The name of a path parameter that takes the id in the result from here on. */
  readonly keeps?: string
}

const organization = "/v1/organizations/{organizationId}"
const service = `${organization}/services/{serviceId}`
const pipes = `${service}/clickpipes`
const pipe = `${pipes}/{clickPipeId}`
const endpoints = `${service}/clickpipesReversePrivateEndpoints`
const boards = `${service}/clickstack/dashboards`
const board = `${boards}/{clickStackDashboardId}`

const gone = { status: 404 }
const deleted = (path: string): ReadonlyArray<Case> => [
  { operation: `DELETE ${path}` },
  { operation: `GET ${path}`, ...gone }
]

const organizationCases: ReadonlyArray<Case> = [
  { operation: "GET /v1/whoami" },
  { operation: "GET /v1/organizations" },
  { operation: `GET ${organization}`, includes: { id: organizationId } },
  { operation: `GET ${organization}/services` },
  { operation: `GET ${service}`, includes: { id: serviceId, state: "running" } },
  { operation: `PATCH ${service}/state`, body: { command: "stop" } },
  { operation: `GET ${service}`, includes: { state: "stopped" } },
  {
    operation: `POST ${pipes}`,
    body: pipeRequests.kafka,
    status: 424,
    text: /FAILED_DEPENDENCY: .*Current state: stopped/
  },
  { operation: `PATCH ${service}/state`, body: { command: "start" } },
  { operation: `GET ${service}`, includes: { state: "running" } }
]

const roleCases: ReadonlyArray<Case> = [
  { operation: `GET ${organization}/roles` },
  ...systemRoles.flatMap(({ id, name }): ReadonlyArray<Case> => {
    const systemRole = { operation: `GET ${organization}/roles/{systemRoleId}`, names: { systemRoleId: id } }
    return [
      { ...systemRole, includes: { id, name, type: "system" } },
      { ...systemRole, operation: `PATCH ${organization}/roles/{systemRoleId}`, body: { name: "mine" }, status: 409 },
      { ...systemRole, operation: `DELETE ${organization}/roles/{systemRoleId}`, status: 409 }
    ]
  }),
  {
    operation: `POST ${organization}/roles`,
    body: { name: "auditors", actors: [], policies: [] },
    includes: { name: "auditors", type: "custom" },
    keeps: "roleId"
  },
  { operation: `GET ${organization}/roles/{roleId}`, includes: { name: "auditors" } },
  { operation: `PATCH ${organization}/roles/{roleId}`, body: { name: "readers" }, includes: { name: "readers" } },
  ...deleted(`${organization}/roles/{roleId}`)
]

const keyCases: ReadonlyArray<Case> = [
  { operation: `GET ${organization}/keys` },
  { operation: `POST ${organization}/keys`, body: { name: "ci", roles: ["developer"] }, keeps: "keyId" },
  { operation: `GET ${organization}/keys/{keyId}`, includes: { name: "ci", state: "enabled" } },
  {
    operation: `PATCH ${organization}/keys/{keyId}`,
    body: { name: "build", state: "disabled", expireAt: "2999-01-01T00:00:00Z" },
    includes: { name: "build", state: "disabled", roles: ["developer"] }
  },
  { operation: `PATCH ${organization}/keys/{keyId}`, body: { expireAt: null, roles: [] }, includes: { roles: [] } },
  { operation: `PATCH ${organization}/keys/{keyId}`, body: { nmae: "x" }, status: 400, text: /nmae: / },
  ...deleted(`${organization}/keys/{keyId}`),
  // The key of the caller.
  { operation: `GET ${organization}/keys/{ownKeyId}`, includes: { name: "admin", roles: ["admin"] } },
  { operation: `DELETE ${organization}/keys/{ownKeyId}`, status: 409, text: /itself/ },
  { operation: `PATCH ${organization}/keys/{ownKeyId}`, body: { state: "disabled" }, status: 409, text: /itself/ },
  { operation: `PATCH ${organization}/keys/{ownKeyId}`, body: { roles: [] }, status: 409, text: /itself/ },
  { operation: `PATCH ${organization}/keys/{ownKeyId}`, body: { name: "admin" }, includes: { name: "admin" } },
  // `roles` and `assignedRoleIds` name the same thing.
  {
    operation: `POST ${organization}/keys`,
    body: { name: "both", roles: ["developer"], assignedRoleIds: [systemRoleIds.developer] },
    keeps: "keyId"
  },
  {
    operation: `GET ${organization}/keys/{keyId}`,
    includes: {
      roles: ["developer"],
      assignedRoles: [{ roleId: systemRoleIds.developer, roleName: "developer", roleType: "system" }]
    }
  },
  {
    operation: `PATCH ${organization}/keys/{keyId}`,
    body: { roles: ["admin"], assignedRoleIds: [systemRoleIds.developer] },
    status: 400,
    text: /assignedRoleIds: /
  },
  {
    operation: `POST ${organization}/keys`,
    body: { name: "both", roles: ["admin"], assignedRoleIds: [systemRoleIds.developer] },
    status: 400,
    text: /assignedRoleIds: /
  },
  {
    operation: `PATCH ${organization}/keys/{keyId}`,
    body: { assignedRoleIds: [systemRoleIds.query_endpoints] },
    includes: { roles: ["query_endpoints"] }
  },
  ...deleted(`${organization}/keys/{keyId}`)
]

const { kafka, postgres, publicFiles } = pipeRequests

const pipeCases: ReadonlyArray<Case> = [
  { operation: `GET ${pipes}` },
  { operation: `GET ${pipes}/context` },
  {
    operation: `POST ${pipes}/schemaDiscovery`,
    body: { source: { objectStorage: publicFiles.source.objectStorage } }
  },
  { operation: `POST ${pipes}`, body: { ...kafka, source: {} }, status: 400, text: /source: / },
  {
    operation: `POST ${pipes}`,
    body: kafka,
    includes: { name: kafka.name, state: "Provisioning" },
    keeps: "clickPipeId"
  },
  { operation: `GET ${pipe}`, includes: { state: "Running" } },
  {
    operation: `PATCH ${pipe}/state`,
    body: { command: "start" },
    status: 400,
    text: /(ClickPipe|pipe) is already running/
  },
  { operation: `PATCH ${pipe}/state`, body: { command: "resync" }, status: 400 },
  { operation: `PATCH ${pipe}/state`, body: { command: "stop" }, includes: { state: "Stopping" } },
  {
    operation: `PATCH ${pipe}/state`,
    body: { command: "start" },
    isAtOnce: true,
    status: 409,
    text: /wait until it is Stopped/
  },
  {
    operation: `PATCH ${pipe}/state`,
    body: { command: "stop" },
    isAtOnce: true,
    includes: { state: "Stopping" }
  },
  { operation: `GET ${pipe}`, includes: { state: "Stopped" } },
  { operation: `PATCH ${pipe}/state`, body: { command: "stop" }, includes: { state: "Stopped" } },
  { operation: `PATCH ${pipe}/state`, body: { command: "start" }, includes: { state: "Provisioning" } },
  { operation: `PATCH ${pipe}`, body: { name: "renamed" }, includes: { name: "renamed" } },
  { operation: `PATCH ${pipe}`, body: {}, includes: { name: "renamed" } },
  {
    operation: `PATCH ${pipe}`,
    body: { source: { kinesis: { streamName: "other" } } },
    status: 400,
    text: /source/
  },
  { operation: `PATCH ${pipe}/scaling`, body: { replicas: 2 }, includes: { name: "renamed" } },
  { operation: `PATCH ${pipe}/scaling`, body: { replicas: 41 }, status: 400, text: /replicas: / },
  { operation: `PUT ${pipe}/settings`, body: { kafka_read_committed: true }, includes: { kafka_read_committed: true } },
  { operation: `GET ${pipe}/settings`, includes: { kafka_read_committed: true } },
  ...deleted(pipe),
  { operation: `POST ${pipes}`, body: postgres, includes: { state: "Provisioning" }, keeps: "clickPipeId" },
  {
    operation: `PATCH ${pipe}`,
    body: { source: { postgres: { tableMappingsToRemove: [{ sourceSchemaName: "public", sourceTable: "orders" }] } } },
    status: 400,
    text: /(ClickPipe|pipe) must be paused to edit/
  },
  { operation: `PATCH ${pipe}/state`, body: { command: "stop" }, includes: { state: "Pausing" } },
  {
    operation: `PATCH ${pipe}/state`,
    body: { command: "start" },
    isAtOnce: true,
    status: 409,
    text: /wait until it is Paused/
  },
  { operation: `PATCH ${pipe}/state`, body: { command: "resync" }, isAtOnce: true, status: 409 },
  { operation: `GET ${pipe}`, includes: { state: "Paused" } },
  { operation: `PATCH ${pipe}/state`, body: { command: "resync" }, includes: { state: "Resync" } },
  { operation: `GET ${pipe}`, includes: { state: "Running" } },
  ...deleted(pipe),
  ...Object.values(pipeRequests).flatMap((body): ReadonlyArray<Case> => [
    { operation: `POST ${pipes}`, body, includes: { name: body.name }, keeps: "clickPipeId" },
    { operation: `GET ${pipe}`, includes: { name: body.name } },
    ...deleted(pipe)
  ])
]

const endpointCases: ReadonlyArray<Case> = [
  { operation: `GET ${service}/clickpipesCdcScaling` },
  {
    operation: `PATCH ${service}/clickpipesCdcScaling`,
    body: { replicaCpuMillicores: 4000, replicaMemoryGb: 16 },
    includes: { replicaCpuMillicores: 4000, replicaMemoryGb: 16 }
  },
  { operation: `GET ${endpoints}` },
  {
    operation: `POST ${endpoints}`,
    body: {
      description: "brokers",
      type: "VPC_ENDPOINT_SERVICE",
      vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-0123456789abcdef0"
    },
    includes: { description: "brokers" },
    keeps: "reversePrivateEndpointId"
  },
  { operation: `GET ${endpoints}/{reversePrivateEndpointId}`, includes: { description: "brokers" } },
  {
    operation: `PATCH ${endpoints}/{reversePrivateEndpointId}`,
    body: { customPrivateDnsMappings: [{ privateDnsName: "broker.example.com" }] }
  },
  ...deleted(`${endpoints}/{reversePrivateEndpointId}`)
]

const dashboard = {
  name: "Errors",
  tiles: [
    {
      name: "notes",
      x: 0,
      y: 0,
      w: 12,
      h: 4,
      series: [{ type: "markdown", content: "# Errors" }]
    }
  ],
  tags: ["production"]
}

const dashboardCases = (collection: string, one: string, parameter: string): ReadonlyArray<Case> => [
  { operation: `GET ${collection}` },
  { operation: `POST ${collection}/validate`, body: dashboard, includes: { valid: true } },
  {
    operation: `POST ${collection}/validate`,
    body: { ...dashboard, name: 7 },
    includes: { valid: false },
    undescribed: "its `oneOf` allows null twice"
  },
  { operation: `POST ${collection}`, body: dashboard, includes: { name: "Errors" }, keeps: parameter },
  { operation: `GET ${one}`, includes: { name: "Errors", tags: ["production"] } },
  { operation: `PUT ${one}`, body: { ...dashboard, name: "All errors" }, includes: { name: "All errors" } },
  { operation: `DELETE ${one}` },
  { operation: `GET ${one}`, status: 404 }
]

/** The rows of a collection of stored documents: they are stored as they come. */
const documentCases = (collection: string, sent: object, changed: object): ReadonlyArray<Case> => {
  const document = `${collection}/{documentId}`
  return [
    { operation: `GET ${collection}` },
    { operation: `POST ${collection}`, body: sent, includes: { name: "first" }, keeps: "documentId" },
    { operation: `POST ${collection}`, body: { name: 7 }, status: 400, text: /name/ },
    { operation: `GET ${document}`, includes: { name: "first" } },
    { operation: `PUT ${document}`, body: changed, includes: { name: "second" } },
    { operation: `GET ${document}`, includes: changed },
    { operation: `DELETE ${document}` },
    { operation: `GET ${document}`, ...gone },
    { operation: `PUT ${document}`, body: changed, ...gone }
  ]
}

const connection = { name: "first", host: "https://db.example.com", username: "reader" }
const source = { ...documentRequests.source, name: "first" }
const searches = { ...documentRequests.savedSearch, name: "first" }
const webhook = { ...documentRequests.webhook, name: "first" }
const alert = { ...documentRequests.alert, name: "first" }

const cases: ReadonlyArray<Case> = [
  ...organizationCases,
  ...roleCases,
  ...keyCases,
  ...pipeCases,
  ...endpointCases,
  ...dashboardCases(boards, board, "clickStackDashboardId"),
  ...dashboardCases("/api/v2/dashboards", "/api/v2/dashboards/{id}", "id"),
  ...documentCases(
    "/api/v2/connections",
    { ...connection, password: `${secretMark}connection` },
    { ...connection, name: "second" }
  ),
  ...documentCases("/api/v2/sources", source, { ...source, name: "second" }),
  ...documentCases("/api/v2/saved-searches", searches, { ...searches, name: "second" }),
  ...documentCases("/api/v2/webhooks", webhook, { ...webhook, name: "second" }),
  ...documentCases("/api/v2/alerts", alert, { ...alert, name: "second" })
]

const pathIn = (dialect: Dialect, path: string) =>
  path.replace("/clickpipes", `/${dialect.pipesSegment}`).replace("/clickstack/", `/${dialect.stackSegment}/`)

/** The resources whose 404 is JSON in the clickhouse dialect, too. */
const withJson404 = /^\/api\/v2\/(?:sources|saved-searches|webhooks)\//u

/** Holds that an error has the shape of its API and no other field. */
const assertErrorBody = (dialect: Dialect, path: string, { headers, json, status, text }: Answer) => {
  const requestId = headers.get("x-request-id")
  if (!path.startsWith("/api/v2")) {
    assert.deepStrictEqual<unknown>(json, { status, error: json.error, requestId }, text)
    assert.match(json.error, /^[A-Z_]+: ./u)
  } else if (dialect === clickhouse && status === 404 && !withJson404.test(path)) {
    assert.strictEqual(text, "Not Found")
  } else {
    assert.deepStrictEqual<unknown>(json, { message: json.message }, text)
    assert.match(json.message, /./u)
  }
}

/** How a client may write a request, too. */
interface Spelling {
  readonly slash: string
  readonly contentType: string
}

const plain: Spelling = { slash: "", contentType: "application/json" }
const spelled: Spelling = { slash: "/", contentType: "application/json; charset=utf-8" }

const run = Effect.fnUntraced(function* (
  dialect: Dialect,
  one: Case,
  ids: Map<string, string>,
  { contentType, slash }: Spelling
) {
  const { body, includes, isAtOnce, keeps, names, operation, status = 200, text, undescribed } = one
  const [method = "", template = ""] = operation.split(" ")
  const path = pathIn(dialect, template).replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => names?.[name] ?? ids.get(name) ?? name
  )
  const authorization = path.startsWith("/api/v2") ? withToken : as("admin")
  // Longer than all steps of a pipe together.
  if (isAtOnce !== true) yield* TestClock.adjust("10 seconds")
  const sent = body === undefined ? {} : { body, contentType }
  const answer = yield* call(`${path}${slash}`, { method, authorization, ...sent })
  const seen = `${operation}: ${answer.status} ${answer.text}`
  assert.strictEqual(answer.status, status, seen)
  assert.notInclude(answer.text, secretMark, operation)
  if (text !== undefined) assert.match(answer.text, text, operation)
  const isDescribed = dialect === clickhouse && undescribed === undefined && upstreamOperations.includes(operation)
  if (status !== 200) {
    assertErrorBody(dialect, path, answer)
    if (isDescribed && status === 400) assertUpstreamShape(operation, answer.json, status)
    return
  }
  const result = path.startsWith("/api/v2") ? (answer.json.data ?? answer.json) : answer.json.result
  if (includes !== undefined) assert.deepInclude(result, includes, seen)
  if (keeps !== undefined) ids.set(keeps, result.id ?? result.key.id)
  if (isDescribed) assertUpstreamShape(operation, answer.json, status)
})

// The pipes of the environment have fields that the real service never answers.
const [sample] = environment.organizations
const services = [{ id: serviceId, name: "service" }]
const withoutPipes = { organizations: [{ ...sample, services, ...namedDocuments }] }

describe("the contract, row by row", () => {
  for (const dialect of [neutral, clickhouse]) {
    const answers = (spelling: Spelling) =>
      Effect.gen(function* () {
        const ids = new Map([
          ["organizationId", organizationId],
          ["serviceId", serviceId]
        ])
        const keys = yield* call(keysPath(), { authorization: as("admin") })
        ids.set("ownKeyId", keys.json.result.find(({ name }: { name: string }) => name === "admin").id)
        for (const one of cases) yield* run(dialect, one, ids, spelling)
      }).pipe(Effect.provide(memoryServer(withoutPipes, { dialect })))

    it.effect(`is what the server answers in the ${dialect.name} dialect`, () => answers(plain))

    it.effect(`is the same for paths with a slash at the end and a charset, in the ${dialect.name} dialect`, () =>
      answers(spelled)
    )
  }

  it("has a case for every operation of the published documents", () => {
    const covered = new Set(cases.map(({ operation }) => operation))
    assert.deepStrictEqual(
      upstreamOperations.filter((operation) => !covered.has(operation)),
      []
    )
  })
})
