// What the real dashboards service answered, in the era of the contract ("seed") and today.

/** A recorded answer, and what a client makes of it. */
export interface RecordedCase {
  readonly era: "seed" | "today" | "both"
  readonly call: "list" | "create"
  /** The name of the dashboard to create. */
  readonly name?: string
  readonly answer: {
    readonly status: number
    readonly type: "application/json; charset=utf-8" | "text/plain; charset=utf-8" | "text/html; charset=utf-8"
    readonly body: string
    readonly headers?: Readonly<Record<string, string>>
  }
  /** The ids that a client reads, and how many elements it leaves out. */
  readonly reads?: { readonly ids: ReadonlyArray<string>; readonly leftOut?: number }
  /** The error that a client reports: its tag, words of its message, and the paths of its issues. */
  readonly fails?: { readonly tag: string; readonly words: string; readonly paths?: ReadonlyArray<string> }
}

export const json = (status: number, body: unknown): RecordedCase["answer"] => ({
  status,
  type: "application/json; charset=utf-8",
  body: JSON.stringify(body)
})
export const text = (status: number, body: string): RecordedCase["answer"] => ({
  status,
  type: "text/plain; charset=utf-8",
  body
})
const html = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {}
): RecordedCase["answer"] => ({
  status,
  type: "text/html; charset=utf-8",
  body,
  headers
})

const page = (words: string) =>
  `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>${words}</pre>\n</body>\n</html>\n`

/** A refusal of so many bytes that names one field after another. */
const refusal = (bytes: number): { readonly message: string; readonly paths: ReadonlyArray<string> } => {
  const issues: Array<string> = []
  const paths: Array<string> = []
  const message = () => `Body validation failed: ${issues.join("; ")}`
  for (let tile = 0; message().length < bytes - 60; tile++) {
    issues.push(`tiles.${tile}.config.displayType: Required`)
    paths.push(`tiles[${tile}].config.displayType`)
  }
  issues.push(`tags: ${"Expected array".padEnd(bytes - message().length - "; tags: ".length, ".")}`)
  return { message: message(), paths: [...paths, "tags"] }
}
const short = refusal(264)
const long = refusal(4096)

const seedTile = {
  id: "65f5e4a3b9e77c001a901234",
  name: "API Request Volume",
  x: 0,
  y: 0,
  w: 6,
  h: 3,
  seriesReturnType: "column",
  series: [{ type: "time", table: "logs", aggFn: "count", where: "service:api", whereLanguage: "lucene", groupBy: [] }]
}
const todaysTile = {
  id: "65f5e4a3b9e77c001a901235",
  x: 0,
  y: 0,
  w: 6,
  h: 3,
  name: "Volume",
  config: {
    displayType: "line",
    sourceId: "65f5e4a3b9e77c001a901236",
    select: [{ valueExpression: "", aggFn: "count", where: "", whereLanguage: "lucene" }],
    asRatio: false,
    fillNulls: true
  }
}
const rest = { filters: [], savedQuery: null, savedQueryLanguage: null, savedFilterValues: [] }
const seedDashboard = { id: "65f5e4a3b9e77c001a567890", name: "API", tiles: [seedTile], tags: ["api"] }
const todaysDashboard = { id: "65f5e4a3b9e77c001a567891", name: "Today", tiles: [todaysTile], tags: [], ...rest }

/** Every recorded case by its name. */
export const recordedCases: Readonly<Record<string, RecordedCase>> = {
  "unknown-token": {
    era: "both",
    call: "list",
    answer: text(401, "Unauthorized"),
    fails: { tag: "Unauthorized", words: "credentials: Unauthorized;" }
  },
  "no-team": {
    era: "both",
    call: "list",
    answer: text(403, "Forbidden"),
    fails: { tag: "Forbidden", words: "do not allow this: Forbidden;" }
  },
  "unknown-path": {
    era: "both",
    call: "list",
    answer: html(404, page("Cannot GET /api/v2/dashboards")),
    fails: { tag: "UnexpectedResponse", words: "HTTP status 404: Error Cannot GET /api/v2/dashboards" }
  },
  "too-many-requests": {
    era: "both",
    call: "list",
    answer: html(429, "Too many requests, please try again later.", {
      "Retry-After": "60",
      "RateLimit-Limit": "100",
      "RateLimit-Remaining": "0",
      "RateLimit-Reset": "60"
    }),
    fails: { tag: "RateLimited", words: "please try again later.; try again in 1m" }
  },
  failure: {
    era: "both",
    call: "list",
    answer: json(500, { message: "Something went wrong :(" }),
    fails: { tag: "ServerError", words: "Something went wrong :(" }
  },
  "body-too-large": {
    era: "both",
    call: "create",
    name: "large",
    answer: json(413, { message: "Something went wrong :(" }),
    fails: { tag: "InvalidRequest", words: "Something went wrong :(", paths: [] }
  },
  "renamed-fields": {
    era: "seed",
    call: "list",
    answer: json(200, { data: [seedDashboard] }),
    reads: { ids: [seedDashboard.id] }
  },
  "null-fields": {
    era: "seed",
    call: "list",
    answer: json(200, {
      data: [{ ...seedDashboard, tags: null, tiles: [{ ...seedTile, name: null, series: [{ field: null }] }] }]
    }),
    reads: { ids: [seedDashboard.id] }
  },
  "config-tiles": {
    era: "today",
    call: "list",
    answer: json(200, { data: [todaysDashboard] }),
    reads: { ids: [todaysDashboard.id] }
  },
  "empty-tile-id": {
    era: "today",
    call: "list",
    answer: json(200, { data: [{ ...todaysDashboard, tiles: [{ ...todaysTile, id: "" }] }] }),
    reads: { ids: [todaysDashboard.id] }
  },
  "odd-elements": {
    era: "today",
    call: "list",
    answer: json(200, { data: [{ ...seedDashboard, name: null }, todaysDashboard, { ...seedDashboard, tiles: {} }] }),
    reads: { ids: [todaysDashboard.id], leftOut: 2 }
  },
  created: {
    era: "both",
    call: "create",
    name: "E",
    answer: json(200, { data: { id: "65f5e4a3b9e77c001a567892", name: "E", tiles: [], tags: [], ...rest } }),
    reads: { ids: ["65f5e4a3b9e77c001a567892"] }
  },
  "refused-in-264-bytes": {
    era: "both",
    call: "create",
    name: "short",
    answer: json(400, { message: short.message }),
    fails: { tag: "InvalidRequest", words: short.message, paths: short.paths }
  },
  "refused-in-4-kib": {
    era: "today",
    call: "create",
    name: "long",
    answer: json(400, { message: long.message }),
    fails: { tag: "InvalidRequest", words: long.message, paths: long.paths }
  },
  "refused-for-a-source": {
    era: "today",
    call: "create",
    name: "source",
    answer: json(400, { message: "Could not find the following source IDs: 65f5e4a3b9e77c001a901236" }),
    fails: { tag: "InvalidRequest", words: "following source IDs: 65f5e4a3b9e77c001a901236", paths: [] }
  }
}
