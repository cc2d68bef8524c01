// What the tests of `POST /api/v2/search` of the real service send and expect (HyperDX, commit 52ee76db).
import type { CaseContext, UpstreamCase } from "./Case.ts"

const iso = (ms: number) => new Date(ms).toISOString()

/** A search of the logs in the range of the run. */
const search =
  (fields: object | ((context: CaseContext) => object) = {}) =>
  (context: CaseContext) => ({
    sourceId: context.logs,
    startTime: iso(context.start),
    endTime: iso(context.end),
    ...(typeof fields === "function" ? fields(context) : fields)
  })

const badRequest = { status: 400, has: ["message"] }
const notFound = { status: 404, has: ["message"] }
const three = "Timestamp,SeverityText,Body"
const errors = { status: 200, atLeast: 1, every: { SeverityText: "ERROR" } }
const farPast = Date.UTC(2000, 0, 1)

const refused: ReadonlyArray<UpstreamCase> = [
  {
    name: "returns 400 when sourceId is missing",
    body: ({ end, start }) => ({ startTime: iso(start), endTime: iso(end) }),
    expected: badRequest
  },
  {
    name: "returns 400 when sourceId is not a valid ObjectId",
    body: search({ sourceId: "not-an-objectid" }),
    expected: badRequest
  },
  {
    name: "returns 400 when startTime is not a valid ISO string",
    body: search({ startTime: "not-a-date" }),
    expected: badRequest
  },
  {
    name: "returns 400 when startTime is after endTime",
    body: search(({ end, start }) => ({ startTime: iso(end), endTime: iso(start) })),
    expected: badRequest
  },
  {
    name: "returns 400 when where exceeds 8192 characters",
    body: search({ where: "x".repeat(8 * 1024 + 1) }),
    expected: badRequest
  },
  {
    name: "returns 400 when select exceeds 4096 characters",
    body: search({ select: "x".repeat(4 * 1024 + 1) }),
    expected: badRequest
  },
  { name: "returns 400 when offset exceeds 10000", body: search({ offset: 10_001 }), expected: badRequest },
  { name: "returns 400 when maxResults exceeds 2000", body: search({ maxResults: 9999 }), expected: badRequest },
  {
    name: "returns 401 when no auth token is provided",
    authorized: false,
    body: search(),
    expected: { status: 401 }
  },
  {
    name: "returns 404 when sourceId does not exist",
    body: search({ sourceId: "000000000000000000000000" }),
    expected: notFound
  },
  {
    name: "returns 404 when the connection for a source no longer exists",
    body: search(({ orphan }) => ({ sourceId: orphan })),
    expected: notFound
  },
  {
    name: "uses { message } envelope for 4xx errors",
    body: () => ({ sourceId: "not-an-objectid" }),
    expected: { ...badRequest, lacks: ["error"] }
  },
  {
    name: "uses { message } envelope for 404 errors",
    body: search({ sourceId: "000000000000000000000000" }),
    expected: { ...notFound, lacks: ["error"] }
  },
  {
    name: "returns 400 when whereLanguage is not lucene or sql",
    body: search({ whereLanguage: "graphql" }),
    expected: badRequest
  },
  {
    name: "returns 400 when select contains a semicolon",
    body: search({ select: "Timestamp; DROP TABLE otel_logs" }),
    expected: badRequest
  },
  {
    name: "returns 400 when select contains a SELECT subquery",
    body: search({ select: "(SELECT max(Timestamp) FROM system.tables)" }),
    expected: badRequest
  },
  {
    name: "returns 404 when sourceId belongs to a different team",
    body: search(({ foreign }) => ({ sourceId: foreign })),
    expected: notFound
  }
]

const answered: ReadonlyArray<UpstreamCase> = [
  {
    name: "returns rows from the source with default settings",
    body: search(),
    expected: { status: 200, has: ["data", "rows"], atLeast: 1, counted: true }
  },
  {
    name: "returns flat row objects with column names as top-level keys (not a nested envelope)",
    body: search({ select: three }),
    expected: { status: 200, atLeast: 1, texts: ["Timestamp", "SeverityText", "Body"] }
  },
  {
    name: "returns exactly the requested select columns and no others",
    body: search({ select: three }),
    expected: { status: 200, atLeast: 1, fields: ["Body", "SeverityText", "Timestamp"], only: true }
  },
  {
    name: "filters rows by Lucene where clause",
    body: search({ where: "SeverityText:ERROR", select: "SeverityText,Body", whereLanguage: "lucene" }),
    expected: errors
  },
  { name: "respects maxResults", body: search({ maxResults: 1 }), expected: { status: 200, atMost: 1 } },
  {
    name: "respects offset for pagination with deterministic DESC timestamp ordering",
    body: search({ maxResults: 2, offset: 0, select: three }),
    expected: { status: 200, length: 2, thenSecond: search({ maxResults: 1, offset: 1, select: three }) }
  },
  {
    name: "supports SQL where language",
    body: search({ where: "SeverityText = 'ERROR'", whereLanguage: "sql", select: "SeverityText,Body" }),
    expected: errors
  },
  {
    name: "defaults whereLanguage to lucene when omitted",
    body: search({ where: "SeverityText:ERROR", select: "SeverityText,Body" }),
    expected: errors
  },
  {
    name: "returns empty data when time range has no matching rows",
    body: search({ startTime: iso(farPast), endTime: iso(farPast + 60_000) }),
    expected: { status: 200, length: 0, counted: true }
  },
  {
    name: "accepts maxResults at the upper boundary of 2000",
    body: search({ maxResults: 2000 }),
    expected: { status: 200, has: ["data"] }
  },
  {
    name: "accepts offset at the upper boundary of 10000",
    body: search({ offset: 10_000 }),
    expected: { status: 200, length: 0 }
  },
  {
    name: "applies maxResults default of 100 when omitted",
    body: search(),
    // There are 104.
    expected: { status: 200, length: 100, counted: true }
  }
]

export const searchCases = [...refused, ...answered]

/** The rows that they are about. `end`: that of the range, in milliseconds since 1970. */
export const searchRows = (end: number, timeOf: (ms: number) => string) => {
  const at = end - 10_000
  const log = (ms: number, ServiceName: string, SeverityText: string, Body: string) => ({
    ServiceName,
    Timestamp: timeOf(ms),
    SeverityText,
    Body
  })
  return [
    log(at, "search-svc", "INFO", "hello from search test"),
    log(at + 1000, "search-svc", "ERROR", "error in search test"),
    log(at + 2000, "other-svc", "INFO", "other service log"),
    ...Array.from({ length: 101 }, (_, index) => log(end - 100_000 + index * 10, "cap-svc", "DEBUG", `row ${index}`))
  ]
}
