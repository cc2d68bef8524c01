import { assert, layer } from "@effect/vitest"
import { ApiKeys, OrganizationId, Snapshots } from "@headgate/core"
import * as Effect from "effect/Effect"
import { connect } from "node:net"
import { bearer, call, serverOver, ServerUrl } from "./support/liveServer.ts"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { overEveryStore } from "./support/stores.ts"
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

const admin = { authorization: as("admin") }
const owner = { authorization: withToken }

const totals = Effect.gen(function* () {
  const snapshots = yield* Snapshots
  return (yield* snapshots.organizations).map(({ dashboards, keys, pipes }) => ({ dashboards, keys, pipes }))
})

/** Holds that a request leaves the store as it was, and the server able to answer the next one. */
const withoutEffect = <A, E, R>(request: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* totals
    const answer = yield* request
    assert.deepStrictEqual(yield* totals, before)
    assert.strictEqual((yield* call(pipePath(firstPipe), admin)).status, 200)
    return answer
  })

const keyBodies: ReadonlyArray<readonly [what: string, body: unknown, named: ReadonlyArray<string>]> = [
  ["nothing", {}, ["name"]],
  ["an empty name", { name: "" }, ["name"]],
  ["a name of 256 characters", { name: "x".repeat(256) }, ["name"]],
  ["a number for a name", { name: 5 }, ["name"]],
  ["no roles", { name: "x", roles: [] }, ["roles"]],
  ["an unknown role", { name: "x", roles: ["admin", "root"] }, ["roles[1]"]],
  ["a string for roles", { name: "x", roles: "admin" }, ["roles"]],
  ["an unknown state", { name: "x", state: "paused" }, ["state"]],
  ["an expiry that is no time", { name: "x", expireAt: "tomorrow" }, ["expireAt"]],
  ["an expiry in the past", { name: "x", expireAt: "2001-01-01T00:00:00Z" }, ["expireAt"]],
  [
    "half of hashData",
    { name: "x", hashData: { keyIdSuffix: "abcd" } },
    ["hashData.keyIdHash", "hashData.keySecretHash"]
  ],
  [
    "a hash that is none",
    { name: "x", hashData: { keyIdHash: "a", keyIdSuffix: "abc", keySecretHash: "b" } },
    ["hashData.keyIdHash", "hashData.keyIdSuffix", "hashData.keySecretHash"]
  ],
  [
    "a malformed source",
    { name: "x", ipAccessList: [{ source: "10.0.0.0/8" }, { source: "10.0.0.0/40" }] },
    ["ipAccessList[1].source"]
  ],
  [
    "several at once",
    { roles: [], state: 1, ipAccessList: [{}] },
    ["name", "roles", "state", "ipAccessList[0].source"]
  ],
  ["a list", [], ["body"]],
  ["null", null, ["body"]]
]

const tile = { x: 0, y: 0, w: 1, h: 1 }

const dashboardBodies: ReadonlyArray<readonly [what: string, body: unknown, named: ReadonlyArray<string>]> = [
  ["nothing", {}, ["name"]],
  ["a name of 1025 characters", { name: "x".repeat(1025) }, ["name"]],
  ["a string where a number belongs", { name: "x", tiles: [tile, { ...tile, w: "6" }] }, ["tiles[1].w"]],
  [
    "a tile off the grid",
    { name: "x", tiles: [{ x: -1, y: -0.5, w: 0, h: -2 }] },
    ["tiles[0].x", "tiles[0].y", "tiles[0].w", "tiles[0].h"]
  ],
  [
    "an aggregation that is no string",
    { name: "x", tiles: [{ ...tile, series: [{ aggFn: 1 }] }] },
    ["tiles[0].series[0].aggFn"]
  ],
  ["501 tiles", { name: "x", tiles: Array.from({ length: 501 }, () => tile) }, ["tiles"]],
  ["51 tags", { name: "x", tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }, ["tags"]],
  ["a tag of 33 characters", { name: "x", tags: ["ok", "x".repeat(33)] }, ["tags[1]"]]
]

overEveryStore((store) => {
  layer(serverOver(store, environment), { excludeTestServices: true })(`bad input, over ${store.name}`, (it) => {
    for (const [what, body, named] of keyBodies) {
      it.effect(`a key of ${what} is a 400 that names ${named.join(", ")}`, () =>
        Effect.gen(function* () {
          const { json, status } = yield* withoutEffect(call(keysPath(), { ...admin, body }))
          assert.strictEqual(status, 400)
          assert.strictEqual(json.status, 400)
          assert.match(json.error, /^BAD_REQUEST: /)
          for (const path of named) assert.include(json.error, `${path}: `)
        })
      )
    }

    for (const [what, body, named] of dashboardBodies) {
      it.effect(`a dashboard of ${what} is a 400 that names ${named.join(", ")}`, () =>
        Effect.gen(function* () {
          const { json, status } = yield* withoutEffect(call(dashboardsPath, { ...owner, body }))
          assert.strictEqual(status, 400)
          assert.deepStrictEqual(Object.keys(json), ["message"])
          for (const path of named) assert.include(json.message, `${path}: `)
        })
      )
    }

    for (const [path, credentials] of [
      [keysPath(), admin],
      [dashboardsPath, owner]
    ] as const) {
      it.effect(`broken, empty and wrongly typed bodies to ${path}`, () =>
        Effect.gen(function* () {
          for (const body of ['{"name":', "", "\u0000", "nul", '{"name":"x"}}']) {
            assert.strictEqual((yield* withoutEffect(call(path, { ...credentials, method: "POST", body }))).status, 400)
          }
          const headers = { "content-encoding": "gzip" }
          const encoded = yield* withoutEffect(call(path, { ...credentials, body: '{"name":"x"}', headers }))
          assert.strictEqual(encoded.status, 415)
          assert.include(encoded.text, "content-encoding")
          for (const contentType of ["text/plain", "application/xml", "multipart/form-data; boundary=x"]) {
            const answer = yield* withoutEffect(call(path, { ...credentials, body: '{"name":"x"}', contentType }))
            assert.strictEqual(answer.status, 415)
            assert.include(answer.text, "application/json")
            assert.match(answer.headers.get("x-request-id") ?? "", uuidV4)
          }
        })
      )

      it.effect(`a body of 2 MiB to ${path} is a 413, declared or in chunks`, () =>
        Effect.gen(function* () {
          const body = JSON.stringify({ name: "x".repeat(2 * 1024 * 1024) })
          const declared = yield* withoutEffect(call(path, { ...credentials, body }))
          const chunked = yield* withoutEffect(
            Effect.flatMap(ServerUrl, (url) => sendChunked(new URL(path, url), credentials.authorization, body))
          )
          assert.strictEqual(declared.status, 413)
          assert.include(declared.text, "1048576 bytes")
          assert.match(chunked, /^HTTP\/1\.1 413 /)
        })
      )
    }

    it.effect("a body just under the limit is read", () =>
      Effect.gen(function* () {
        const { status, text } = yield* call(dashboardsPath, {
          ...owner,
          body: { name: "x".repeat(1024 * 1024 - 100) }
        })
        assert.strictEqual(status, 400)
        assert.include(text, "name: ")
      })
    )

    it.effect("a malformed UUID is a 400 that names the parameter, an unknown id a 404", () =>
      Effect.gen(function* () {
        const unknown = "00000000-0000-4000-8000-000000000000"
        for (const method of ["GET", "DELETE"]) {
          const malformed = yield* withoutEffect(call(pipePath("not-a-uuid", { service: "5" }), { ...admin, method }))
          assert.strictEqual(malformed.status, 400)
          assert.include(malformed.json.error, "serviceId: ")
          assert.include(malformed.json.error, "dbPipeId: ")
          const missing = yield* withoutEffect(call(pipePath(unknown), { ...admin, method }))
          assert.strictEqual(missing.status, 404)
          assert.include(missing.json.error, unknown)
          const elsewhere = yield* withoutEffect(call(pipePath(firstPipe, { service: unknown }), { ...admin, method }))
          assert.strictEqual(elsewhere.status, 404)
        }
        const organization = yield* withoutEffect(call(keysPath("mine"), { ...admin, body: { name: "x" } }))
        assert.strictEqual(organization.status, 400)
        assert.include(organization.json.error, "organizationId: ")
      })
    )

    it.effect("a UUID in capitals is the same id", () =>
      Effect.gen(function* () {
        const path = pipePath(firstPipe.toUpperCase(), {
          organization: organizationId.toUpperCase(),
          service: serviceId.toUpperCase()
        })
        const { json, status } = yield* call(path, admin)
        assert.strictEqual(status, 200)
        assert.strictEqual(json.result.id, firstPipe)
      })
    )

    it.effect("an unknown path is a 404 and a wrong method a 405, in the shape of its API", () =>
      Effect.gen(function* () {
        const path = yield* call("/v1/nowhere", admin)
        assert.strictEqual(path.status, 404)
        assert.match(path.json.error, /^NOT_FOUND: /)
        const method = yield* call(pipePath(firstPipe), { ...admin, method: "PUT", body: {} })
        assert.strictEqual(method.status, 405)
        assert.strictEqual(method.headers.get("allow"), "GET, HEAD, PATCH, DELETE")
        assert.match(method.json.error, /^METHOD_NOT_ALLOWED: /)
        const other = yield* call("/api/v2/nowhere", owner)
        assert.strictEqual(other.status, 404)
        assert.deepStrictEqual(Object.keys(other.json), ["message"])
        for (const method of ["PATCH", "OPTIONS", "PROPFIND"]) {
          assert.strictEqual((yield* call(dashboardsPath, { ...owner, method })).status, 405)
        }
      })
    )

    it.effect("a path counts as the router reads it, however it is spelled", () =>
      Effect.gen(function* () {
        for (const spelled of ["/%61pi/v2/dashboards", "/api/v2/dashboards/", "/api/v2/dashboards?a=b"]) {
          const answer = yield* call(spelled, { authorization: bearer("wrong") })
          assert.strictEqual(answer.status, 401, spelled)
          assert.deepStrictEqual(Object.keys(answer.json), ["message"], spelled)
        }
        for (const other of ["/API/v2/dashboards", "//api//v2/dashboards", "/api/v2//dashboards"]) {
          assert.strictEqual((yield* call(other, owner)).status, 404, other)
        }
        const broken = yield* call("/api/v2/%zz", owner)
        assert.deepStrictEqual(Object.keys(broken.json), ["message"])
      })
    )

    it.effect("the 101st key is a 409", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const organizationId = OrganizationId.make(environment.organizations[0]?.id ?? "")
        const [mine] = yield* totals
        for (let count = mine?.keys ?? 0; count < 100; count++)
          yield* keys.create({ organizationId }, { name: `key ${count}` })
        const { json, status } = yield* withoutEffect(call(keysPath(), { ...admin, body: { name: "one more" } }))
        assert.strictEqual(status, 409)
        assert.match(json.error, /^CONFLICT: /)
      })
    )
  })
})

/** Sends a body without declaring its length, and answers the head of the response. */
const sendChunked = (url: URL, authorization: string, body: string) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve, reject) => {
        const socket = connect(Number(url.port), url.hostname)
        let received = ""
        const head = ["POST " + url.pathname + " HTTP/1.1", `host: ${url.host}`, `authorization: ${authorization}`]
        socket.write([...head, "content-type: application/json", "transfer-encoding: chunked", "", ""].join("\r\n"))
        socket.write(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)
        socket.on("data", (chunk) => {
          received += chunk
          if (received.includes("\r\n")) {
            socket.destroy()
            resolve(received)
          }
        })
        socket.on("error", reject)
      })
  )
