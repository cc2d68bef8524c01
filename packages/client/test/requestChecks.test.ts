// What the client checks of a request, and what it leaves to the service. The requests are compared with what arrives as text.
import { clickhouse, examples, neutral, operations } from "@headgate/http-contract"
import { typesOnly } from "@headgate/core/adapter"
import * as Schema from "effect/Schema"
import { afterAll, assert, describe, it } from "vitest"
import { createClient, type HeadgateClient, InvalidRequestError, unlisted } from "../src/index.ts"
import { createTestClient, sampleOrganizationId } from "../src/testing/index.ts"
import { errorReply, service } from "./support/Service.ts"
import { address, management, observability, organizationId, rejectionOf } from "./support/samples.ts"

const api = service()
const refusal = "BAD_REQUEST: name: the service judges it"
const make = () => createClient({ management: management(api.url), observability: observability(api.url) })
let made: HeadgateClient | undefined
const client = () => (made ??= make())
afterAll(() => made?.close())

const { pipeId: _, ...serviceAddress } = address

describe("the values of a request are sent as they are", () => {
  // Each is wrong: too short, too large, unknown, or in the wrong company.
  it.each<[string, (headgate: HeadgateClient) => PromiseLike<unknown>, unknown]>([
    [
      "of a key",
      ({ keys }) =>
        keys.create({
          organizationId,
          name: "",
          state: unlisted("paused"),
          roles: [],
          assignedRoleIds: ["no UUID"],
          ipAccessList: [{ source: "office" }]
        }),
      { name: "", state: "paused", roles: [], assignedRoleIds: ["no UUID"], ipAccessList: [{ source: "office" }] }
    ],
    [
      "of an unknown field",
      // @ts-expect-error a caller without a compiler can do this
      ({ keys }) => keys.create({ organizationId, name: "ci", ipAcessList: [] }),
      { name: "ci", ipAcessList: [] }
    ],
    [
      "of a time that is past, and one in another form",
      ({ keys }) => keys.create({ organizationId, name: "ci", expireAt: "1999-01-01" }),
      { name: "ci", expireAt: "1999-01-01" }
    ],
    [
      "of a pipe",
      ({ pipes }) =>
        pipes.create({
          ...serviceAddress,
          name: "n".repeat(300),
          source: { kafka: { type: unlisted("kafka5"), credentials: { username: "u", password: "p" } }, kinesis: {} },
          settings: { streaming_max_insert_wait_ms: -1 },
          scaling: { replicas: 0.5 }
        }),
      {
        name: "n".repeat(300),
        source: { kafka: { type: "kafka5", credentials: { username: "u", password: "p" } }, kinesis: {} },
        settings: { streaming_max_insert_wait_ms: -1 },
        scaling: { replicas: 0.5 }
      }
    ],
    [
      "of a command",
      ({ pipes }) => pipes.setState({ ...address, command: unlisted("hibernate") }),
      { command: "hibernate" }
    ],
    [
      "of two decisions",
      ({ pipes }) => pipes.resume({ ...address, from: "ledger", pending: "skip" }),
      { from: "ledger", pending: "skip" }
    ],
    [
      "of an endpoint",
      ({ privateEndpoints }) =>
        privateEndpoints.create({
          ...serviceAddress,
          description: "d".repeat(300),
          type: unlisted("AZURE"),
          customPrivateDnsMappings: [{ privateDnsName: "-" }]
        }),
      { description: "d".repeat(300), type: "AZURE", customPrivateDnsMappings: [{ privateDnsName: "-" }] }
    ],
    [
      "of a tile",
      ({ dashboards }) => dashboards.create({ name: "", tiles: [{ x: 0.5, y: 0, w: 0, h: -1 }], tags: [] }),
      { name: "", tiles: [{ x: 0.5, y: 0, w: 0, h: -1 }], tags: [] }
    ],
    [
      "of a source",
      ({ sources }) => sources.create({ name: "", kind: unlisted("profile"), connection: "" }),
      { name: "", kind: "profile", connection: "" }
    ]
  ])("%s", async (_, call, body) => {
    api.respondWith(errorReply(400, refusal))
    const error = await rejectionOf(call(client()))
    assert.isTrue(error instanceof InvalidRequestError && error.status === 400, String(error))
    assert.deepStrictEqual(JSON.parse(api.received[0]?.body ?? "null"), body)
  })
})

describe("another request than the one that was meant is not sent", () => {
  it.each<[string, (headgate: HeadgateClient) => PromiseLike<unknown>, ReadonlyArray<string>]>([
    // @ts-expect-error a caller without a compiler can do this
    ["a number for a text", ({ keys }) => keys.create({ organizationId, name: 7 }), ["name"]],
    // @ts-expect-error a caller without a compiler can do this
    ["a text for a number", ({ pipes }) => pipes.scale({ ...address, replicas: "2" }), ["replicas"]],
    // @ts-expect-error a caller without a compiler can do this
    ["a text for a list", ({ keys }) => keys.create({ organizationId, name: "ci", roles: "admin" }), ["roles"]],
    // @ts-expect-error a caller without a compiler can do this
    ["no name", ({ keys }) => keys.create({ organizationId }), ["name"]],
    ["no JSON", ({ pipes }) => pipes.scale({ ...address, replicas: Number.NaN }), ["replicas"]],
    ["an id that is another path", ({ dashboards }) => dashboards.delete(".."), ["dashboardId"]],
    ["an id that is no UUID", ({ keys }) => keys.delete({ organizationId, keyId: "../keys" }), ["keyId"]],
    [
      "a time that is no time",
      ({ keys }) => keys.create({ organizationId, name: "ci", expireAt: "tomorrow" }),
      ["expireAt"]
    ]
  ])("%s", async (_, call, paths) => {
    const error = await rejectionOf(call(client()))
    assert.instanceOf(error, InvalidRequestError)
    assert.deepStrictEqual(
      (error instanceof InvalidRequestError ? error.issues : []).map(({ path }) => path),
      paths
    )
    assert.lengthOf(api.received, 0)
  })
})

it("the test client judges as a service does", async () => {
  await using headgate = createTestClient()
  const create = headgate.keys.create({ organizationId: sampleOrganizationId, name: "", roles: [unlisted("dev")] })
  const error = await rejectionOf(create)
  assert.deepStrictEqual(error instanceof InvalidRequestError && error.issues.map(({ path }) => path), [
    "name",
    "roles[0]"
  ])
})

describe("a request without the judgement of its values is the same request", () => {
  const rows = [neutral, clickhouse].flatMap((dialect) =>
    Object.entries(operations(dialect)).flatMap(([noun, table]) =>
      Object.entries(table).flatMap(([name, { payload }]) => {
        const example: unknown = Reflect.get(Reflect.get(examples(dialect), noun), name).payload
        return example === undefined ? [] : [[`${dialect.name} ${noun}.${name}`, payload, example] as const]
      })
    )
  )
  it.each<readonly [string, Schema.Codec<any, unknown>, unknown]>(rows)("%s", (_, payload, example) => {
    const types = typesOnly(payload)
    assert.deepStrictEqual(Schema.encodeUnknownSync(types)(Schema.decodeUnknownSync(types)(example)), example)
  })
})
