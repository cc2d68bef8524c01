import { deepStrictEqual } from "node:assert/strict"
import { basic, bearer, dashboardsPath, keysPath, pipePath } from "./Scenario.ts"
import { dashboardBody, first, keyBody, organizations } from "./World.ts"

interface Asked {
  readonly what: string
  readonly path: string
  readonly authorization?: string
  readonly body?: string
  readonly status: number
}

const second = organizations[1] ?? first
const admin = basic(first)
const token = bearer(first)

const key = (what: string, status: number, body: unknown): Asked => ({
  what: `POST key, ${what}`,
  path: keysPath(first),
  authorization: admin,
  body: typeof body === "string" ? body : JSON.stringify(body),
  status
})

const dashboard = (what: string, status: number, body: unknown): Asked => ({
  what: `POST dashboard, ${what}`,
  path: dashboardsPath,
  authorization: token,
  body: typeof body === "string" ? body : JSON.stringify(body),
  status
})

/** What every contestant must answer alike before any of them is measured. */
const questions: ReadonlyArray<Asked> = [
  { what: "GET pipe", path: pipePath(), authorization: admin, status: 200 },
  { what: "GET pipe, none there", path: pipePath(first.id), authorization: admin, status: 404 },
  { what: "GET pipe, no UUID", path: pipePath("no-uuid"), authorization: admin, status: 400 },
  { what: "GET pipe, no credentials", path: pipePath(), status: 401 },
  {
    what: "GET pipe, wrong secret",
    path: pipePath(),
    authorization: basic({ ...first, keySecret: second.keySecret }),
    status: 401
  },
  {
    what: "GET pipe, unknown key",
    path: pipePath(),
    authorization: basic({ ...first, keyId: "nobody" }),
    status: 401
  },
  { what: "GET pipe, another's key", path: pipePath(), authorization: basic(second), status: 403 },
  key("good", 200, keyBody),
  key("no name", 400, { roles: ["admin"] }),
  key("no JSON", 400, "{"),
  key("expired already", 400, { ...keyBody, expireAt: "2020-01-01T00:00:00Z" }),
  key("a source that is no address", 400, { ...keyBody, ipAccessList: [{ source: "192.0.2.0/33" }] }),
  { ...key("wrong secret", 401, keyBody), authorization: basic({ ...first, keySecret: second.keySecret }) },
  dashboard("good", 200, dashboardBody),
  dashboard("a tile without w", 400, { name: "x", tiles: [{ x: 0, y: 0, h: 1 }] }),
  dashboard("no JSON", 400, "{"),
  { ...dashboard("wrong token", 401, dashboardBody), authorization: bearer({ ...first, token: "hgt_nobody" }) }
]

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const secretShapes: Readonly<Record<string, RegExp>> = {
  requestId: uuid,
  id: uuid,
  createdAt: instant,
  keyId: /^[0-9A-Za-z]{20}$/,
  keySecret: /^hgs_[0-9A-Za-z]{40}$/,
  keySuffix: /^[0-9A-Za-z]{4}$/
}

/** What differs from answer to answer becomes its shape: an id is an id, whichever. */
const shapeOf = (text: string): unknown =>
  JSON.parse(text, (name, value) => (secretShapes[name]?.test(value) === true ? `<${name}>` : value))

const ask = async (url: string, { authorization, body, path }: Asked) => {
  const response = await fetch(new URL(path, url), {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body })
  })
  return { response, shape: shapeOf(await response.text()) }
}

const expectedHeaders: Readonly<Record<string, RegExp>> = {
  "content-type": /^application\/json/,
  "content-length": /^\d+$/,
  "x-request-id": uuid,
  "cache-control": /^no-store$/,
  "x-content-type-options": /^nosniff$/
}

/**
 * Holds that all contestants give the same answers, in the same headers: JSON deep-equal but for what is fresh in each,
 * and the same status where a call is refused. Rejects with what differs.
 */
export const verify = async (servers: ReadonlyArray<{ readonly name: string; readonly url: string }>) => {
  for (const question of questions) {
    const { status, what } = question
    const answers = await Promise.all(
      servers.map(async ({ name, url }) => {
        const { response, shape } = await ask(url, question)
        if (response.status !== status) throw new Error(`${name}: ${what}: ${response.status}, expected ${status}`)
        for (const [header, expected] of Object.entries(expectedHeaders)) {
          const value = response.headers.get(header) ?? ""
          if (!expected.test(value)) throw new Error(`${name}: ${what}: the header ${header} is "${value}"`)
        }
        return { name, shape }
      })
    )
    const [reference] = answers
    if (status !== 200 || reference === undefined) continue
    for (const { name, shape } of answers) {
      deepStrictEqual(shape, reference.shape, `${name} answers ${what} otherwise than ${reference.name}`)
    }
  }
  return questions.length
}
