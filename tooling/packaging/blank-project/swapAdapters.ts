// One program with two adapters: memory, as in a test, then HTTP with a running server.
import { OrganizationId, type PipeAddress, PipeId, Pipes, PipeSource, ServiceId, Snapshot } from "@headgate/core"
import { HttpAdapter } from "@headgate/http-adapter"
import { MemoryAdapter } from "@headgate/memory-adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { strict as assert } from "node:assert"
import { readFileSync } from "node:fs"
import { setting } from "./setting.ts"

const describe = Effect.fn("describe")(function* (address: PipeAddress) {
  const pipes = yield* Pipes
  const pipe = yield* pipes.get(address)
  return `${pipe.name} reads from ${PipeSource.kind(pipe.source)} and is ${pipe.state}`
})

const address: PipeAddress = {
  organizationId: OrganizationId.make(setting("HEADGATE_ORGANIZATION")),
  serviceId: ServiceId.make(setting("HEADGATE_SERVICE")),
  pipeId: PipeId.make(setting("PIPE"))
}

const Memory = Layer.unwrap(
  Effect.map(
    Schema.decodeUnknownEffect(Schema.fromJsonString(Snapshot))(readFileSync(setting("SNAPSHOT"), "utf8")),
    (snapshot) => MemoryAdapter.layer({ snapshot })
  )
)

const Http = HttpAdapter.layerManagement({
  baseUrl: setting("HEADGATE_URL"),
  keyId: setting("HEADGATE_KEY_ID"),
  keySecret: Redacted.make(setting("HEADGATE_KEY_SECRET"))
}).pipe(Layer.provide(FetchHttpClient.layer))

const inMemory = await Effect.runPromise(describe(address).pipe(Effect.provide(Memory)))
const overHttp = await Effect.runPromise(describe(address).pipe(Effect.provide(Http)))
assert.equal(inMemory, overHttp)

const gone = describe({ ...address, pipeId: PipeId.make("00000000-0000-4000-8000-00000000dead") }).pipe(
  Effect.catchTag("PipeNotFound", (error) => Effect.succeed(`not found: ${error.address.pipeId}`))
)
assert.equal(
  await Effect.runPromise(gone.pipe(Effect.provide(Memory))),
  await Effect.runPromise(gone.pipe(Effect.provide(Http)))
)

console.log(`${overHttp}, from memory and over HTTP`)
