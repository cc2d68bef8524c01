import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { organizationId, serviceId, snapshot } from "./support/fullSnapshot.ts"
import { operate, temporaryDirectory } from "./support/processes.ts"
import { uuid } from "./support/environment.ts"

/** A store with the full snapshot. */
const store = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  const data = join(directory, "data")
  const file = join(directory, "snapshot.json")
  writeFileSync(file, JSON.stringify(snapshot))
  yield* operate("import", file, "--data", data)
  return data
})

const idIn = (output: string) => output.trim().split(/ +/).at(-1) ?? ""

describe("headgate-server organization", () => {
  it.live("adds, lists and removes organizations", () =>
    Effect.gen(function* () {
      const data = yield* store
      const added = yield* operate("organization", "add", "--name", "Acme", "--data", data)
      assert.strictEqual(added.code, 0, added.stderr)
      const id = idIn(added.stdout)
      assert.match(id, uuid)
      const again = yield* operate("organization", "add", "--name", "x", "--id", id, "--data", data)
      assert.deepStrictEqual([again.code, again.stdout], [1, ""])
      const listed = yield* operate("organization", "list", "--json", "--data", data)
      assert.deepStrictEqual(
        JSON.parse(listed.stdout).map((one: { readonly id: string }) => one.id),
        [organizationId, id]
      )
      const refused = yield* operate("organization", "remove", organizationId, "--data", data)
      assert.strictEqual(refused.code, 2)
      assert.match(
        refused.stderr,
        /with 1 services, 0 endpoints, 4 pipes, 0 roles, \d+ keys, \d+ tokens, 0 dashboards, 0 connections, 0 sources, 0 savedSearches, 0 webhooks, 0 alerts/
      )
      const removed = yield* operate("organization", "remove", organizationId, "--yes", "--data", data)
      assert.strictEqual(removed.code, 0, removed.stderr)
      const left = yield* operate("organization", "list", "--data", data)
      assert.include(left.stdout, '"Acme"')
      assert.notInclude(left.stdout, organizationId)
      assert.strictEqual((yield* operate("organization", "remove", organizationId, "--yes", "--data", data)).code, 1)
    })
  )
})

describe("headgate-server service", () => {
  it.live("adds, lists and removes services of the only organization", () =>
    Effect.gen(function* () {
      const data = yield* store
      const added = yield* operate("service", "add", "--name", "db", "--region", "eu-central-1", "--data", data)
      assert.strictEqual(added.code, 0, added.stderr)
      const id = idIn(added.stdout)
      const listed = yield* operate("service", "list", "--json", "--data", data)
      const services = JSON.parse(listed.stdout)
      assert.deepStrictEqual(
        services.map((one: { readonly id: string }) => one.id),
        [serviceId, id]
      )
      assert.deepInclude(services[1], { name: "db", region: "eu-central-1", state: "running" })
      const refused = yield* operate("service", "remove", serviceId, "--data", data)
      assert.strictEqual(refused.code, 2)
      assert.include(refused.stderr, "4 pipes")
      assert.strictEqual((yield* operate("service", "remove", serviceId, "--yes", "--data", data)).code, 0)
      const left = yield* operate("service", "list", "--data", data)
      assert.notInclude(left.stdout, serviceId)
    })
  )
})
