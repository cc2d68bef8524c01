import { basic, bearer, dashboardsPath, keysPath, pipePath, pipesPath } from "@headgate/harness/Snapshot"
import { deepStrictEqual } from "node:assert/strict"
import { scenarios } from "./scenarios.ts"
import { dashboardBody, first, keyBody, movedPipes, pipeId, replacedDashboards, second, third } from "./environment.ts"

interface Request {
  readonly what: string
  /** GET, or POST with a body, unless it is another. */
  readonly method?: string
  readonly path: string
  readonly authorization?: string
  readonly body?: unknown
  readonly status: number
}

const admin = basic(first.keyId, first.keySecret)
const wrongSecret = basic(first.keyId, second.keySecret)
const pipe = pipePath(first, pipeId)

const key = (what: string, status: number, body: unknown, authorization = admin): Request => {
  return { what: `POST key, ${what}`, path: keysPath(first), authorization, body, status }
}
const dashboard = (what: string, status: number, body: unknown, authorization = bearer(first.token)): Request => {
  return { what: `POST dashboard, ${what}`, path: dashboardsPath, authorization, body, status }
}

const [movedPipe = ""] = movedPipes
const state = (what: string, status: number, body: unknown, authorization?: string, id = movedPipe): Request => ({
  what: `PATCH state, ${what}`,
  method: "PATCH",
  path: `${pipePath(third, id)}/state`,
  authorization: authorization ?? basic(third.keyId, third.keySecret),
  body,
  status
})

const replaced = (what: string, status: number, body: unknown, token = third.token): Request => ({
  what: `PUT dashboard, ${what}`,
  method: "PUT",
  path: `${dashboardsPath}/${replacedDashboards[0]?.id}`,
  authorization: bearer(token),
  body,
  status
})

/** Requests that every contestant must answer alike before any is measured. */
const requests: ReadonlyArray<Request> = [
  { what: "GET pipe", path: pipe, authorization: admin, status: 200 },
  { what: "GET pipe, unknown", path: pipePath(first, first.id), authorization: admin, status: 404 },
  { what: "GET pipe, no UUID", path: pipePath(first, "no-uuid"), authorization: admin, status: 400 },
  { what: "GET pipe, no credentials", path: pipe, status: 401 },
  { what: "GET pipe, wrong secret", path: pipe, authorization: wrongSecret, status: 401 },
  { what: "GET pipe, unknown key", path: pipe, authorization: basic("nobody", first.keySecret), status: 401 },
  {
    what: "GET pipe, key of another organization",
    path: pipe,
    authorization: basic(second.keyId, second.keySecret),
    status: 403
  },
  ...(scenarios.get("GET list of 100 pipes") === undefined
    ? []
    : [
        {
          what: "GET list of pipes",
          path: pipesPath(second),
          authorization: basic(second.keyId, second.keySecret),
          status: 200
        },
        { what: "GET list of pipes, wrong secret", path: pipesPath(first), authorization: wrongSecret, status: 401 }
      ]),
  key("valid", 200, keyBody),
  key("no name", 400, { roles: ["admin"] }),
  key("no JSON", 400, "{"),
  key("expired", 400, { ...keyBody, expireAt: "2020-01-01T00:00:00Z" }),
  key("a source that is not an address", 400, { ...keyBody, ipAccessList: [{ source: "192.0.2.0/33" }] }),
  key("wrong secret", 401, keyBody, wrongSecret),
  dashboard("valid", 200, dashboardBody),
  dashboard("a tile without w", 400, { name: "x", tiles: [{ x: 0, y: 0, h: 1 }] }),
  dashboard("no JSON", 400, "{"),
  dashboard("wrong token", 401, dashboardBody, bearer("hgt_nobody")),
  state("resync", 200, { command: "resync" }),
  state("an unknown command", 400, { command: "pause" }),
  state("start", 400, { command: "start" }),
  state("unknown pipe", 404, { command: "resync" }, undefined, third.id),
  state("wrong secret", 401, { command: "resync" }, basic(third.keyId, first.keySecret)),
  replaced("valid", 200, dashboardBody),
  replaced("a tile without w", 400, { name: "x", tiles: [{ x: 0, y: 0, h: 1 }] }),
  replaced("of another organization", 404, dashboardBody, first.token),
  replaced("wrong token", 401, dashboardBody, "hgt_nobody")
]

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Fields whose values differ in every answer, by the shape that they must have. */
const freshValues: Readonly<Record<string, RegExp>> = {
  requestId: uuid,
  id: uuid,
  createdAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  updatedAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  keyId: /^[0-9A-Za-z]{20}$/,
  keySecret: /^hgs_[0-9A-Za-z]{40}$/,
  keySuffix: /^[0-9A-Za-z]{4}$/
}

const shapeOf = (text: string): unknown =>
  JSON.parse(text, (name, value) => (freshValues[name]?.test(value) === true ? `<${name}>` : value))

const expectedHeaders: Readonly<Record<string, RegExp>> = {
  "content-type": /^application\/json/,
  "x-request-id": uuid,
  "cache-control": /^no-store$/,
  "x-content-type-options": /^nosniff$/
}

const send = async (name: string, url: string, { authorization, body, method, path, status, what }: Request) => {
  const response = await fetch(new URL(path, url), {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })
  if (response.status !== status) throw new Error(`${name}: ${what}: ${response.status}, expected ${status}`)
  for (const [header, expected] of Object.entries(expectedHeaders)) {
    const value = response.headers.get(header) ?? ""
    if (!expected.test(value)) throw new Error(`${name}: ${what}: the header ${header} is "${value}"`)
  }
  // A server that reads a long list in pages does not know its length when it begins to answer.
  if (!response.headers.has("content-length") && response.headers.get("transfer-encoding") !== "chunked") {
    throw new Error(`${name}: ${what}: neither a content-length nor chunks`)
  }
  return { name, shape: shapeOf(await response.text()) }
}

/**
 * Checks that all contestants give the same answers with the same headers: deep-equal JSON except for fresh values, and
 * the same status for a rejection. Rejects with the difference; returns the number of requests.
 */
export const verify = async (servers: ReadonlyArray<{ readonly name: string; readonly url: string }>) => {
  for (const request of requests) {
    const answers = await Promise.all(servers.map(({ name, url }) => send(name, url, request)))
    const [reference] = answers
    if (request.status !== 200 || reference === undefined) continue
    for (const { name, shape } of answers) {
      deepStrictEqual(shape, reference.shape, `${name} and ${reference.name} answer ${request.what} differently`)
    }
  }
  return requests.length
}
