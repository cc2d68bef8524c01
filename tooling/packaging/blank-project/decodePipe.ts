// A service that reads a pipe from a queue: it uses the schemas of core and nothing else of Headgate.
import { fieldIssues, Pipe, PipeSource } from "@headgate/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { strict as assert } from "node:assert"

const document: unknown = {
  id: "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f",
  serviceId: "0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d",
  name: "orders",
  state: "Running",
  source: { objectStorage: { url: "https://acme.example.com/*.json", connectionString: "AccountKey=marked-secret" } },
  owner: "team-data"
}

const pipe = Schema.decodeUnknownSync(Pipe)(document)
assert.equal(PipeSource.kind(pipe.source), "objectStorage")
assert.equal(pipe.name, "orders")
assert.ok(!JSON.stringify(pipe).includes("marked-secret"))
assert.deepEqual(Schema.encodeSync(Pipe)(pipe), document)

const refused = Effect.runSync(Effect.flip(Schema.decodeUnknownEffect(Pipe)({ name: 1 }, { errors: "all" })))
assert.ok(fieldIssues(refused).some(({ path }) => path === "name"))

console.log(`decoded ${pipe.name}`)
