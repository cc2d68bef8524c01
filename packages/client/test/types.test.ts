// Type tests: `tsc -b` checks them. The calls are never made.
import type * as Core from "@headgate/core"
import type { Effect } from "effect/Effect"
import { describe, expectTypeOf, it } from "vitest"
import type { errorClasses } from "../src/error/errorClasses.ts"
import type * as index from "../src/index.ts"
import {
  type AnyHeadgateError,
  type ApiKey,
  type ApiKeyCreate,
  type ChartData,
  type ClientOptions,
  createClient,
  type CreatedApiKey,
  type Dashboard,
  type DashboardCreate,
  type DashboardsClient,
  type HeadgateClient,
  type InvalidRequestError,
  isHeadgateError,
  type ManagementClient,
  type NumberChartData,
  type ObservabilityClient,
  type Pipe,
  type PipeAddress,
  type PipesClient,
  reveal,
  type Secret
} from "../src/index.ts"
import { createTestClient, type Snapshot, type TestClientOptions } from "../src/testing/index.ts"
import type { answers, requests, Totals } from "./fieldTypes.ts"
import { address, organizationId } from "./support/samples.ts"

const management = { baseUrl: "https://api.test", keyId: "id", keySecret: "secret" }
const observability = { baseUrl: "https://api.test", token: "token" }

type Series = NonNullable<NonNullable<Dashboard["tiles"]>[number]["series"]>[number]

/** A value with each secret as the string that it is on the wire. */
type Json<A> = A extends string
  ? A
  : A extends Secret
    ? string
    : A extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Json<Item>>
      : A extends object
        ? { [K in keyof A]: Json<A[K]> }
        : A

/** A type without the index signature of the fields that a schema does not name. */
type Named<A> = A extends string
  ? A
  : A extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Named<Item>>
    : A extends object
      ? { [K in keyof A as string extends K ? (unknown extends A[K] ? never : K) : K]: Named<A[K]> }
      : A

describe("the data of a chart", () => {
  it("has the rows of the display type of a given config, and else of any", () => {
    const range = { from: 0, to: 1 }
    const ask = ({ charts }: ObservabilityClient) => ({
      line: charts.query({
        ...range,
        tile: { config: { displayType: "line", sourceId: "s", select: [{ aggFn: "count" }] } }
      }),
      number: charts.query({
        ...range,
        tile: { config: { displayType: "number", sourceId: "s", select: [{ aggFn: "count" }] } }
      }),
      sql: charts.query({
        ...range,
        tile: { config: { displayType: "line", configType: "sql", connectionId: "c", sqlTemplate: "SELECT 1" } }
      }),
      stored: charts.query({ ...range, tile: { dashboardId: "d", tileId: "t" } })
    })
    type Asked = ReturnType<typeof ask>
    expectTypeOf<Awaited<Asked["line"]>["rows"][number][0]>().toEqualTypeOf<number>()
    expectTypeOf<Awaited<Asked["number"]>>().toEqualTypeOf<NumberChartData>()
    expectTypeOf<Awaited<Asked["sql"]>>().toEqualTypeOf<ChartData>()
    expectTypeOf<Awaited<Asked["stored"]>>().toEqualTypeOf<ChartData>()
    const timeOf = (data: ChartData) => (data.displayType === "line" ? data.rows[0]?.[0] : undefined)
    expectTypeOf(timeOf).returns.toEqualTypeOf<number | undefined>()
  })
})

describe("a client has the methods of the APIs that were given", () => {
  it("and no others", () => {
    expectTypeOf(createClient({ management })).toEqualTypeOf<ManagementClient>()
    expectTypeOf(createClient({ observability })).toEqualTypeOf<ObservabilityClient>()
    expectTypeOf(createClient({ management, observability })).toEqualTypeOf<HeadgateClient>()
    const credentials = async () => management
    expectTypeOf(
      createClient({ management: { baseUrl: "https://api.test", credentials }, observability })
    ).toEqualTypeOf<HeadgateClient>()
    expectTypeOf<ManagementClient>().not.toHaveProperty("dashboards")
    expectTypeOf<ObservabilityClient>().not.toHaveProperty("pipes")
    expectTypeOf(createTestClient()).toExtend<HeadgateClient>()
  })

  it("and perhaps those of an API that may be undefined", () => {
    const withObservability = (given: boolean) => createClient({ management, ...(given ? { observability } : {}) })
    expectTypeOf(withObservability).returns.toEqualTypeOf<ManagementClient & Partial<ObservabilityClient>>()
    expectTypeOf(withObservability(true).pipes).toEqualTypeOf<PipesClient>()
    expectTypeOf(withObservability(true).dashboards).toEqualTypeOf<DashboardsClient | undefined>()
    const ofAny = (options: ClientOptions) => createClient(options)
    type Closeable = AsyncDisposable & Pick<HeadgateClient, "close" | "request">
    expectTypeOf(ofAny).returns.branded.toEqualTypeOf<Closeable & Partial<HeadgateClient>>()
    expectTypeOf<HeadgateClient>().toExtend<ReturnType<typeof ofAny>>()
  })

  it("and misspelt or missing options do not compile", () => {
    expectTypeOf(() => {
      // @ts-expect-error at least one API
      createClient({})
      // @ts-expect-error the option is maxRetries
      createClient({ management, maxRetrys: 3 })
      // @ts-expect-error the secret is missing
      createClient({ management: { baseUrl: "https://api.test", keyId: "id" } })
      // @ts-expect-error a key or a function that fetches one, not both
      createClient({ management: { ...management, credentials: async () => management } })
      // @ts-expect-error the function must resolve to a token
      createClient({ observability: { baseUrl: "https://api.test", credentials: async () => ({ key: "x" }) } })
      // @ts-expect-error a variable of the environment may be unset
      createClient({ management: { ...management, keySecret: process.env["HEADGATE_KEY_SECRET"] } })
    }).returns.toBeVoid()
  })
})

describe("values are plain", () => {
  it("ids and times are strings, secrets are secrets", () => {
    expectTypeOf<Pipe["id"]>().toEqualTypeOf<string>()
    expectTypeOf<Pipe["createdAt"]>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<NonNullable<NonNullable<Pipe["source"]>["objectStorage"]>["connectionString"]>().toEqualTypeOf<
      Secret | null | undefined
    >()
    expectTypeOf<Pick<PipeAddress, keyof PipeAddress>>().toEqualTypeOf<{
      readonly organizationId?: string | undefined
      readonly serviceId?: string | undefined
      readonly pipeId: string
    }>()
    expectTypeOf(reveal).returns.toBeString()
  })

  it("an open string, such as a state, is a string", () => {
    expectTypeOf((pipe: Pipe): string => pipe.state).toBeFunction()
    expectTypeOf<Exclude<Series["type"], null | undefined>>().toExtend<string>()
  })

  it("every field has the JSON type of the service, except for secrets", () => {
    expectTypeOf<Json<Pipe>>().toEqualTypeOf<Named<typeof Core.Pipe.Encoded>>()
    expectTypeOf<Json<ApiKey>>().toEqualTypeOf<Named<typeof Core.ApiKey.Encoded>>()
    expectTypeOf<Json<CreatedApiKey>>().toEqualTypeOf<Named<typeof Core.CreatedApiKey.Encoded>>()
    expectTypeOf<Json<Dashboard>>().toEqualTypeOf<Named<typeof Core.Dashboard.Encoded>>()
    expectTypeOf<Json<Snapshot>>().toEqualTypeOf<Named<typeof Core.Snapshot.Encoded>>()
  })

  it("every field is what the contract says, by a table written by hand", () => {
    expectTypeOf<Totals[number]>().toBeObject()
    expectTypeOf<keyof typeof answers>().toBeString()
    expectTypeOf<keyof typeof requests>().toBeString()
  })

  it("every field of a request accepts the JSON of the service", () => {
    expectTypeOf<Named<typeof Core.ApiKeyCreate.Encoded>>().toExtend<Omit<ApiKeyCreate, "organizationId">>()
    expectTypeOf<Named<typeof Core.DashboardCreate.Encoded>>().toExtend<DashboardCreate>()
    expectTypeOf<Named<typeof Core.Pipe.Encoded>>().toExtend<NonNullable<TestClientOptions["pipes"]>[number]>()
    expectTypeOf<Named<typeof Core.Snapshot.Encoded>>().toExtend<TestClientOptions["snapshot"]>()
  })

  it("an unknown name does not compile", () => {
    expectTypeOf(async () => {
      const headgate = createTestClient()
      // @ts-expect-error the field is expireAt
      await headgate.keys.create({ organizationId, name: "ci", expiresAt: new Date() })
      // @ts-expect-error the role is developer
      await headgate.keys.create({ organizationId, name: "ci", roles: ["dev"] })
      // @ts-expect-error the option is timeout
      await headgate.pipes.get(address, { timeoutMs: 5 })
      const pipe = await headgate.pipes.get(address)
      // @ts-expect-error the field is createdAt
      pipe.created = 1
    }).returns.resolves.toBeVoid()
  })

  it("an optional field may be undefined", () => {
    expectTypeOf(() =>
      createTestClient().keys.create(
        { organizationId, name: "ci", expireAt: undefined, roles: undefined },
        { signal: undefined, timeout: undefined, maxRetries: undefined }
      )
    ).toBeFunction()
  })

  it("a list works with await and for await", () => {
    const list = () => createTestClient().dashboards.list()
    expectTypeOf<Awaited<ReturnType<typeof list>>[number]["name"]>().toBeString()
    expectTypeOf(async () => {
      for await (const { name } of list()) expectTypeOf(name).toBeString()
    }).toBeFunction()
  })
})

describe("errors", () => {
  type ErrorOf<Port> = {
    readonly [Name in keyof Port]: Port[Name] extends (...args: never) => Effect<unknown, infer E> ? E : never
  }[keyof Port]
  type PortErrors =
    | ErrorOf<Core.Pipes["Service"]>
    | ErrorOf<Core.ApiKeys["Service"]>
    | ErrorOf<Core.Roles["Service"]>
    | ErrorOf<Core.Dashboards["Service"]>
  type Tag = PortErrors["_tag"] | "ClientClosed"

  it("of every method are exported", () => {
    expectTypeOf<typeof index>().toExtend<{
      readonly [Name in Tag as Name extends `${string}Error` ? Name : `${Name}Error`]: (typeof errorClasses)[Name]
    }>()
    expectTypeOf<"PipeNotFound" | "RateLimited">().toExtend<Tag>()
  })

  it("narrow by _tag", () => {
    const inspectError = (error: unknown) => {
      if (!isHeadgateError(error)) return
      expectTypeOf(error).toEqualTypeOf<AnyHeadgateError>()
      switch (error._tag) {
        case "InvalidRequest":
          expectTypeOf(error).toEqualTypeOf<InvalidRequestError>()
          return
        case "PipeNotFound":
          expectTypeOf(error.address.organizationId + error.address.serviceId).toBeString()
          return
        case "RateLimited":
          expectTypeOf(error.retryAfter).toEqualTypeOf<number | undefined>()
          return
        default:
          // @ts-expect-error only a PipeNotFoundError has it
          expectTypeOf(() => error.address).toBeFunction()
      }
    }
    expectTypeOf(inspectError).returns.toBeVoid()
  })
})
