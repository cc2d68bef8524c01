import { documentRequests, namedDocuments } from "./namedDocuments.ts"

/** One request, and what the tests of the real service expect of its answer. */
export interface Step {
  readonly request: readonly [method: string, path: string, body?: object | undefined]
  readonly status: number
  /** A part of the body. */
  readonly has?: object
  readonly text?: RegExp
  /** Fields that the document does not have. */
  readonly lacks?: ReadonlyArray<string>
  /** `total` is in the header `X-Total-Count`, too. */
  readonly meta?: { readonly total: number; readonly limit: number; readonly offset: number }
  readonly length?: number
  /** Without a token. */
  readonly isAnonymous?: boolean
}

/** A test of the real service that needs HTTP alone, told in our words. `{id}` is the id of what was created last. */
export interface UpstreamTest {
  readonly title: string
  readonly steps: ReadonlyArray<Step>
}

const foreign = {
  source: "65f5e4a3b9e77c00000001f1",
  savedSearch: "65f5e4a3b9e77c00000001f2",
  webhook: "65f5e4a3b9e77c00000001f3",
  alert: "65f5e4a3b9e77c00000001f4",
  dashboard: "65f5e4a3b9e77c00000001f5"
} as const
const none = "65f5e4a3b9e77c00000001ff"

/** What the organization of the caller has: a dashboard with charts, and documents that were stored by an earlier version. */
const held = {
  dashboard: "65f5e4a3b9e77c0000000201",
  legacySearch: "65f5e4a3b9e77c0000000202",
  legacyWebhook: "65f5e4a3b9e77c0000000203",
  failedAlert: "65f5e4a3b9e77c0000000204"
} as const
const connectionId = namedDocuments.connections[0].id
const sourceId = namedDocuments.sources[0].id
const builder = { sourceId, select: [{ aggFn: "count", valueExpression: "", where: "" }] }
const sql = { configType: "sql", connectionId, sqlTemplate: "SELECT $__timeInterval(ts), count() FROM t GROUP BY 1" }
const place = { x: 0, y: 0, w: 6, h: 3 }
const executionErrors = [{ timestamp: "2026-04-17T12:00:00.000Z", type: "QUERY_ERROR", message: "failed" }]

export const ownContent = {
  ...namedDocuments,
  dashboards: [
    {
      id: held.dashboard,
      name: "Test Dashboard",
      tiles: [
        { id: "t1", name: "Chart 1", ...place, config: { displayType: "line", ...builder } },
        { id: "t2", name: "Chart 2", ...place, config: { displayType: "line", ...builder } },
        { id: "t3", name: "Chart 3", ...place, config: { displayType: "number", ...builder } },
        { id: "sqlLine", name: "SQL", ...place, config: { displayType: "line", ...sql } },
        { id: "sqlNumber", name: "SQL", ...place, config: { displayType: "number", ...sql, sqlTemplate: "SELECT 1" } },
        { id: "sqlTable", name: "SQL", ...place, config: { displayType: "table", ...sql } },
        { id: "sqlPlain", name: "SQL", ...place, config: { displayType: "line", ...sql, sqlTemplate: "SELECT 1" } }
      ],
      tags: []
    }
  ],
  savedSearches: [
    ...namedDocuments.savedSearches,
    { id: held.legacySearch, name: "Legacy", sourceId, filters: [{ type: "lucene", condition: "level:error" }] }
  ],
  webhooks: [
    ...namedDocuments.webhooks,
    { id: held.legacyWebhook, name: "Minimal", service: "slack", headers: { a: "secret" } }
  ],
  alerts: [{ id: held.failedAlert, ...documentRequests.alert, name: "failed", executionErrors }]
}

export const foreignContent = {
  sources: [{ id: foreign.source, name: "Theirs", kind: "log", connection: connectionId }],
  savedSearches: [{ id: foreign.savedSearch, name: "Theirs", sourceId: foreign.source }],
  webhooks: [{ id: foreign.webhook, name: "Theirs", service: "slack", url: "https://hooks.slack.com/x" }],
  alerts: [{ id: foreign.alert, name: "Theirs" }],
  dashboards: [{ id: foreign.dashboard, name: "Theirs", tiles: [{ id: "t1", ...place, series: [] }], tags: [] }]
}

const refused = (path: string, body: object, text?: RegExp): Step => ({
  request: ["POST", path, body],
  status: 400,
  ...(text === undefined ? {} : { text })
})

const badPages = (path: string): UpstreamTest => ({
  title: "GET: a limit or an offset that is out of range or no whole number is a 400",
  steps: ["limit=0", "limit=5000", "offset=-1", "limit=abc", "limit=1.5"].map((query) => ({
    request: ["GET", `${path}?${query}`],
    status: 400
  }))
})

const pages = (path: string, bodies: ReadonlyArray<object>, before: number): ReadonlyArray<UpstreamTest> => {
  const creations: ReadonlyArray<Step> = bodies.map((body) => ({ request: ["POST", path, body], status: 200 }))
  const total = before + bodies.length
  return [
    {
      title: "GET: pages have a limit, an offset and the total",
      steps: [
        ...creations,
        { request: ["GET", `${path}?limit=2&offset=0`], status: 200, length: 2, meta: { total, limit: 2, offset: 0 } },
        {
          request: ["GET", `${path}?limit=2&offset=${total - 1}`],
          status: 200,
          length: 1,
          meta: { total, limit: 2, offset: total - 1 }
        }
      ]
    },
    {
      title: "GET: a page after the end is empty and tells the total",
      steps: [
        {
          request: ["GET", `${path}?offset=100`],
          status: 200,
          length: 0,
          meta: { total: before, limit: 1000, offset: 100 }
        }
      ]
    }
  ]
}

const anonymous = (method: string, path: string): UpstreamTest => ({
  title: `${method}: a request without a token is a 401`,
  steps: [{ request: method === "POST" ? [method, path, {}] : [method, path], status: 401, isAnonymous: true }]
})

const one = (title: string, ...steps: ReadonlyArray<Step>): UpstreamTest => ({ title, steps })

const searches = "/api/v2/saved-searches"
const search = {
  name: "Production Errors",
  sourceId,
  select: "Timestamp, Body",
  where: "SeverityText:ERROR",
  whereLanguage: "lucene",
  orderBy: "Timestamp DESC",
  tags: ["prod"]
}
const withFilters = (...conditions: ReadonlyArray<string>) => ({
  ...search,
  filters: conditions.map((condition) => ({ type: "sql", condition }))
})
const created = (path: string, body: object): Step => ({ request: ["POST", path, body], status: 200 })

export const savedSearchTests: ReadonlyArray<UpstreamTest> = [
  anonymous("GET", searches),
  one("POST: an answer has every field, and no internal one", {
    ...created(searches, search),
    has: search,
    lacks: ["source"]
  }),
  one("POST: an unknown source is a 400", refused(searches, { ...search, sourceId: none }, /existing source/i)),
  one(
    "POST: a source of another team is a 400",
    refused(searches, { ...search, sourceId: foreign.source }, /existing source/i)
  ),
  one("POST: a malformed source id is a 400", refused(searches, { ...search, sourceId: "not-an-id" })),
  one("POST: a missing name is a 400", refused(searches, { ...search, name: undefined })),
  one("POST: 51 tags are a 400", refused(searches, { ...search, tags: Array.from({ length: 51 }, String) })),
  one("POST: a tag of 33 characters is a 400", refused(searches, { ...search, tags: ["x".repeat(33)] })),
  one("POST: a name of 1,025 characters is a 400", refused(searches, { ...search, name: "x".repeat(1025) })),
  one("POST: IN, NOT IN and BETWEEN are pinned filters, of sql by default", {
    ...created(searches, {
      ...withFilters("A IN ('a', 'b')", "A NOT IN ('a', 'b')", "A BETWEEN 100 AND 5000"),
      tags: []
    }),
    has: withFilters("A IN ('a', 'b')", "A NOT IN ('a', 'b')", "A BETWEEN 100 AND 5000").filters
  }),
  one(
    "POST: filters of lucene or sql_ast are a 400",
    refused(searches, { ...search, filters: [{ type: "lucene", condition: "a:b" }] }),
    refused(searches, { ...search, filters: [{ type: "sql_ast", operator: "=", left: "A", right: "'x'" }] })
  ),
  one("POST: a comparison is no pinned filter", refused(searches, withFilters("A = 'a'"))),
  one(
    "POST: a compound condition is no pinned filter",
    refused(searches, withFilters("A IN ('a') AND foo = 1")),
    refused(searches, withFilters("A IN ('a') AND B IN ('b')"))
  ),
  one(
    "POST: a range of texts is no pinned filter",
    refused(searches, withFilters("A BETWEEN '2024-01-01' AND '2024-02-01'"))
  ),
  one(
    "POST: 101 filters are a 400",
    refused(searches, withFilters(...Array.from({ length: 101 }, () => "A IN ('a')")))
  ),
  one("POST: a condition of 8,193 characters is a 400", refused(searches, withFilters("x".repeat(8193)))),
  ...Object.entries({ select: 4096, where: 8192, orderBy: 1024 }).map(([field, max]) =>
    one(
      `POST: ${field} of ${max + 1} characters is a 400`,
      refused(searches, { ...search, [field]: "x".repeat(max + 1) })
    )
  ),
  one("GET: the list has those of the team alone", { request: ["GET", searches], status: 200, length: 2 }),
  one("GET: the list has as many as the limit", { request: ["GET", `${searches}?limit=1`], status: 200, length: 1 }),
  badPages(searches),
  ...pages(searches, [search, search, search], 2),
  one("GET: one by its id", created(searches, search), {
    request: ["GET", `${searches}/{id}`],
    status: 200,
    has: { name: search.name }
  }),
  one("GET: one of another team is a 404", { request: ["GET", `${searches}/${foreign.savedSearch}`], status: 404 }),
  one(
    "PUT: a filter that was stored stays, and a new one like it is a 400",
    {
      request: [
        "PUT",
        `${searches}/${held.legacySearch}`,
        { name: "x", sourceId, filters: [{ type: "lucene", condition: "level:error" }] }
      ],
      status: 200,
      has: [{ type: "lucene", condition: "level:error" }]
    },
    {
      request: [
        "PUT",
        `${searches}/${held.legacySearch}`,
        {
          name: "x",
          sourceId,
          filters: [
            { type: "lucene", condition: "level:error" },
            { type: "lucene", condition: "status:500" }
          ]
        }
      ],
      status: 400
    }
  ),
  one("PUT: fields are replaced", created(searches, search), {
    request: ["PUT", `${searches}/{id}`, { ...search, name: "Renamed", where: "Body:timeout" }],
    status: 200,
    has: { name: "Renamed", where: "Body:timeout" }
  }),
  one(
    "PUT: what is left out is set to its default",
    created(searches, { ...search, whereLanguage: "sql", where: "x = 1" }),
    {
      request: ["PUT", `${searches}/{id}`, { name: "Minimal", sourceId }],
      status: 200,
      has: { name: "Minimal", select: "", where: "", whereLanguage: "lucene", orderBy: "", tags: [], filters: [] }
    }
  ),
  one("PUT: one of another team is a 404", {
    request: ["PUT", `${searches}/${foreign.savedSearch}`, search],
    status: 404
  }),
  one("PUT: an unknown source is a 400", created(searches, search), {
    request: ["PUT", `${searches}/{id}`, { ...search, sourceId: none }],
    status: 400,
    text: /existing source/i
  }),
  one(
    "DELETE: it is gone",
    created(searches, search),
    { request: ["DELETE", `${searches}/{id}`], status: 200 },
    { request: ["GET", `${searches}/{id}`], status: 404 }
  ),
  one("DELETE: one of another team is a 404", {
    request: ["DELETE", `${searches}/${foreign.savedSearch}`],
    status: 404
  }),
  one(
    "DELETE: its alerts are gone, too",
    { request: ["DELETE", `${searches}/${namedDocuments.savedSearches[0].id}`], status: 200 },
    { request: ["GET", "/api/v2/alerts"], status: 200, length: 0 }
  )
]

const webhooks = "/api/v2/webhooks"
const slack = { name: "Slack", service: "slack", url: "https://hooks.slack.com/services/T0/B0/X", description: "d" }
const incidentio = { name: "Incident", service: "incidentio", url: "https://api.incident.io/v2/x?token=X" }
const generic = {
  name: "Generic",
  service: "generic",
  url: "https://example.com/webhook",
  description: "d",
  headers: { "X-Custom-Header": "v" },
  body: '{"text": "{{title}}"}'
}
const changedTo = (body: object, status = 200): Step => ({
  request: ["PUT", `${webhooks}/{id}`, body],
  status,
  ...(status === 200 ? { lacks: ["headers", "queryParams"] } : {})
})
const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`X-${index}`, "v"]))

export const webhookTests: ReadonlyArray<UpstreamTest> = [
  ...pages(
    webhooks,
    [1, 2, 3].map((index) => ({ ...slack, name: `Webhook ${index}` })),
    2
  ),
  badPages(webhooks),
  one(
    "GET: webhooks of every service, without their headers",
    created(webhooks, slack),
    created(webhooks, incidentio),
    created(webhooks, generic),
    { request: ["GET", webhooks], status: 200, length: 5, text: /Slack.*Incident.*Generic/, lacks: ["headers"] }
  ),
  one("GET: a webhook of an earlier version has what it has, and no headers", {
    request: ["GET", `${webhooks}/${held.legacyWebhook}`],
    status: 200,
    has: { name: "Minimal", service: "slack" },
    lacks: ["url", "description", "headers", "body"]
  }),
  one("GET: the list has those of the team alone", { request: ["GET", webhooks], status: 200, length: 2 }),
  anonymous("GET", webhooks),
  anonymous("POST", webhooks),
  ...[slack, incidentio, generic].map((body) =>
    one(`POST: a webhook of ${body.service} is answered with its times and without its secrets`, {
      ...created(webhooks, body),
      has: { name: body.name, service: body.service, url: body.url },
      lacks: ["headers", "queryParams"],
      text: /"createdAt":"\d{4}-.*"updatedAt":"\d{4}-/
    })
  ),
  one("POST: a service and name that are taken are a 400", created(webhooks, slack), {
    ...refused(webhooks, slack, /already exists/i)
  }),
  one("POST: a malformed URL is a 400", refused(webhooks, { ...slack, url: "not-a-url" })),
  one(
    "POST: a private URL is a 400",
    refused(webhooks, { ...generic, url: "http://10.0.0.1/webhook" }, /private or reserved address/)
  ),
  ...["headers", "queryParams", "body"].map((field) =>
    one(
      `POST: ${field} of a webhook of slack is a 400`,
      refused(webhooks, { ...slack, [field]: field === "body" ? "x" : { a: "b" } }, /not supported/i)
    )
  ),
  ...[{ "X-Bad": "a\nb" }, { "X-Bad@Name": "v" }, { "X-Bad:Name": "v" }, { "1-Header": "v" }, { "": "v" }].map(
    (headers) => one(`POST: the header ${JSON.stringify(headers)} is a 400`, refused(webhooks, { ...generic, headers }))
  ),
  ...[{ token: "a\r\nX: b" }, { "bad\nkey": "v" }].map((queryParams) =>
    one(`POST: the parameter ${JSON.stringify(queryParams)} is a 400`, refused(webhooks, { ...generic, queryParams }))
  ),
  ...[
    { name: "x".repeat(1025) },
    { url: `https://example.com/${"a".repeat(2049)}` },
    { description: "x".repeat(2049) },
    { body: "x".repeat(16_385) },
    { headers: { a: "x".repeat(4097) } },
    { queryParams: { a: "x".repeat(4097) } },
    { headers: many },
    { queryParams: many }
  ].map((field, index) =>
    one(
      `POST: ${Object.keys(field).join()} that is too long is a 400 (${index})`,
      refused(webhooks, { ...generic, ...field })
    )
  ),
  one(
    "PUT: a private URL is a 400",
    created(webhooks, generic),
    changedTo({ ...generic, url: "http://[fd00::1]/webhook" }, 400)
  ),
  one("PUT: fields that are left out are gone", created(webhooks, generic), {
    ...changedTo({ name: "Renamed", service: "generic", url: generic.url }),
    lacks: ["headers", "queryParams", "body", "description"]
  }),
  // What becomes of the secrets is seen in the store alone: it is a law of webhooks.
  one(
    "PUT: headers are sent again, changed with the URL, or emptied",
    created(webhooks, generic),
    changedTo({ ...generic, url: "https://example.com/other", headers: undefined }),
    changedTo({ ...generic, url: "https://example.com/new", headers: { Authorization: "new" } }),
    changedTo({ ...generic, headers: {} })
  ),
  one("PUT: another service", created(webhooks, generic), changedTo({ ...slack, name: "Generic" })),
  one(
    "PUT: a service and name that are taken are a 400",
    created(webhooks, slack),
    created(webhooks, { ...slack, name: "Another" }),
    changedTo(slack, 400)
  ),
  ...[foreign.webhook, none].map((id) =>
    one(`PUT: ${id === none ? "an unknown one" : "one of another team"} is a 404`, {
      request: ["PUT", `${webhooks}/${id}`, slack],
      status: 404
    })
  ),
  one(
    "DELETE: it is gone",
    created(webhooks, slack),
    { request: ["DELETE", `${webhooks}/{id}`], status: 200 },
    { request: ["GET", `${webhooks}/{id}`], status: 404 }
  ),
  one("DELETE: one of another team is a 404", { request: ["DELETE", `${webhooks}/${foreign.webhook}`], status: 404 }),
  one("DELETE: one that an alert references is a 409", {
    request: ["DELETE", `${webhooks}/${namedDocuments.webhooks[0].id}`],
    status: 409,
    text: /still reference/i
  })
]

const alerts = "/api/v2/alerts"
const channel = documentRequests.alert.channel
const tile = {
  dashboardId: held.dashboard,
  tileId: "t1",
  threshold: 100,
  interval: "1h",
  source: "tile",
  thresholdType: "above",
  channel,
  name: "Test Alert",
  message: "Test Alert Message"
}
const ofSearch = { ...documentRequests.alert, source: "saved_search", name: "Saved Search Alert" }
// The clock of a test stands at the beginning of 1970.
const inDays = (days: number) => new Date(days * 86_400_000).toISOString()
const put = (body: object, status = 200, has?: object): Step => ({
  request: ["PUT", `${alerts}/{id}`, body],
  status,
  ...(has === undefined ? {} : { has })
})
const got = (has: object): Step => ({ request: ["GET", `${alerts}/{id}`], status: 200, has })
const range = { ...tile, threshold: 50, thresholdMax: 200, thresholdType: "between" }

export const alertTests: ReadonlyArray<UpstreamTest> = [
  one(
    "an answer has every field, and is the same when it is read",
    {
      ...created(alerts, tile),
      has: {
        ...tile,
        note: null,
        numConsecutiveWindows: null,
        channels: [channel],
        displayName: "Chart 1",
        tags: [],
        state: "OK"
      },
      text: /"teamId":".*"createdAt":"\d{4}-.*"updatedAt":"\d{4}-/
    },
    got(tile),
    { request: ["GET", alerts], status: 200, length: 2 },
    { request: ["DELETE", `${alerts}/{id}`], status: 200, text: /^\{\}$/ }
  ),
  one("POST: an alert on a tile", {
    ...created(alerts, tile),
    has: { threshold: 100, interval: "1h", name: "Test Alert" }
  }),
  one("POST: missing fields are a 400", refused(alerts, { name: "Invalid", message: "x" }, /message/)),
  one(
    "POST: an offset beside a start is a 400",
    refused(alerts, { ...tile, scheduleOffsetMinutes: 2, scheduleStartAt: inDays(0) })
  ),
  one("POST: a start in more than a year is a 400", refused(alerts, { ...tile, scheduleStartAt: inDays(366) })),
  one("POST: alerts on several tiles", ...["t1", "t2", "t3"].map((tileId) => created(alerts, { ...tile, tileId })), {
    request: ["GET", alerts],
    status: 200,
    length: 4,
    text: /"t1".*"t2".*"t3"/
  }),
  one("GET: one by its id", created(alerts, tile), got({ name: "Test Alert" })),
  one("GET: an unknown one is a 404", { request: ["GET", `${alerts}/${none}`], status: 404 }),
  one("GET: all alerts", ...["First", "Second", "Third"].map((name) => created(alerts, { ...tile, name })), {
    request: ["GET", alerts],
    status: 200,
    length: 4,
    text: /First.*Second.*Third/
  }),
  ...pages(alerts, [tile, tile, tile], 1),
  badPages(alerts),
  one(
    "PUT: fields are replaced",
    created(alerts, tile),
    put({ ...tile, name: "Updated", threshold: 500, message: "m" }),
    got({ name: "Updated", threshold: 500, message: "m" })
  ),
  one(
    "PUT: an offset beside a start is a 400",
    created(alerts, tile),
    put({ ...tile, scheduleOffsetMinutes: 2, scheduleStartAt: inDays(0) }, 400)
  ),
  one(
    "DELETE: it is gone",
    created(alerts, tile),
    { request: ["DELETE", `${alerts}/{id}`], status: 200 },
    { request: ["GET", `${alerts}/{id}`], status: 404 },
    { request: ["GET", alerts], status: 200, length: 1 }
  ),
  one("DELETE: an unknown one is a 404 of JSON", {
    request: ["DELETE", `${alerts}/${none}`],
    status: 404,
    text: /^\{"message":"Alert not found"\}$/
  }),
  ...[none, foreign.webhook].map((webhookId) =>
    one(
      `POST: ${webhookId === none ? "an unknown webhook" : "a webhook of another team"} is a 400`,
      refused(alerts, { ...tile, channel: { ...channel, webhookId } })
    )
  ),
  one(
    "PUT: a webhook of another team is a 400",
    created(alerts, tile),
    put({ ...tile, channel: { ...channel, webhookId: foreign.webhook } }, 400)
  ),
  ...[none, foreign.dashboard].map((dashboardId) =>
    one(
      `POST: ${dashboardId === none ? "an unknown dashboard" : "a dashboard of another team"} is a 400`,
      refused(alerts, { ...tile, dashboardId })
    )
  ),
  one(
    "PUT: a dashboard of another team is a 400",
    created(alerts, tile),
    put({ ...tile, dashboardId: foreign.dashboard }, 400)
  ),
  ...["sqlLine", "sqlNumber"].map((tileId) =>
    one(`POST: an alert on the tile ${tileId} of SQL`, {
      ...created(alerts, { ...tile, tileId }),
      has: { dashboardId: held.dashboard, tileId }
    })
  ),
  ...["sqlTable", "sqlPlain"].map((tileId) =>
    one(`POST: the tile ${tileId} of SQL is a 400`, refused(alerts, { ...tile, tileId }))
  ),
  one("PUT: a table of SQL is a 400", created(alerts, tile), put({ ...tile, tileId: "sqlTable" }, 400)),
  ...[none, foreign.savedSearch].map((savedSearchId) =>
    one(
      `POST: ${savedSearchId === none ? "an unknown saved search" : "a saved search of another team"} is a 400`,
      refused(alerts, { ...ofSearch, savedSearchId })
    )
  ),
  one("POST: an alert on a saved search", {
    ...created(alerts, ofSearch),
    has: { source: "saved_search", savedSearchId: ofSearch.savedSearchId }
  }),
  one(
    "PUT: a saved search of another team is a 400",
    created(alerts, ofSearch),
    put({ ...ofSearch, savedSearchId: foreign.savedSearch }, 400)
  ),
  ...["between", "not_between"].map((thresholdType) =>
    one(`POST: a range of ${thresholdType}`, {
      ...created(alerts, { ...range, thresholdType }),
      has: { threshold: 50, thresholdMax: 200, thresholdType }
    })
  ),
  one("POST: a range without its end is a 400", refused(alerts, { ...range, thresholdMax: undefined })),
  one("POST: a range that ends before its start is a 400", refused(alerts, { ...range, thresholdMax: 49 })),
  one("POST: a range of one value", {
    ...created(alerts, { ...range, thresholdMax: 50 }),
    has: { threshold: 50, thresholdMax: 50 }
  }),
  one("PUT: a range", created(alerts, tile), put(range, 200, { thresholdMax: 200, thresholdType: "between" })),
  one("GET: a range", created(alerts, range), got({ threshold: 50, thresholdMax: 200, thresholdType: "between" })),
  anonymous("GET", `${alerts}/${none}`),
  one("GET: errors that were recorded", {
    request: ["GET", `${alerts}/${held.failedAlert}`],
    status: 200,
    has: { executionErrors }
  }),
  one("GET: errors that were recorded, in the list", { request: ["GET", alerts], status: 200, text: /QUERY_ERROR/ }),
  one("POST: intervals in a row", {
    ...created(alerts, { ...tile, numConsecutiveWindows: 3 }),
    has: { numConsecutiveWindows: 3 }
  }),
  one("POST: intervals in a row are null by default", {
    ...created(alerts, tile),
    has: { numConsecutiveWindows: null }
  }),
  one("POST: no interval in a row is a 400", refused(alerts, { ...tile, numConsecutiveWindows: 0 })),
  one(
    "GET: intervals in a row",
    created(alerts, { ...tile, numConsecutiveWindows: 5 }),
    got({ numConsecutiveWindows: 5 })
  ),
  one("GET: intervals in a row, in the list", created(alerts, { ...tile, numConsecutiveWindows: 4 }), {
    request: ["GET", alerts],
    status: 200,
    text: /"numConsecutiveWindows":4/
  }),
  one(
    "PUT: intervals in a row",
    created(alerts, tile),
    put({ ...tile, numConsecutiveWindows: 2 }),
    got({ numConsecutiveWindows: 2 })
  ),
  one(
    "PUT: intervals in a row, back to null",
    created(alerts, { ...tile, numConsecutiveWindows: 3 }),
    put({ ...tile, numConsecutiveWindows: null }),
    got({ numConsecutiveWindows: null })
  )
]
