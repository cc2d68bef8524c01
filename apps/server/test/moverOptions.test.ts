import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { listeningText } from "../src/commands/announcement.ts"
import { type MoverOptions, warehouseName } from "../src/mover/moverFlags.ts"
import { kafkaNeedsNode } from "../src/mover/connectors.ts"
import { openWarehouses, readWarehouses } from "../src/mover/Warehouses.ts"
import { temporaryDirectory } from "./support/processes.ts"

const none: MoverOptions = {
  warehouse: Option.none(),
  warehouses: Option.none(),
  insecureWarehouse: false,
  simulateUnsupported: false,
  role: "all",
  allowSource: [],
  trustStorage: [],
  retryTimeout: Duration.minutes(15),
  historyDays: 7
}

const environment = ConfigProvider.layer(
  ConfigProvider.fromUnknown({ HEADGATE_WAREHOUSE_USER: "mover", HEADGATE_WAREHOUSE_PASSWORD: "the-password" })
)
const read = (options: Partial<MoverOptions>) => Effect.provide(readWarehouses({ ...none, ...options }), environment)
const ofUrl = (url: string) => read({ warehouse: Option.some(url) })

describe("the warehouses of a server", () => {
  it.effect("are named by a URL without credentials, which come from the environment", () =>
    Effect.gen(function* () {
      const found = yield* ofUrl("https://ch.example.com:8443/proxy?database=events")
      assert.deepStrictEqual(found.get("*"), {
        url: "https://ch.example.com:8443/proxy",
        user: "mover",
        password: Redacted.make("the-password"),
        database: "events"
      })
      for (const url of ["https://u:the-secret@ch.example.com", "https://the-secret@ch.example.com", "no URL"]) {
        const { _tag, message } = yield* Effect.flip(ofUrl(url))
        assert.strictEqual(_tag, "UsageError")
        assert.notInclude(message, "the-secret")
      }
    })
  )

  it("are shown when the server listens, and nothing is where pipes are simulated", () => {
    const textOf = (options: Partial<MoverOptions>) => {
      const warehouse = Option.getOrUndefined(warehouseName({ ...none, ...options }))
      return listeningText("http://127.0.0.1:7420", { hasConsole: false, store: "memory", warehouse })
    }
    assert.include(textOf({ warehouse: Option.some("embedded:tables") }), "\n  pipes    move rows to embedded:tables\n")
    assert.include(
      textOf({ warehouses: Option.some("ch.json") }),
      "\n  pipes    move rows to the warehouses in ch.json\n"
    )
    assert.notInclude(textOf({}), "pipes")
  })

  it.effect("are an engine in this process", () =>
    Effect.gen(function* () {
      const found = yield* ofUrl("embedded:data/warehouse")
      assert.deepStrictEqual(found.get("*"), { directory: "data/warehouse", database: "default" })
      assert.strictEqual((yield* Effect.flip(ofUrl("embedded:")))._tag, "UsageError")
    })
  )

  it.effect("send no password over plain http to another machine, unless a flag says so", () =>
    Effect.gen(function* () {
      const far = yield* ofUrl("http://ch.example.com:8123")
      const { message } = yield* Effect.flip(openWarehouses(far, false))
      assert.notInclude(message, "the-password")
      assert.strictEqual((yield* openWarehouses(far, true)).size, 1)
      assert.strictEqual((yield* openWarehouses(yield* ofUrl("http://127.0.0.1:8123"), false)).size, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("are named for services by a file that only its owner reads", () =>
    Effect.gen(function* () {
      const path = join(yield* temporaryDirectory, "warehouses.json")
      const write = (text: string) => writeFileSync(path, text, { mode: 0o600 })
      const file = read({ warehouses: Option.some(path) })
      const id = "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d"
      write(`{"*":{"url":"https://a.example.com"},"${id}":{"url":"https://b.example.com","user":"u","password":"p"}}`)
      assert.deepStrictEqual(Array.from((yield* file).keys()), ["*", id])
      write('{"orders":{"url":"https://a.example.com"}}')
      assert.include((yield* Effect.flip(file)).message, '"orders" is neither')
      write('{"*":{"url":"https://a.example.com","password":{"the-secret":1}}}')
      assert.notInclude((yield* Effect.flip(file)).message, "the-secret")
      write('{"*":{"url":"https://u:the-secret@a.example.com"}}')
      const opened = Effect.flatMap(file, (warehouses) => Effect.scoped(openWarehouses(warehouses, false)))
      assert.notInclude((yield* Effect.flip(opened)).message, "the-secret")
      chmodSync(path, 0o640)
      assert.include((yield* Effect.flip(file)).message, "chmod 600")
    })
  )
})

describe("the client of Kafka", () => {
  it("runs on the versions of Node that it names", () => {
    for (const version of ["22.22.0", "24.6.0", "24.21.1", "25.0.0"]) assert.isUndefined(kafkaNeedsNode(version))
    for (const version of ["22.19.0", "23.11.0", "24.5.0"]) {
      assert.include(kafkaNeedsNode(version) ?? "", `this server runs on Node ${version}`)
    }
  })
})
