import { assert, layer } from "@effect/vitest"
import {
  ApiKeys,
  type CallError,
  Dashboards,
  OrganizationId,
  PipeId,
  type PortError,
  Pipes,
  ServiceId
} from "@headgate/core"
import { type ConnectionOptions, HttpAdapter } from "@headgate/http-adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { sampleFile, serviceId } from "./support/fullSnapshot.ts"
import { readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"
import { firstPipe as pipeId } from "./support/environment.ts"

// What Headgate's own client does on each of a service's bad days: the client is the published one, the service a real
// server, and what happened is what the server's journal says.

/** A call of a port, and how to see in the service what it did. */
interface Operation {
  readonly name: string
  readonly method: string
  readonly creates: boolean
  readonly run: Effect.Effect<unknown, PortError, ApiKeys | Dashboards | Pipes>
}

/** What a fault makes of an operation. */
interface Outcome {
  /** The error it ends with; none: it succeeds. */
  readonly error?: CallError["_tag"]
  /** How often the service was asked. */
  readonly requests: number
  /** How many things were created. */
  readonly created?: number
}

interface BadDay {
  readonly name: string
  /** The rule, without whom it is for. */
  readonly fault: object
  /** How many requests it hits. */
  readonly times?: number
  readonly read: Outcome
  readonly create: Outcome
  readonly attemptTimeout?: ConnectionOptions["attemptTimeout"]
}

const fine = { requests: 1, created: 1 }
const [once, always] = [1, 1000]
const afterOne = { requests: 2 }
const afterAll = { requests: 3 }

/** A create whose answer was lost is repeated with its key, and creates once. */
const repeated = { requests: 2, created: 1 }
const unread = (created: number) => ({ error: "UnexpectedResponse", requests: 1, created }) as const

const badDays: ReadonlyArray<BadDay> = [
  { name: "none", fault: { delay: 0 }, read: { requests: 1 }, create: fine },
  {
    name: "a slow answer, within the client's patience",
    fault: { delay: 50 },
    read: { requests: 1 },
    create: fine
  },
  {
    name: "an answer that comes too late, once; nothing was done",
    fault: { delay: "1 minute" },
    times: once,
    attemptTimeout: "1 second",
    read: afterOne,
    create: repeated
  },
  {
    name: "an answer that comes too late, once; all was done",
    fault: { delayAnswer: "1 minute" },
    times: once,
    attemptTimeout: "1 second",
    read: afterOne,
    create: repeated
  },
  {
    name: "a dropped connection, once; nothing was done",
    fault: { drop: "before" },
    times: once,
    read: afterOne,
    create: repeated
  },
  {
    name: "a dropped connection, once; all was done",
    fault: { drop: "after" },
    times: once,
    read: afterOne,
    create: repeated
  },
  {
    name: "dropped connections, all the time",
    fault: { drop: "before" },
    times: always,
    read: { error: "ConnectionError", ...afterAll },
    create: { error: "ConnectionError", requests: 3, created: 0 }
  },
  { name: "a body cut short, once", fault: { truncate: true }, times: once, read: afterOne, create: repeated },
  { name: "no body at all, once", fault: { truncate: 0 }, times: once, read: afterOne, create: repeated },
  {
    name: "JSON that does not parse",
    fault: { malformed: true },
    times: once,
    read: { error: "UnexpectedResponse", requests: 1 },
    create: unread(1)
  },
  { name: "a 500, once", fault: { status: 500 }, times: once, read: afterOne, create: repeated },
  {
    name: "a 500 after all was done",
    fault: { status: 500, handled: true },
    times: once,
    read: afterOne,
    create: repeated
  },
  {
    name: "a 502 of HTML, twice",
    fault: { status: 502, body: "<h1>Bad gateway</h1>" },
    times: 2,
    read: afterAll,
    create: { requests: 3, created: 1 }
  },
  { name: "a 503, once", fault: { status: 503 }, times: once, read: afterOne, create: repeated },
  {
    name: "a 503 that says when to come back, once",
    fault: { status: 503, headers: { "retry-after": "0" } },
    times: once,
    read: afterOne,
    create: { requests: 2, created: 1 }
  },
  {
    name: "a 504, all the time",
    fault: { status: 504 },
    times: always,
    read: { error: "ServerError", ...afterAll },
    create: { error: "ServerError", requests: 3, created: 0 }
  },
  { name: "a 429, twice", fault: { status: 429 }, times: 2, read: afterAll, create: { requests: 3, created: 1 } },
  {
    name: "a 429, all the time",
    fault: { status: 429, headers: { "retry-after": "0" } },
    times: always,
    read: { error: "RateLimited", ...afterAll },
    create: { error: "RateLimited", requests: 3, created: 0 }
  },
  {
    name: "a 401, which no repeat mends",
    fault: { status: 401 },
    times: once,
    read: { error: "Unauthorized", requests: 1 },
    create: { error: "Unauthorized", requests: 1, created: 0 }
  },
  {
    name: "a status that the contract does not know",
    fault: { status: 418 },
    times: once,
    read: { error: "UnexpectedResponse", requests: 1 },
    create: { error: "UnexpectedResponse", requests: 1, created: 0 }
  },
  {
    name: "a redirect, which is not followed",
    fault: { status: 302, headers: { location: "/elsewhere" } },
    times: once,
    read: { error: "UnexpectedResponse", requests: 1 },
    create: { error: "UnexpectedResponse", requests: 1, created: 0 }
  }
]

// No pauses: what is counted here is requests, on a real clock.
const atOnce = Effect.provideService(Random.Random, { nextDoubleUnsafe: () => 0, nextIntUnsafe: () => 0 })

/** A server for these tests alone, and how to steer it: each begins with a reset. */
const started = Effect.gen(function* () {
  const file = join(yield* temporaryDirectory, "credentials.json")
  const sample = fileURLToPath(sampleFile)
  const { url } = yield* serverProcess("--memory", "--admin", "--import", sample, "--credentials-file", file)
  const { keyId, keySecret, organization, token } = readCredentials(file)[0]!
  const steer = (method: string, path: string, body?: object) =>
    Effect.promise(async (): Promise<any> => {
      const headers = { "content-type": "application/json" }
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const response = await fetch(`${url}/_admin/${path}`, init)
      if (!response.ok) throw new Error(await response.text())
      return response.json()
    })
  const layerPorts = (options: Partial<ConnectionOptions>) =>
    Layer.merge(
      HttpAdapter.layerManagement({ baseUrl: url, keyId, keySecret: Redacted.make(keySecret), ...options }),
      HttpAdapter.layerObservability({ baseUrl: url, token: Redacted.make(token), ...options })
    ).pipe(Layer.provide(FetchHttpClient.layer))
  const organizationId = OrganizationId.make(organization.id)
  const address = { organizationId, serviceId: ServiceId.make(serviceId), pipeId: PipeId.make(pipeId) }
  const operations: ReadonlyArray<Operation> = [
    { name: "pipes.get", method: "GET", creates: false, run: Pipes.use((pipes) => pipes.get(address)) },
    { name: "dashboards.list", method: "GET", creates: false, run: Dashboards.use(({ list }) => list()) },
    {
      name: "keys.create",
      method: "POST",
      creates: true,
      run: ApiKeys.use((keys) => keys.create({ organizationId }, { name: "x" }))
    },
    {
      name: "dashboards.create",
      method: "POST",
      creates: true,
      run: Dashboards.use((dashboards) => dashboards.create({ name: "x" }))
    }
  ]
  return { steer, layerPorts, operations }
})

class Service extends Context.Service<Service, Effect.Success<typeof started>>()("test/Service") {
  static readonly layer = Layer.effect(Service, started)
}

/** One operation on one bad day, and what the service saw of it. */
const check = Effect.fnUntraced(function* (
  { layerPorts, steer }: Service["Service"],
  { attemptTimeout = "1 minute", create, fault, read, times }: BadDay,
  { creates, method, name, run }: Operation
) {
  const expected = creates ? create : read
  yield* steer("POST", "reset")
  yield* steer("PUT", "faults", {
    rules: [{ id: "bad-day", match: { method, ...(times === undefined ? {} : { times }) }, ...fault }]
  })
  const exit = yield* run.pipe(Effect.provide(layerPorts({ attemptTimeout })), atOnce, Effect.exit)

  const { matched, requests } = yield* steer("GET", `requests?method=${method}`)
  assert.strictEqual(matched, expected.requests, `${name}: requests that the service saw`)
  const faulty = requests.filter((request: any) => request.fault === "bad-day").length
  assert.strictEqual(faulty, Math.min(times ?? Number.POSITIVE_INFINITY, expected.requests))
  if (creates) {
    // What a reset has to take out of the store beyond what it puts back is what was created.
    const { removed, restored } = yield* steer("POST", "reset")
    assert.strictEqual(removed - restored, expected.created, `${name}: what was created`)
  }
  if (expected.error === undefined) return assert.isTrue(Exit.isSuccess(exit), `${name}: ${String(exit)}`)
  const error = yield* Effect.flip(exit)
  assert.deepStrictEqual([error._tag, error.attempts], [expected.error, expected.requests], error.message)
  // The id of the last answer is the one under which the service knows the request.
  if (error.requestId !== undefined) assert.strictEqual(error.requestId, requests.at(-1).requestId)
  if (creates && ["ServerError", "TimeoutError", "ConnectionError", "UnexpectedResponse"].includes(error._tag)) {
    const says = "it may have taken effect: look before you repeat it"
    if (error.status === undefined || error.status >= 500 || error.status === 200) assert.include(error.message, says)
  }
})

layer(Service.layer, { excludeTestServices: true })("the client, on a day with", (it) => {
  for (const badDay of badDays) {
    it.effect(badDay.name, () =>
      Effect.gen(function* () {
        const service = yield* Service
        yield* Effect.forEach(service.operations, (operation) => check(service, badDay, operation), { discard: true })
      })
    )
  }

  it.effect("a lost answer repeats a create if it was told to, with the same key", () =>
    Effect.gen(function* () {
      const { layerPorts, operations, steer } = yield* Service
      yield* steer("POST", "reset")
      yield* steer("PUT", "faults", { rules: [{ match: { times: 1 }, drop: "after" }] })
      for (const { creates, run } of operations.slice(-1)) {
        assert.isTrue(creates)
        yield* run.pipe(Effect.provide(layerPorts({ retryCreates: true })), atOnce)
      }
      const { removed, restored } = yield* steer("POST", "reset")
      assert.strictEqual(removed - restored, 1)
    })
  )

  it.effect("a service that says when to come back waits that long", () =>
    Effect.gen(function* () {
      const { layerPorts, operations, steer } = yield* Service
      yield* steer("POST", "reset")
      const rule = { match: { times: 1 }, status: 503, headers: { "Retry-After": "1" } }
      yield* steer("PUT", "faults", { rules: [rule] })
      for (const { run } of operations.slice(0, 1)) yield* run.pipe(Effect.provide(layerPorts({})), atOnce)
      const { requests } = yield* steer("GET", "requests")
      const [first, second] = requests.map(({ time }: any) => Date.parse(time))
      // Not sooner: how much later is the machine's affair.
      assert.isAtLeast(second - first, 990)
    })
  )
})
