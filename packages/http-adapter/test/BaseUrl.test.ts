import { assert, describe, it } from "@effect/vitest"
import { type CallError, Pipes } from "@headgate/core"
import { clickhouse } from "@headgate/http-contract"
import { type OperationName, sampleCallOf, samples } from "@headgate/samples"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { type ApiKeyCredentials, type ConnectionOptions, HttpAdapter, type ManagementOptions } from "../src/index.ts"
import { testedCalls } from "./support/testedCalls.ts"
import { scripted } from "./support/ScriptedClient.ts"
import { layerPorts, management, observability } from "./support/ports.ts"

const address = samples.pipe.get.params

const silentClient = scripted("silence").layer

const buildManagement = (options: Partial<ConnectionOptions & ApiKeyCredentials>) =>
  Layer.build(
    HttpAdapter.layerManagement({ baseUrl: "https://api.test", ...management, ...options }).pipe(
      Layer.provide(silentClient)
    )
  ).pipe(Effect.scoped)

const buildObservability = (options: Partial<ConnectionOptions & { readonly token: Redacted.Redacted }>) =>
  Layer.build(
    HttpAdapter.layerObservability({ baseUrl: "https://api.test", ...observability, ...options }).pipe(
      Layer.provide(silentClient)
    )
  ).pipe(Effect.scoped)

const assertNames = (error: CallError, option: string) => {
  assert.strictEqual(error._tag, "InvalidRequest")
  assert.deepStrictEqual(error._tag === "InvalidRequest" && error.issues.map(({ path }) => path), [option])
  assert.isTrue(error.message.startsWith(`${option}: Expected `))
}

describe("the base URL", () => {
  const bases: ReadonlyArray<readonly [string, string, string]> = [
    ["https://api.test", "https://api.test", ""],
    ["https://api.test/", "https://api.test", ""],
    ["https://api.test:8443/some/path//", "https://api.test:8443", "/some/path"],
    ["http://localhost:8123", "http://localhost:8123", ""],
    ["http://127.9.9.9/", "http://127.9.9.9", ""],
    ["http://127.1", "http://127.0.0.1", ""],
    ["http://[::1]:8123", "http://[::1]:8123", ""],
    ["http://[0:0:0:0:0:0:0:1]", "http://[::1]", ""]
  ]
  for (const sample of testedCalls) {
    const ends = sample.operation.api === "observability" ? ["", "api", "api/", "api/v2", "api/v2/"] : ["", "v1", "v1/"]
    for (const [base, origin, path] of bases) {
      for (const end of ends) {
        const baseUrl = end === "" ? base : `${base.replace(/\/+$/, "")}/${end}`
        it.effect(`${sample.name} at ${baseUrl}`, () =>
          Effect.gen(function* () {
            const service = scripted({ status: 418 })
            // The other API does not know this end: it is built elsewhere.
            const layer =
              sample.operation.api === "observability"
                ? Layer.merge(
                    HttpAdapter.layerObservability({ baseUrl, ...observability }),
                    HttpAdapter.layerManagement({ baseUrl: "https://other.test", ...management })
                  )
                : Layer.merge(
                    HttpAdapter.layerManagement({ baseUrl, ...management }),
                    HttpAdapter.layerObservability({ baseUrl: "https://other.test", ...observability })
                  )
            const error = yield* sample.call.pipe(Effect.provide(layer), Effect.provide(service.layer), Effect.flip)
            assert.strictEqual(service.seen[0]?.url, `${origin}${path}${sample.path}`)
            assert.strictEqual(service.seen[0]?.method, sample.operation.method)
            assert.strictEqual(error.path, `${path}${sample.path}`)
            assert.strictEqual(error.method, sample.operation.method)
          })
        )
      }
    }
  }

  it.effect("takes a URL object", () => buildManagement({ baseUrl: new URL("https://api.test/v1/") }))

  const useless = [
    "",
    "api.test",
    "/v1",
    "ftp://api.test",
    "file:///etc/passwd",
    "https://user:pass@api.test",
    "https://user@api.test",
    "https://:pass@api.test",
    "https://api.test?x=1",
    "https://api.test#x",
    "http://api.test",
    "http://10.0.0.1",
    "http://128.0.0.1",
    "http://localhost.evil.test",
    "http://127.0.0.1.evil.test",
    "http://[::2]",
    "http://[::1].evil.test",
    "http://evil.test#http://127.0.0.1"
  ]
  for (const baseUrl of useless) {
    it.effect(`refuses ${JSON.stringify(baseUrl)}, and does not repeat it`, () =>
      Effect.gen(function* () {
        const builds = [Effect.asVoid(buildManagement({ baseUrl })), Effect.asVoid(buildObservability({ baseUrl }))]
        for (const build of builds) {
          const error = yield* Effect.flip(build)
          assertNames(error, "baseUrl")
          assert.isFalse(error.message.includes("pass"))
        }
      })
    )
  }

  it.effect("allows plain http elsewhere when told so", () =>
    Effect.gen(function* () {
      yield* buildManagement({ baseUrl: "http://10.0.0.1", allowInsecureHttp: true })
      yield* buildObservability({ baseUrl: "http://10.0.0.1", allowInsecureHttp: true })
    })
  )
})

describe("two services in one program", () => {
  it.effect("each have their own address, credentials and dialect", () =>
    Effect.gen(function* () {
      const service = scripted({ status: 418 })
      const read = Pipes.use((pipes) => Effect.ignore(pipes.get(address)))
      const at = (options: Partial<ConnectionOptions & ApiKeyCredentials & Pick<ManagementOptions, "dialect">>) =>
        HttpAdapter.layerManagement({ baseUrl: "https://one.test", ...management, ...options })
      yield* read.pipe(
        Effect.provide(at({ baseUrl: "https://two.test", keyId: "two", dialect: clickhouse })),
        Effect.andThen(read),
        Effect.provide(at({})),
        Effect.provide(service.layer)
      )
      assert.deepStrictEqual(
        service.seen.map(({ url }) => url.replace(/organizations.*services/, "...")),
        [
          `https://two.test/v1/.../${address.serviceId}/clickpipes/${address.pipeId}`,
          `https://one.test/v1/.../${address.serviceId}/dbpipes/${address.pipeId}`
        ]
      )
      assert.notStrictEqual(service.seen[0]?.headers["authorization"], service.seen[1]?.headers["authorization"])
    })
  )
})

describe("credentials and identity", () => {
  const send = Effect.fnUntraced(function* (name: OperationName, userAgent?: string) {
    const service = scripted({ status: 418 })
    yield* sampleCallOf(name).call.pipe(
      Effect.provide(layerPorts({ baseUrl: "https://api.test", userAgent })),
      Effect.provide(service.layer),
      Effect.ignore
    )
    return service.seen[0]?.headers ?? {}
  })

  it.effect("are HTTP Basic on the management API and Bearer on the observability API", () =>
    Effect.gen(function* () {
      const basic = `Basic ${Buffer.from("key-id:SECRET-key-7f3a").toString("base64")}`
      assert.strictEqual((yield* send("pipe.get"))["authorization"], basic)
      assert.strictEqual((yield* send("key.create"))["authorization"], basic)
      assert.strictEqual((yield* send("dashboard.create"))["authorization"], "Bearer SECRET-token-91bc")
      assert.strictEqual((yield* send("dashboard.list"))["authorization"], "Bearer SECRET-token-91bc")
    })
  )

  it.effect("speak JSON", () =>
    Effect.gen(function* () {
      const headers = yield* send("key.create")
      assert.strictEqual(headers["accept"], "application/json")
      assert.strictEqual(headers["content-type"], "application/json")
      assert.isUndefined((yield* send("pipe.get"))["content-type"])
    })
  )

  it.effect("name the caller, after the products of an extension", () =>
    Effect.gen(function* () {
      assert.match((yield* send("pipe.get"))["user-agent"] ?? "", /^headgate\/\d+\.\d+\.\d+\S* \(node\/\d+\)$/)
      assert.match(
        (yield* send("pipe.get", "my-tool/1.2"))["user-agent"] ?? "",
        /^my-tool\/1\.2 headgate\/\S+ \(node\/\d+\)$/
      )
    })
  )

  it.effect("invalid ones are rejected when the layer is built", () =>
    Effect.gen(function* () {
      assertNames(yield* Effect.flip(buildManagement({ keyId: "" })), "keyId")
      assertNames(yield* Effect.flip(buildManagement({ keyId: "a:b" })), "keyId")
      assertNames(yield* Effect.flip(buildManagement({ keySecret: Redacted.make("") })), "keySecret")
      assertNames(yield* Effect.flip(buildManagement({ userAgent: "a\r\nb" })), "userAgent")
      for (const token of ["", "two words", "line\nbreak", "ünicode"]) {
        const error = yield* Effect.flip(buildObservability({ token: Redacted.make(token) }))
        assertNames(error, "token")
        assert.isTrue(token === "" || !error.message.includes(token))
      }
    })
  )
})
