import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { ClickHouseEngine, type ServerOptions } from "../src/index.ts"

const options: ServerOptions = {
  url: "https://clickhouse.example.com:8443",
  user: "mover",
  password: Redacted.make("pass-5ecret"),
  database: "events"
}
const open = (change: Partial<ServerOptions>) =>
  Effect.scoped(Layer.build(ClickHouseEngine.layerServer({ ...options, ...change })))
const messageOf = (change: Partial<ServerOptions>) =>
  Effect.map(Effect.flip(open(change)), ({ _tag, message }) => {
    assert.strictEqual(_tag, "EngineConfigError")
    assert.notInclude(message, "5ecret")
    return message
  })

describe("the options of a server", () => {
  it.effect("take https, http to this machine, and http to another one on request", () =>
    Effect.gen(function* () {
      for (const url of [
        options.url,
        "http://localhost:8123",
        "http://127.1:8123",
        "http://[::1]:8123",
        "https://a.b/ch"
      ]) {
        yield* open({ url })
      }
      yield* open({ url: "http://clickhouse:8123", allowInsecureHttp: true })
      assert.include(yield* messageOf({ url: "http://clickhouse:8123" }), "allowInsecureHttp")
    })
  )

  it.effect("refuse credentials in the URL, and name the field", () =>
    Effect.gen(function* () {
      for (const url of ["https://mover:pass-5ecret@a.b", "https://mover@a.b", "http://:pass-5ecret@localhost"]) {
        const message = yield* messageOf({ url })
        assert.include(message, "without credentials: they are the options user and password")
        assert.include(message, '["url"]')
      }
    })
  )

  it.effect("refuse what is no URL of a server", () =>
    Effect.gen(function* () {
      for (const url of [
        "",
        "clickhouse",
        "ftp://a.b",
        "https://a.b?user=mover",
        "https://a.b#x",
        "file:///etc/passwd"
      ]) {
        assert.include(yield* messageOf({ url }), '["url"]', url)
      }
      assert.include(yield* messageOf({ database: "" }), '["database"]')
      assert.include(yield* messageOf({ timeout: Duration.zero }), '["timeout"]')
    })
  )
})

describe("the embedded engine", () => {
  const embedded = (load: () => Promise<unknown>) =>
    Effect.map(
      Effect.flip(
        Effect.scoped(Layer.build(ClickHouseEngine.layerEmbedded({ database: "default", directory: "data", load })))
      ),
      ({ message }) => message
    )

  it.effect("says how to install it when it is not", () =>
    Effect.gen(function* () {
      // What Node throws for a package that is not there.
      const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" })
      assert.include(yield* embedded(() => Promise.reject(missing)), "npm install chdb")
    })
  )

  it.effect("says that it does not load, or has another interface", () =>
    Effect.gen(function* () {
      const broken = new Error("libchdb.so: wrong ELF class")
      assert.include(yield* embedded(() => Promise.reject(broken)), "wrong ELF class")
      assert.include(yield* embedded(() => Promise.resolve({})), "no connection for the client")
    })
  )
})
