import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { documentKinds } from "../../src/dashboard/documentKinds.ts"
import { decodeRequest } from "../../src/error/validate.ts"

const { Request, Update } = documentKinds.dashboardRoles
const permission = { action: "read", subject: "Dashboard", integration: "mongodb" }
const rows = {
  connection: "65f5e4a3b9e77c001a567890",
  from: { databaseName: "default", tableName: "otel_logs" },
  where: "level:error",
  whereLanguage: "lucene"
}
const withPermission = (fields: object) => ({ name: "Readers", permissions: [{ ...permission, ...fields }] })

/** The paths of the fields that are wrong. */
const wrong = (schema: typeof Request | typeof Update, body: unknown) =>
  Effect.map(Effect.flip(decodeRequest(schema)(body)), ({ issues }) => issues.map(({ path }) => path))

describe("the request for a role of dashboards", () => {
  const valid = [
    withPermission({ conditions: { name: "x", tags: { $regex: "^a", $options: "i" } }, fields: ["name"] }),
    withPermission({ integration: "clickhouse", conditions: rows, inverted: true }),
    { name: "x".repeat(255), description: "", permissions: [] }
  ]
  it.effect.each(valid)("takes %j", (body) => Effect.asVoid(decodeRequest(Request)(body)))

  const bad: ReadonlyArray<readonly [path: string, body: unknown]> = [
    ["name", { permissions: [] }],
    ["name", { name: "", permissions: [] }],
    ["name", { name: "x".repeat(256), permissions: [] }],
    ["permissions", { name: "x" }],
    ["description", { name: "x", description: 1, permissions: [] }],
    ["permissions[0].action", withPermission({ action: "write" })],
    ["permissions[0].subject", withPermission({ subject: "Tile" })],
    ["permissions[0]", withPermission({ integration: "redis" })],
    ["permissions[0].fields", withPermission({ fields: "name" })],
    ["permissions[0].conditions.name.$regex", withPermission({ conditions: { name: {} } })],
    [
      "permissions[0].conditions.where",
      withPermission({ integration: "clickhouse", conditions: { ...rows, where: 1 } })
    ],
    [
      "permissions[0].conditions.from.tableName",
      withPermission({ integration: "clickhouse", conditions: { ...rows, from: { databaseName: "default" } } })
    ]
  ]
  it.effect.each(bad)("names %s", ([path, body]) =>
    Effect.map(wrong(Request, body), (paths) => assert.deepStrictEqual(paths, [path]))
  )

  it.effect("names the field that says of what kind a permission is", () =>
    Effect.map(Effect.flip(decodeRequest(Request)(withPermission({ integration: "redis" }))), ({ message }) =>
      assert.include(message, '"integration" is "mongodb" or "clickhouse"')
    )
  )

  it.effect("may leave out the name of one that is replaced, but not set it to null", () =>
    Effect.gen(function* () {
      yield* decodeRequest(Update)({ permissions: [] })
      assert.deepStrictEqual(yield* wrong(Update, { name: null, permissions: [] }), ["name"])
    })
  )
})
