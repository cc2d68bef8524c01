import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { serviceId, snapshot } from "./support/fullSnapshot.ts"
import { basic } from "./support/liveServer.ts"
import { readCredentials, serverProcess, temporaryDirectory } from "./support/processes.ts"

const secret = "a password in a field that nobody knows"
const kafka = { type: "kafka", format: "JSONEachRow", brokers: "b.example.com:9092", topics: "orders" }
const destination = {
  database: "default",
  table: "orders",
  managedTable: true,
  columns: [{ name: "id", type: "UInt64" }]
}
const newPipe = (fields: object) => ({ name: "x", destination, source: { kafka: { ...kafka, ...fields } } })

/** A server over a store of its own, and the files and URL of its pipes. */
const start = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const data = join(directory, "data")
  const credentials = join(directory, "credentials.json")
  const file = join(directory, "snapshot.json")
  writeFileSync(file, JSON.stringify(snapshot))
  const serve = Effect.fnUntraced(function* (...flags: ReadonlyArray<string>) {
    const server = yield* serverProcess("--data", data, "--import", file, "--credentials-file", credentials, ...flags)
    const { keyId, keySecret, organization } = readCredentials(credentials)[0]!
    const pipes = `${server.url}/v1/organizations/${organization.id}/services/${serviceId}/dbpipes`
    const send = (method: string, body: object, path = "") =>
      Effect.promise(async () => {
        const headers = { authorization: basic(keyId, keySecret), "content-type": "application/json" }
        const response = await fetch(`${pipes}${path}`, { method, headers, body: JSON.stringify(body) })
        const text = await response.text()
        assert.notInclude(text, secret)
        return { status: response.status, text, json: JSON.parse(text) }
      })
    const metrics = Effect.promise(async () => (await fetch(`${server.url}/metrics`)).text())
    return { server, send, metrics }
  })
  /** Holds that no file of the store shows the secret. */
  const searched = Effect.sync(() => {
    for (const name of readdirSync(data)) assert.notInclude(readFileSync(join(data, name), "latin1"), secret, name)
  })
  return { serve, searched }
})

describe("unknown fields of a source", () => {
  it.live("are refused, counted and logged by name, and their values are nowhere", () =>
    Effect.gen(function* () {
      const { searched, serve } = yield* start
      const { metrics, send, server } = yield* serve()
      const credentails = { username: "u", password: secret }
      const { json, status } = yield* send("POST", newPipe({ authentication: "PLAIN", credentails }))
      assert.strictEqual(status, 400)
      assert.include(json.error, "source.kafka.credentails: Unknown field: did you mean credentials?")
      yield* send("POST", newPipe({ credentails }))
      assert.include(yield* metrics, 'headgate_refused_fields_total{field="source.kafka.credentails"} 2')

      for (let n = 0; n < 8; n++) {
        const many = Array.from({ length: 20 }, (_, m) => [`field"${n}\n${m}`, secret])
        assert.strictEqual((yield* send("POST", newPipe(Object.fromEntries(many)))).status, 400)
      }
      const families = (yield* metrics).split("\n").filter((line) => line.startsWith("headgate_refused_fields_total"))
      // 100 names and one for all others.
      assert.lengthOf(families, 101)
      assert.include(families, 'headgate_refused_fields_total{field="other"} 61')
      yield* searched
      const { complaints, stdout } = yield* Effect.promise(() => server.stop())
      assert.include(complaints, 'refused the unknown field "source.kafka.credentails": it is misspelt')
      assert.notInclude(`${complaints}${stdout}`, secret)
      yield* searched
    }).pipe(Effect.scoped)
  )

  it.live("are sealed and not answered with --unknown-fields keep, and are taken from then on", () =>
    Effect.gen(function* () {
      const { searched, serve } = yield* start
      const keeping = yield* serve("--unknown-fields", "keep")
      const auth = { u: "u", p: secret }
      const made = yield* keeping.send("POST", newPipe({ auth }))
      assert.strictEqual(made.status, 200)
      const path = `/${made.json.result.id}`
      assert.strictEqual((yield* keeping.send("PATCH", { source: { kafka: { deeper: { auth } } } }, path)).status, 200)
      yield* searched
      assert.notMatch(yield* keeping.metrics, /headgate_refused_fields_total\{[^}]*\} [1-9]/)
      const { complaints, stdout } = yield* Effect.promise(() => keeping.server.stop())
      assert.notInclude(`${complaints}${stdout}`, secret)
      yield* searched

      const refusing = yield* serve()
      assert.strictEqual((yield* refusing.send("PATCH", { source: { kafka: { auth, deeper: 1 } } }, path)).status, 200)
      const other = yield* refusing.send("PATCH", { source: { kafka: { auth, other: auth } } }, path)
      assert.strictEqual(other.status, 400)
      assert.include(other.json.error, "source.kafka.other: Unknown field")
      yield* Effect.promise(() => refusing.server.stop())
      yield* searched
    }).pipe(Effect.scoped)
  )
})
