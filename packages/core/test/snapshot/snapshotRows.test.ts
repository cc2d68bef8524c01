import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { Snapshot } from "../../src/snapshot/Snapshot.ts"
import type { SnapshotRows } from "../../src/snapshot/SnapshotContent.ts"
import { snapshotRows } from "../../src/snapshot/snapshotRows.ts"
import { refusedPaths } from "../contract/holdsContract.ts"
import { replaceAt } from "../contract/wireDocument.ts"
import { dashboardDocument } from "../dashboard/dashboardDocuments.ts"
import {
  apiKeyId,
  organizationId,
  otherOrganizationId,
  otherServiceId,
  pipeId as firstPipeId,
  serviceId
} from "../ids.ts"
import { pipeDocuments } from "../pipe/pipeDocuments.ts"
import { webCrypto } from "../webCrypto.ts"

const now = Date.UTC(2026, 0, 31, 12)
const otherPipeId = "c0000000-0000-4000-8000-000000000002"
const hash = (letter: string) => `${letter.repeat(43)}=`

const pipe = (id: string, owner: string) => ({ ...pipeDocuments.kafka, id, serviceId: owner })
const key = (idHash: string, id?: string) => ({
  ...(id === undefined ? {} : { id }),
  name: "ci",
  roles: ["developer"],
  hashData: { keyIdHash: hash(idHash), keyIdSuffix: "Xy9Z", keySecretHash: hash("S") }
})
const token = (tokenHash: string) => ({ name: "grafana", tokenHash: hash(tokenHash) })
const dashboard = (id: string) => ({ ...dashboardDocument, id })

const whole: Schema.JsonObject = {
  organizations: [
    {
      id: organizationId,
      name: "Acme",
      services: [
        { id: serviceId, name: "analytics", pipes: [pipe(firstPipeId, serviceId)] },
        { id: otherServiceId, name: "empty" }
      ],
      keys: [key("A", apiKeyId), key("B")],
      tokens: [token("T")],
      dashboards: [dashboard("one"), dashboard("two")]
    },
    {
      id: otherOrganizationId,
      name: "Other",
      services: [
        {
          id: "b0000000-0000-4000-8000-000000000003",
          name: "elsewhere",
          pipes: [pipe(otherPipeId, "b0000000-0000-4000-8000-000000000003")]
        }
      ],
      keys: [key("C")],
      tokens: [token("U")],
      dashboards: [dashboard("three")]
    }
  ]
}

const rowsOf = Effect.fnUntraced(function* (document: Schema.Json) {
  return yield* snapshotRows(yield* Schema.decodeUnknownEffect(Snapshot)(document))
}, Effect.provide(webCrypto))

const paths = (rows: ReadonlyArray<{ readonly path: string }>) => rows.map(({ path }) => path)

describe("Snapshot", () => {
  it.effect("is read with its UUIDs in small letters, whose paths a server finds", () =>
    Effect.gen(function* () {
      const capitals = JSON.parse(
        JSON.stringify(whole).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => id.toUpperCase())
      )
      assert.notDeepEqual(capitals, whole)
      const ids = ({ keys, organizations, pipes, services }: SnapshotRows) => ({
        organizations: organizations.map(({ value }) => value.id),
        services: services.map(({ value }) => [value.service.id, value.organizationId]),
        pipes: pipes.map(({ value }) => [value.pipe.id, value.pipe.serviceId, value.organizationId]),
        keys: keys.slice(0, 1).map(({ value }) => [value.key.id, value.organizationId])
      })
      assert.deepStrictEqual(ids(yield* rowsOf(capitals)), ids(yield* rowsOf(whole)))
    })
  )

  it.effect("decodes and encodes to an equal document", () =>
    Effect.gen(function* () {
      const snapshot = yield* Schema.decodeUnknownEffect(Snapshot)(whole)
      assert.deepStrictEqual<unknown>(yield* Schema.encodeEffect(Snapshot)(snapshot), whole)
    })
  )

  it.effect("may leave out the roles of a key, as a request may: it has no permissions", () =>
    Effect.gen(function* () {
      const document = replaceAt(whole, "organizations[0].keys[0]", { name: "ci", hashData: key("A").hashData })
      const { keys } = yield* rowsOf(document)
      assert.deepStrictEqual(keys[0]?.value.key.roles, [])
    })
  )

  it.effect("may have empty organizations, or none", () =>
    Effect.gen(function* () {
      yield* rowsOf({ organizations: [] })
      const rows = yield* rowsOf({ organizations: [{ id: organizationId, name: "Acme" }] })
      assert.lengthOf(rows.organizations, 1)
      assert.lengthOf([...rows.services, ...rows.pipes, ...rows.keys, ...rows.tokens, ...rows.dashboards], 0)
    })
  )

  it.effect("names everything wrong by its place in the document", () =>
    Effect.gen(function* () {
      const wrong: ReadonlyArray<readonly [string, Schema.Json]> = [
        ["organizations[0].services[0].pipes[0].scaling.replicas", "two"],
        ["organizations[0].keys[0].hashData.keySecretHash", "hgs_in-clear"],
        ["organizations[0].keys[1].roles[0]", "owner"],
        ["organizations[0].tokens[0].tokenHash", "hgt_in-clear"],
        ["organizations[1].id", "acme"]
      ]
      const document = wrong.reduce((json, [path, value]) => replaceAt(json, path, value), whole as Schema.Json)
      assert.sameMembers(
        [...(yield* refusedPaths(Snapshot, document))],
        wrong.map(([path]) => path)
      )
    })
  )

  it.effect("names a number that is too large for JavaScript, wherever it is", () =>
    Effect.gen(function* () {
      const huge = { owner: { since: "1e400" } }
      const document = [
        ["organizations[0].dashboards[1]", { ...dashboard("two"), ...huge }] as const,
        ["organizations[0].services[0].pipes[0]", { ...pipe(firstPipeId, serviceId), ...huge }] as const
      ].reduce((json, [path, value]) => replaceAt(json, path, value), whole as Schema.Json)
      const parsed: unknown = JSON.parse(JSON.stringify(document).replaceAll('"1e400"', "1e400"))
      const snapshot = yield* Schema.decodeUnknownEffect(Snapshot)(parsed)
      const error = yield* Effect.flip(snapshotRows(snapshot).pipe(Effect.provide(webCrypto)))
      assert.sameMembers(paths(error.issues), [
        "organizations[0].dashboards[1].owner.since",
        "organizations[0].services[0].pipes[0].owner.since"
      ])
    })
  )

  it.effect("checks an access list as on create", () =>
    Effect.gen(function* () {
      const document = replaceAt(whole, "organizations[0].keys[0]", {
        ...key("A"),
        ipAccessList: [{ source: "192.0.2.0/24" }, { source: "office" }]
      })
      assert.deepStrictEqual(yield* refusedPaths(Snapshot, document), [
        "organizations[0].keys[0].ipAccessList[1].source"
      ])
    })
  )
})

describe("snapshotRows", () => {
  it.effect("makes flat lists in the order of the document, with owners and paths", () =>
    Effect.gen(function* () {
      const rows = yield* rowsOf(whole)
      const createdAt = yield* DateTime.now
      assert.deepStrictEqual(rows.organizations, [
        { path: "organizations[0]", value: { id: organizationId, name: "Acme", createdAt } },
        { path: "organizations[1]", value: { id: otherOrganizationId, name: "Other", createdAt } }
      ])
      assert.deepStrictEqual(paths(rows.services), [
        "organizations[0].services[0]",
        "organizations[0].services[1]",
        "organizations[1].services[0]"
      ])
      assert.strictEqual(rows.services[1]?.value.organizationId, organizationId)
      assert.deepInclude(rows.services[1]?.value.service, { id: otherServiceId, name: "empty", state: "running" })
      assert.deepStrictEqual(paths(rows.pipes), [
        "organizations[0].services[0].pipes[0]",
        "organizations[1].services[0].pipes[0]"
      ])
      assert.strictEqual(rows.pipes[1]?.value.organizationId, otherOrganizationId)
      assert.strictEqual(rows.pipes[1]?.value.pipe.id, otherPipeId)
      assert.deepStrictEqual(paths(rows.keys), [
        "organizations[0].keys[0]",
        "organizations[0].keys[1]",
        "organizations[1].keys[0]"
      ])
      assert.deepStrictEqual(
        rows.tokens.map(({ value }) => ({ ...value, token: value.token.name })),
        [
          { organizationId, token: "grafana", tokenHash: hash("T"), grants: [] },
          { organizationId: otherOrganizationId, token: "grafana", tokenHash: hash("U"), grants: [] }
        ]
      )
      assert.deepStrictEqual(
        rows.dashboards.map(({ value }) => [value.organizationId, value.dashboard.id]),
        [
          [organizationId, "one"],
          [organizationId, "two"],
          [otherOrganizationId, "three"]
        ]
      )
    })
  )

  it.effect("assigns the id, state and time of creation that a key does not have", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { keys } = yield* rowsOf(whole)
      const [first, second] = keys.map(({ value }) => value)
      assert.strictEqual(first?.key.id, apiKeyId)
      assert.match(second?.key.id ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
      for (const record of [first, second]) {
        assert.deepInclude(record?.key, {
          state: "enabled",
          keySuffix: "Xy9Z",
          createdAt: DateTime.makeUnsafe(now)
        })
        assert.notProperty(record?.key, "expireAt")
        assert.notProperty(record?.key, "ipAccessList")
      }
      assert.strictEqual(second?.keyIdHash, hash("B"))
      assert.strictEqual(second?.keySecretHash, hash("S"))
    })
  )

  it.effect("keeps the fields that a key has, also an empty access list and an expiry in the past", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const said = {
        state: "disabled",
        createdAt: "2020-01-02T03:04:05Z",
        expireAt: "2021-01-02T03:04:05Z",
        ipAccessList: []
      }
      const { keys } = yield* rowsOf(replaceAt(whole, "organizations[0].keys[0]", { ...key("A"), ...said }))
      assert.deepInclude(keys[0]?.value.key, {
        state: "disabled",
        createdAt: DateTime.makeUnsafe("2020-01-02T03:04:05Z"),
        expireAt: DateTime.makeUnsafe("2021-01-02T03:04:05Z"),
        ipAccessList: []
      })
    })
  )

  const contradictions: ReadonlyArray<{
    readonly what: string
    readonly put: readonly [path: string, value: Schema.Json]
    readonly at: string
    readonly says: string
  }> = [
    {
      what: "two organizations with one id",
      put: ["organizations[1].id", organizationId],
      at: "organizations[1].id",
      says: "Expected a unique value: organizations[0] has the same one"
    },
    {
      what: "two services with one id in different organizations",
      put: ["organizations[1].services[0]", { id: serviceId, name: "elsewhere" }],
      at: "organizations[1].services[0].id",
      says: "Expected a unique value: organizations[0].services[0] has the same one"
    },
    {
      what: "two pipes with one id in different services",
      put: [
        "organizations[0].services[1]",
        { id: otherServiceId, name: "b", pipes: [pipe(firstPipeId, otherServiceId)] }
      ],
      at: "organizations[0].services[1].pipes[0].id",
      says: "Expected a unique value: organizations[0].services[0].pipes[0] has the same one"
    },
    {
      what: "two keys with one id",
      put: ["organizations[1].keys[0]", key("C", apiKeyId)],
      at: "organizations[1].keys[0].id",
      says: "Expected a unique value: organizations[0].keys[0] has the same one"
    },
    {
      what: "two keys with one key ID",
      put: ["organizations[1].keys[0]", key("B")],
      at: "organizations[1].keys[0].hashData.keyIdHash",
      says: "Expected a unique value: organizations[0].keys[1] has the same one"
    },
    {
      what: "one token of two organizations",
      put: ["organizations[1].tokens[0]", token("T")],
      at: "organizations[1].tokens[0].tokenHash",
      says: "Expected a unique value: organizations[0].tokens[0] has the same one"
    },
    {
      what: "two dashboards with one id",
      put: ["organizations[1].dashboards[0]", dashboard("two")],
      at: "organizations[1].dashboards[0].id",
      says: "Expected a unique value: organizations[0].dashboards[1] has the same one"
    },
    {
      what: "a pipe in another service than its own",
      put: ["organizations[0].services[0].pipes[0]", pipe(firstPipeId, otherServiceId)],
      at: "organizations[0].services[0].pipes[0].serviceId",
      says: `Expected ${serviceId}, the id of its service`
    }
  ]

  it.effect.each(contradictions)("refuses $what", ({ at, put: [path, value], says }) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(rowsOf(replaceAt(whole, path, value)))
      assert.strictEqual(error._tag, "InvalidRequest")
      assert.deepInclude(error, { issues: [{ path: at, message: says }], message: `${at}: ${says}` })
    })
  )

  it.effect("names all contradictions at once", () =>
    Effect.gen(function* () {
      const document = contradictions
        .filter(({ at }) => at.includes("keys") || at.includes("tokens") || at.includes("serviceId"))
        .reduce((json, { put: [path, value] }) => replaceAt(json, path, value), whole as Schema.Json)
      const error = yield* Effect.flip(rowsOf(document))
      assert.strictEqual(error._tag, "InvalidRequest")
      assert.sameMembers(error._tag === "InvalidRequest" ? paths(error.issues) : [], [
        "organizations[1].keys[0].hashData.keyIdHash",
        "organizations[1].tokens[0].tokenHash",
        "organizations[0].services[0].pipes[0].serviceId"
      ])
    })
  )
})
