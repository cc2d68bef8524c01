import { assert, describe, it } from "@effect/vitest"
import {
  fixtureCredentials,
  fixtureDashboards,
  fixtureIds,
  fixturePipes,
  fixtureSnapshot
} from "@headgate/conformance/fixtures"
import { Dashboard } from "@headgate/core"
import { DashboardDocuments, PipeDocuments } from "@headgate/core/adapter"
import { clickhouse, type Dialect, neutral } from "@headgate/http-contract"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { basic, bearer, type Call, call, liveServer } from "./support/liveServer.ts"
import { overEveryStore, type Store, type StorePorts } from "./support/stores.ts"

/** The same store without the text of what it keeps, as any adapter that keeps none: a gateway's, a user's own. */
const withoutDocuments = <A, E>(store: Layer.Layer<A, E>) =>
  Layer.effectContext(Effect.map(Layer.build(store), Context.omit(PipeDocuments, DashboardDocuments)))

const { keyId, keySecret } = fixtureCredentials.keys.admin
const secret = Redacted.value(keySecret)
const admin = basic(keyId, secret)
const token = bearer(Redacted.value(fixtureCredentials.tokens.acme.token))

const { organizations, pipes, services } = fixtureIds

const pathOf = (dialect: Dialect, service: string, pipe: string, organization: string = organizations.acme) =>
  `/v1/organizations/${organization}/services/${service}/${dialect.pipesSegment}/${pipe}`

const paths = (dialect: Dialect): ReadonlyArray<string> => [
  ...(["kafka", "kinesis", "objectStorage", "postgres", "minimal", "nulls"] as const).map((name) =>
    pathOf(dialect, fixturePipes[name].serviceId, pipes[name])
  ),
  pathOf(dialect, services.ingest, pipes.unknown),
  pathOf(dialect, services.archive, pipes.kafka),
  pathOf(dialect, services.ingest, "no-uuid"),
  pathOf(dialect, services.ingest, pipes.kafka, organizations.globex)
]

const callOf = (authorization?: string, method?: string): Call => ({
  ...(authorization === undefined ? {} : { authorization }),
  ...(method === undefined ? {} : { method })
})

/** What came over the wire, without what is fresh in each answer. */
const asked = (path: string, authorization?: string, method?: string) =>
  Effect.map(call(path, callOf(authorization, method)), ({ headers, status, text }) => ({
    status,
    text: text.replaceAll(headers.get("x-request-id") ?? "", "<requestId>"),
    headers: Array.from(headers).filter(([name]) => name !== "date" && name !== "x-request-id")
  }))

const answers = (dialect: Dialect, store: Layer.Layer<StorePorts, unknown>) =>
  Effect.forEach(
    [...paths(dialect).map((path) => [path, admin] as const), ["/api/v2/dashboards", token] as const],
    (one) => asked(...one)
  ).pipe(Effect.provide(Layer.fresh(liveServer(store, { dialect }))))

const developer = basic(
  fixtureCredentials.keys.developer.keyId,
  Redacted.value(fixtureCredentials.keys.developer.keySecret)
)

/** Everybody who may come, and everything that may stand in the header instead. */
const authorizations: ReadonlyArray<readonly [string, string | undefined]> = [
  ...Object.entries(fixtureCredentials.keys).map(
    ([name, key]) => [`the key "${name}"`, basic(key.keyId, Redacted.value(key.keySecret))] as const
  ),
  ["nothing", undefined],
  ["a wrong secret", basic(keyId, "wrong")],
  ["an unknown key", basic("nobody", secret)],
  ["a secret with a colon", basic(keyId, `${secret}:`)],
  ["no secret", basic(keyId, "")],
  ["no user name", basic("", secret)],
  ["no colon", `Basic ${Buffer.from(keyId).toString("base64")}`],
  ["another spelling of the scheme", admin.replace("Basic", "bASIC")],
  ["two spaces", admin.replace(" ", "  ")],
  ["base64 without its end", admin.replace(/=+$/, "")],
  ["base64 of a URL", admin.replaceAll("A", "-")],
  ["no base64", "Basic !!!!"],
  ["an empty one", "Basic "],
  ["a byte order mark", `Basic ${Buffer.from(`\uFEFF${keyId}:${secret}`).toString("base64")}`],
  ["letters beyond ASCII", `Basic ${Buffer.from(`${keyId}:größe`).toString("base64")}`],
  ["a bearer token", token]
]

overEveryStore((store: Store) => {
  describe(`a pipe read as text and one read as a pipe, over ${store.name}`, () => {
    for (const dialect of [neutral, clickhouse]) {
      it.live(`are the same answer, byte for byte, and so is every refusal: ${dialect.name}`, () =>
        Effect.gen(function* () {
          const snapshot = yield* fixtureSnapshot
          const asText = yield* answers(dialect, store.holding(snapshot))
          const asPipe = yield* answers(dialect, withoutDocuments(store.holding(snapshot)))
          assert.deepStrictEqual(
            asText.map(({ status }) => status),
            [200, 200, 200, 200, 200, 200, 404, 404, 400, 403, 200]
          )
          assert.deepStrictEqual(asText, asPipe)
        })
      )
    }

    it.live("are the same answer whoever asks, whether it is given straight away or by the route", () =>
      Effect.gen(function* () {
        const all = [...paths(neutral), pathOf(neutral, services.ingest.toUpperCase(), pipes.kafka.toUpperCase())]
        for (const path of all) {
          for (const [who, authorization] of authorizations) {
            const straight = yield* asked(path, authorization)
            // A query that nobody reads: what is spelled so goes by the route.
            assert.deepStrictEqual(straight, yield* asked(`${path}?`, authorization), `${path} with ${who}`)
          }
        }
        const [kafka = ""] = all
        assert.deepStrictEqual(yield* asked(kafka, developer, "DELETE"), yield* asked(`${kafka}?`, developer, "DELETE"))
      }).pipe(
        Effect.provide(
          Layer.unwrap(Effect.map(fixtureSnapshot, (snapshot) => Layer.fresh(liveServer(store.holding(snapshot)))))
        )
      )
    )

    it.effect("are two paths: one store has the text, the other has not", () =>
      Effect.gen(function* () {
        const holding = store.holding(yield* fixtureSnapshot)
        const documents = Effect.serviceOption(PipeDocuments)
        assert.isTrue(Option.isSome(yield* Effect.provide(documents, holding)))
        assert.isTrue(Option.isNone(yield* Effect.provide(documents, withoutDocuments(holding))))
      })
    )
  })
})

const keyBodies: ReadonlyArray<unknown> = [
  { name: "good" },
  {
    name: "good",
    roles: ["developer"],
    expireAt: "2999-01-01T00:00:00+01:00",
    ipAccessList: [{ source: "192.0.2.1" }]
  },
  { name: "good", expireAt: "", futureField: { kept: [1, null] } },
  { name: "good", expireAt: null, state: "disabled", hashData: null },
  {},
  { name: "" },
  { name: 1, roles: [], state: "asleep", expireAt: "tomorrow", ipAccessList: [{ source: "nowhere" }, {}] },
  { name: "past", expireAt: "2001-01-01T00:00:00Z" },
  { name: "x", hashData: { keyIdHash: "no", keyIdSuffix: "abc" } },
  '{"name":"x","__proto__":{"roles":["admin"]}}',
  '{"name":"x","name":""}',
  "[]",
  "null",
  '"text"',
  "{",
  "",
  " ",
  `{"name":${"[".repeat(33)}${"]".repeat(33)}}`,
  `{"name":"${"x".repeat(1024 * 1024)}"}`
]

const dashboardBodies: ReadonlyArray<unknown> = [
  { name: "good" },
  fixtureDashboards.acme[0],
  { name: "good", tags: ["a", "a", "b"], tiles: null },
  { tiles: [{ x: -1, y: "0", w: 0 }], tags: [""] },
  { name: "x", tiles: [{ x: 0, y: 0, w: 1, h: 1, series: [{ type: "pie", groupBy: "x" }] }] },
  { name: "x", tiles: Array.from({ length: 501 }, () => ({ x: 0, y: 0, w: 1, h: 1 })) },
  "[]",
  "{",
  "",
  `{"name":"x","tiles":${"[".repeat(40)}${"]".repeat(40)}}`
]

const fresh = /"(?:id|keyId|keySecret|keySuffix|createdAt|requestId)":"[^"]*"/g

/** What came over the wire of a creation, without what is made anew for each, and in whatever order its fields are. */
const created = (path: string, authorization: string | undefined, body: unknown) =>
  Effect.map(call(path, { ...callOf(authorization), body }), ({ headers, status, text }) => ({
    status,
    json: JSON.parse(text.replaceAll(fresh, '"fresh":""')),
    headers: Array.from(headers).filter(([name]) => name !== "date" && name !== "x-request-id")
  }))

const creations = [
  { what: "a key", path: `/v1/organizations/${organizations.acme}/keys`, as: admin, bodies: keyBodies },
  { what: "a dashboard", path: "/api/v2/dashboards", as: token, bodies: dashboardBodies }
]

overEveryStore((store: Store) => {
  describe(`what is created over ${store.name}`, () => {
    for (const { as, bodies, path, what } of creations) {
      it.live(`${what}: the same answer straight away and by the route, whatever the body and whoever asks`, () =>
        Effect.gen(function* () {
          const statuses = new Set<number>()
          for (const body of bodies) {
            const straight = yield* created(path, as, body)
            statuses.add(straight.status)
            assert.deepStrictEqual(straight, yield* created(`${path}?`, as, body), JSON.stringify(body)?.slice(0, 200))
          }
          assert.includeMembers(Array.from(statuses), [200, 400])
          for (const [who, authorization] of [...authorizations, ["a token", token] as const]) {
            const body = { name: "good" }
            const straight = yield* created(path, authorization, body)
            assert.deepStrictEqual(straight, yield* created(`${path}?`, authorization, body), who)
          }
        }).pipe(
          Effect.provide(
            Layer.unwrap(Effect.map(fixtureSnapshot, (snapshot) => Layer.fresh(liveServer(store.holding(snapshot)))))
          )
        )
      )
    }
  })
})

describe("a dashboard", () => {
  it.effect.prop("is on the wire what it is inside: nothing of it is written in another way", [Dashboard], ([any]) =>
    Effect.gen(function* () {
      const text = yield* Schema.encodeEffect(Schema.fromJsonString(Dashboard))(any)
      // In another order, perhaps: a dashboard that was read has that of the schema, this one was never read.
      assert.deepStrictEqual(JSON.parse(JSON.stringify(any)), JSON.parse(text))
    })
  )

  it("of the fixture is read and written as it stands", () => {
    const text = JSON.stringify(fixtureDashboards.acme)
    const all = Schema.fromJsonString(Schema.Array(Dashboard))
    assert.strictEqual(Schema.encodeSync(all)(Schema.decodeSync(all)(text)), text)
  })
})
