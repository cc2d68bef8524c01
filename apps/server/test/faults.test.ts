import { assert, describe, it, layer } from "@effect/vitest"
import { Snapshots } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { pathPattern } from "../src/admin/Faults.ts"
import { attempt, journal, putFaults, rawExchange } from "./support/admin.ts"
import { call, memoryServer } from "./support/liveServer.ts"
import {
  as,
  dashboardsPath,
  firstPipe,
  keysPath,
  pipePath,
  uuidV4,
  withToken,
  environment
} from "./support/environment.ts"

const authorization = as("admin")
const createKey = (name: string) => attempt(keysPath(), { authorization, body: { name } })
const readPipe = () => attempt(pipePath(firstPipe), { authorization })
const listDashboards = () => attempt(dashboardsPath, { authorization: withToken })

/** The names of the keys in the store, however they came there. */
const keyNames = Snapshots.use(({ export: held }) =>
  Effect.map(held, ({ organizations }) => organizations.flatMap(({ keys = [] }) => keys.map(({ name }) => name)))
)

// The server runs on the test's clock: a delay ends when the test says so.
const waiting = Effect.repeat(
  Effect.andThen(
    Effect.yieldNow,
    Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  ),
  { times: 200 }
)

/** Waits, on no clock, until the journal says so. */
const until = (holds: (requests: ReadonlyArray<any>) => boolean) =>
  Effect.andThen(waiting, journal()).pipe(
    Effect.repeat({ until: (requests: ReadonlyArray<any>) => holds(requests), times: 100 })
  )

const rawHead = (method: string, path: string) => [
  `${method} ${path} HTTP/1.1`,
  "host: localhost",
  `authorization: ${authorization}`
]

layer(memoryServer(environment, { admin: true }))("a fault", (it) => {
  it.effect("of a status answers in the shape of the API that was called, before credentials are looked at", () =>
    Effect.gen(function* () {
      yield* putFaults({ id: "down", match: { times: 3 }, status: 503, headers: { "Retry-After": "7" } })
      const management = yield* createKey("of a status")
      assert.strictEqual(management?.status, 503)
      assert.strictEqual(management?.headers.get("retry-after"), "7")
      assert.match(management?.headers.get("x-request-id") ?? "", uuidV4)
      assert.deepStrictEqual(management?.json, {
        status: 503,
        error: "UNAVAILABLE: fault down of /_admin/faults",
        requestId: management?.headers.get("x-request-id")
      })
      const observability = yield* attempt(dashboardsPath)
      assert.strictEqual(observability?.status, 503)
      assert.deepStrictEqual(observability?.json, { message: "fault down of /_admin/faults" })
      assert.strictEqual((yield* attempt("/no/such/path"))?.status, 503)
      assert.strictEqual((yield* readPipe())?.status, 200)
      assert.notInclude(yield* keyNames, "of a status")
    })
  )

  it.effect("has the headers of every answer, whatever its own are", () =>
    Effect.gen(function* () {
      const headers = { "X-Request-Id": "abc", "X-Content-Type-Options": "none" }
      yield* putFaults(
        { match: { times: 1 }, status: 503, headers },
        { match: { times: 1 }, status: 415, body: "<p>no</p>", headers: { ...headers, "Content-Type": "text/html" } }
      )
      const [plain, page] = [yield* readPipe(), yield* readPipe()]
      assert.strictEqual(plain?.json.requestId, plain?.headers.get("x-request-id"))
      for (const answer of [plain, page]) {
        assert.match(answer?.headers.get("x-request-id") ?? "", uuidV4)
        assert.strictEqual(answer?.headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(answer?.headers.get("cache-control"), "no-store")
      }
      assert.match(page?.headers.get("content-security-policy") ?? "", /default-src/)
    })
  )

  it.effect("of any status has its code, its challenge, or a body of its own", () =>
    Effect.gen(function* () {
      yield* putFaults(
        { match: { times: 1 }, status: 401 },
        { match: { times: 1 }, status: 415 },
        { match: { times: 1 }, status: 502 },
        { match: { times: 1 }, status: 429, body: { error: "SLOW" } },
        { match: { times: 1 }, status: 415, body: "<p>no</p>", headers: { "content-type": "text/html" } },
        { match: { times: 1 }, status: 302, headers: { location: "/elsewhere" } },
        { match: { times: 1 }, status: 204 }
      )
      const answers = yield* Effect.forEach(Array.from({ length: 5 }), () => readPipe())
      assert.deepStrictEqual(
        answers.map((answer) => [answer?.status, answer?.json?.error ?? answer?.text]),
        [
          [401, "UNAUTHORIZED: fault #1 of /_admin/faults"],
          [415, "UNSUPPORTED_MEDIA_TYPE: fault #2 of /_admin/faults"],
          [502, "BAD_GATEWAY: fault #3 of /_admin/faults"],
          [429, "SLOW"],
          [415, "<p>no</p>"]
        ]
      )
      assert.match(answers[0]?.headers.get("www-authenticate") ?? "", /^Basic /)
      assert.strictEqual(answers[4]?.headers.get("content-type"), "text/html")
      const moved = yield* rawExchange([...rawHead("GET", "/docs"), "connection: close"])
      assert.match(moved.received, /^HTTP\/1\.1 302 .*\r\nlocation: \/elsewhere\r\n/is)
      assert.deepStrictEqual([(yield* readPipe())?.status, (yield* readPipe())?.status], [204, 200])
    })
  )

  it.effect("of a status that is handled answers it after the operation took effect", () =>
    Effect.gen(function* () {
      yield* putFaults({ match: { times: 1 }, status: 500, handled: true })
      assert.strictEqual((yield* createKey("handled, and lost"))?.status, 500)
      assert.include(yield* keyNames, "handled, and lost")
    })
  )

  it.effect("that drops before resets the connection, and nothing has happened", () =>
    Effect.gen(function* () {
      yield* putFaults({ match: { times: 1 }, drop: "before" })
      const { error, received } = yield* rawExchange(rawHead("POST", keysPath()), '{"name":"dropped before"}')
      assert.deepStrictEqual([received, error], ["", "ECONNRESET"])
      assert.notInclude(yield* keyNames, "dropped before")
      const last = (yield* journal()).at(-1)
      assert.deepStrictEqual([last.outcome, last.status, last.fault], ["dropped", null, "#1"])
      assert.match(last.requestId, uuidV4)
    })
  )

  it.effect("that drops after resets the connection, and all has happened", () =>
    Effect.gen(function* () {
      yield* putFaults({ match: { times: 1 }, drop: "after" })
      const { error, received } = yield* rawExchange(rawHead("POST", keysPath()), '{"name":"dropped after"}')
      assert.deepStrictEqual([received, error], ["", "ECONNRESET"])
      assert.include(yield* keyNames, "dropped after")
      const last = (yield* journal()).at(-1)
      assert.deepStrictEqual([last.outcome, last.status], ["dropped", 200])
    })
  )

  for (const [truncate, sent] of [
    [true, (whole: number) => Math.floor(whole / 2)],
    [10, () => 10],
    [0, () => 0],
    [1_000_000, (whole: number) => whole - 1]
  ] as const) {
    it.effect(`that truncates (${truncate}) declares the whole length and closes within the body`, () =>
      Effect.gen(function* () {
        yield* putFaults({ match: { times: 1 }, truncate })
        const { error, received } = yield* rawExchange(rawHead("GET", dashboardsPath))
        const [head = "", body = ""] = received.split("\r\n\r\n")
        const whole = Number(/content-length: (\d+)/i.exec(head)?.[1])
        assert.isAbove(whole, 20)
        assert.deepStrictEqual([body.length, error], [sent(whole), undefined])
        const last = (yield* journal()).at(-1)
        assert.deepStrictEqual([last.outcome, last.answerSize], ["cut short", whole])
      })
    )
  }

  it.effect("that is malformed sends a whole answer that does not parse, after the operation took effect", () =>
    Effect.gen(function* () {
      yield* putFaults({ match: { times: 1 }, malformed: true })
      const request = [...rawHead("POST", keysPath()), "connection: close"]
      const { error, received } = yield* rawExchange(request, '{"name":"malformed"}')
      const [head = "", body = ""] = received.split("\r\n\r\n")
      assert.match(head, /^HTTP\/1\.1 200 /)
      assert.match(head, /content-type: application\/json/i)
      assert.strictEqual(Number(/content-length: (\d+)/i.exec(head)?.[1]), body.length)
      assert.throws(() => JSON.parse(body), SyntaxError)
      assert.isUndefined(error)
      assert.include(yield* keyNames, "malformed")
    })
  )

  it.effect("that delays holds a request, and nothing has happened until then", () =>
    Effect.gen(function* () {
      yield* putFaults({ match: { times: 1 }, delay: "5 minutes" })
      const held = yield* Effect.forkChild(createKey("held"))
      yield* until((requests) => requests.at(-1)?.fault === "#1")
      assert.notInclude(yield* keyNames, "held")
      assert.strictEqual((yield* journal()).at(-1).outcome, "in flight")
      yield* TestClock.adjust("299 seconds")
      assert.strictEqual((yield* journal()).at(-1).outcome, "in flight")
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(held))?.status, 200)
      assert.include(yield* keyNames, "held")
      assert.strictEqual((yield* journal()).at(-1).outcome, "answered")
    })
  )

  it.effect("that delays the answer holds what has happened", () =>
    Effect.gen(function* () {
      yield* putFaults({ match: { times: 1 }, delayAnswer: 60_000 })
      const held = yield* Effect.forkChild(createKey("answer held"))
      yield* until((requests) => requests.at(-1)?.fault === "#1" && requests.at(-1)?.keyIdSuffix !== null)
      yield* waiting
      assert.include(yield* keyNames, "answer held")
      assert.isUndefined(held.pollUnsafe())
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(held))?.status, 200)
    })
  )

  it.effect("leaves a client that gives up in the journal", () =>
    Effect.gen(function* () {
      yield* putFaults({ match: { times: 1 }, delay: "1 minute" })
      const held = yield* Effect.forkChild(rawExchange(rawHead("POST", keysPath()), '{"name":"given up"}'))
      yield* until((requests) => requests.at(-1)?.fault === "#1")
      yield* Fiber.interrupt(held)
      yield* until((requests) => requests.at(-1)?.outcome === "client gone")
      const last = (yield* journal()).at(-1)
      assert.deepStrictEqual([last.outcome, last.status, last.body], ["client gone", null, { name: "given up" }])
      yield* TestClock.adjust("1 minute")
      assert.notInclude(yield* keyNames, "given up")
    })
  )
})

layer(memoryServer(environment, { admin: true }))("the rules", (it) => {
  it.effect("are tried in order: the first that matches and is not used up is applied", () =>
    Effect.gen(function* () {
      yield* putFaults(
        { id: "second", match: { method: "GET", after: 1, times: 1 }, status: 500 },
        { id: "posts", match: { method: "POST" }, status: 501 },
        { id: "then", match: { method: "GET", times: 2 }, status: 503 }
      )
      const statuses = yield* Effect.forEach(Array.from({ length: 5 }), () => readPipe())
      assert.deepStrictEqual(
        statuses.map((answer) => answer?.status),
        [503, 500, 503, 200, 200]
      )
      assert.strictEqual((yield* createKey("x"))?.status, 501)
      const { json } = yield* call("/_admin/faults")
      assert.deepStrictEqual(
        json.rules.map(({ applied, id, met }: any) => [id, met, applied]),
        [
          ["second", 5, 1],
          ["posts", 1, 1],
          ["then", 4, 2]
        ]
      )
    })
  )

  it.effect("are applied exactly as often as they say, to requests at once", () =>
    Effect.gen(function* () {
      yield* putFaults({ match: { times: 7 }, status: 500 }, { match: { times: 5 }, drop: "before" })
      const answers = yield* Effect.forEach(Array.from({ length: 60 }), () => listDashboards(), {
        concurrency: "unbounded"
      })
      const count = (status: number | undefined) => answers.filter((answer) => answer?.status === status).length
      assert.deepStrictEqual([count(500), count(undefined), count(200)], [7, 5, 48])
    })
  )

  it.effect("are applied by chance where they say so", () =>
    Effect.gen(function* () {
      yield* putFaults(
        { match: { probability: 0 }, status: 500 },
        { match: { probability: 0.5, path: dashboardsPath }, status: 501 },
        { match: { probability: 1, path: "/docs" }, status: 502 }
      )
      const answers = yield* Effect.forEach(Array.from({ length: 64 }), () => listDashboards(), { concurrency: 8 })
      const hit = answers.filter((answer) => answer?.status === 501).length
      // That all or none of 64 are hit happens once in 9 * 10^18 runs.
      assert.isAbove(hit, 0)
      assert.isBelow(hit, 64)
      assert.strictEqual((yield* attempt("/docs"))?.status, 502)
      const { json } = yield* call("/_admin/faults")
      assert.deepStrictEqual(
        json.rules.map(({ applied }: any) => applied),
        [0, hit, 1]
      )
    })
  )

  it.effect("are replaced as a whole, listed and cleared", () =>
    Effect.gen(function* () {
      const rule = { id: "a", match: { path: "/api/*" }, delay: "2 seconds", status: 500, body: { a: [null] } }
      yield* putFaults({ status: 500 })
      const put = yield* putFaults(rule)
      assert.deepStrictEqual(put.json, { rules: [{ ...rule, met: 0, applied: 0 }] })
      assert.deepStrictEqual((yield* call("/_admin/faults")).json, put.json)
      assert.strictEqual((yield* readPipe())?.status, 200)
      assert.deepStrictEqual((yield* call("/_admin/faults", { method: "DELETE" })).json, { removed: 1 })
      assert.deepStrictEqual((yield* call("/_admin/faults")).json, { rules: [] })
      assert.strictEqual((yield* listDashboards())?.status, 200)
    })
  )

  it.effect("never apply to /_admin", () =>
    Effect.gen(function* () {
      yield* putFaults({ drop: "before" })
      assert.strictEqual((yield* call("/_admin/faults", { method: "DELETE" })).status, 200)
    })
  )

  const refused: ReadonlyArray<readonly [rules: ReadonlyArray<unknown>, named: ReadonlyArray<string>]> = [
    [
      [{ sttus: 500 }, { status: 500, match: { pth: "/x" } }],
      ["rules[0].sttus", "rules[1].match.pth"]
    ],
    [[{ status: 500, drop: "before" }], ["rules[0]: Expected one of status, drop, truncate, malformed"]],
    [
      [{}, { match: { path: "/x" } }],
      ["rules[0]: Expected something to go wrong", "rules[1]: "]
    ],
    [
      [{ headers: {} }, { delay: 1, body: null }, { drop: "after", handled: true }],
      ["[0].headers", "[1].body", "[2].handled"]
    ],
    [
      [{ status: 99 }, { status: 600 }, { status: "500" }],
      ["rules[0].status", "rules[1].status", "rules[2].status"]
    ],
    [[{ status: 204, body: {} }], ["rules[0].body"]],
    [
      [{ status: 200, headers: { "a b": "", "Content-Length": "1", c: "\n" } }],
      [".a b", ".Content-Length", "headers.c"]
    ],
    [
      [{ delay: -1 }, { delay: "soon" }, { delayAnswer: "1 hour" }],
      ["[0].delay", "[1].delay", "[2].delayAnswer"]
    ],
    [
      [{ drop: "now" }, { truncate: -1 }, { truncate: false }, { malformed: false }],
      ["drop", "[1].truncate", "[2].truncate", "malformed"]
    ],
    [
      [{ delay: 1, match: { path: "x", method: "get", times: 0, after: 0.5, probability: 2 } }],
      ["path", "method", "times", "after", "probability"]
    ],
    [
      [
        { id: "a", delay: 1 },
        { id: "a", delay: 1 }
      ],
      ["rules[1].id"]
    ],
    [[{ id: "#1", delay: 1 }], ["rules[0].id"]]
  ]
  for (const [rules, named] of refused) {
    it.effect(`are refused by name: ${JSON.stringify(rules)}`, () =>
      Effect.gen(function* () {
        yield* putFaults({ id: "before", match: { path: "/nowhere" }, delay: 1 })
        const { json, status } = yield* putFaults(...rules)
        assert.strictEqual(status, 400)
        for (const name of named) assert.include(json.error, name)
        assert.strictEqual((yield* call("/_admin/faults")).json.rules[0].id, "before")
      })
    )
  }
})

describe("a path pattern", () => {
  const cases: ReadonlyArray<readonly [pattern: string, meant: ReadonlyArray<string>, not: ReadonlyArray<string>]> = [
    ["/a/b", ["/a/b", "/a/b/", "/a/%62", "/a/b?c=d"], ["/a/b/c", "/a", "/A/b", "/x/a/b", "/a//b"]],
    ["/a/:id/c", ["/a/1/c", "/a/x-y.z/c"], ["/a//c", "/a/1/2/c", "/a/1"]],
    ["/a/*", ["/a/b", "/a/b/c?d"], ["/a", "/ab", "/b/a/c"]],
    ["/a*", ["/a", "/ab", "/a/b"], ["/b"]],
    ["/*", ["/", "/a", "/a/b"], []],
    ["/a.b/(c)", ["/a.b/(c)"], ["/aXb/(c)", "/a.b/c"]],
    ["/*/keys", ["/v1/organizations/x/keys"], ["/v1/keys/x"]]
  ]
  for (const [pattern, meant, not] of cases) {
    it(`${pattern} means what it says`, () => {
      for (const url of meant) assert.isTrue(pathPattern(pattern)(url), url)
      for (const url of not) assert.isFalse(pathPattern(pattern)(url), url)
    })
  }
})
