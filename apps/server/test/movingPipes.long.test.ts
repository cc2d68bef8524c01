import { assert, describe, it } from "@effect/vitest"
import { pipeRequests } from "@headgate/conformance/fixtures"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describePostgres } from "../../../packages/sql-adapter/test/support/postgres.ts"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { serverProcess, temporaryDirectory } from "./support/processes.ts"
import { as, pipePath, environment } from "./support/environment.ts"

const authorization = as("admin")
const idOf = (n: number) => `00000000-0000-4000-8000-0000000a${String(n).padStart(4, "0")}`

const { bigquery, kafka, postgres: replicated, publicFiles } = pipeRequests

/**
 * Requests for a pipe of each life cycle, where the pipe ends, and where it ends if it is then stopped. A one-shot pipe may be
 * completed before.
 */
const kinds = [
  { body: kafka, created: "Running", stopped: ["Stopped"] },
  { body: publicFiles, created: "Completed", stopped: ["Completed", "Stopped"] },
  { body: replicated, created: "Running", stopped: ["Paused"] },
  { body: bigquery, created: "Completed", stopped: ["Completed", "Paused"] }
] as const

/** Twelve of them. */
const twelve = Array.from({ length: 12 }, (_, n) => ({ id: idOf(n), ...kinds[n % kinds.length]! }))

const [sample, other] = environment.organizations
const snapshotOf = (pipes: ReadonlyArray<object>) => ({
  organizations: [{ ...sample, services: [{ id: serviceId, name: "service", pipes }] }, other]
})

const request = (url: string, path: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const headers = { authorization, "content-type": "application/json" }
    const response = await fetch(`${url}${path}`, { ...init, headers })
    const body: any = await response.json()
    return { status: response.status, result: body.result, error: body.error }
  })

const pipesPath = `/v1/organizations/${organizationId}/services/${serviceId}/dbpipes`

/** Creates the twelve pipes, which get ids. */
const create = (url: string) =>
  Effect.forEach(
    twelve,
    ({ body, ...rest }) =>
      Effect.map(request(url, pipesPath, { method: "POST", body: JSON.stringify(body) }), ({ result, status }) => {
        assert.strictEqual(status, 200)
        return { ...rest, id: String(result.id) }
      }),
    { concurrency: 4 }
  )

const listed = (url: string) =>
  Effect.map(
    request(url, pipesPath),
    ({ result }) => new Map<string, string>(result.map(({ id, state }: any) => [id, state]))
  )

const stop = (url: string, id: string) =>
  request(url, `${pipePath(id)}/state`, { method: "PATCH", body: JSON.stringify({ command: "stop" }) })

/** Where each state stands among those that a pipe of these kinds passes: no pipe ever goes back. */
const order = ["Provisioning", "Setup", "Snapshot", "Running", "Completed", "Stopping", "Pausing", "Stopped", "Paused"]

describePostgres("pipes between states", (postgres) => {
  it.live("created on one server and stopped on another end where they should, after one is killed", () =>
    Effect.gen(function* () {
      const { lendDatabase } = yield* postgres
      const database = Redacted.value(yield* lendDatabase)
      const file = join(yield* temporaryDirectory, "no-pipes.json")
      writeFileSync(file, JSON.stringify(snapshotOf([])))
      const serve = (...args: ReadonlyArray<string>) =>
        serverProcess("--database-url", database, "--step", "400ms", "--access-log", "off", ...args)
      const second = yield* serve()
      const first = yield* serve("--import", file)

      const seen = new Map<string, number>()
      const watch = Effect.map(listed(second.url), (states) => {
        for (const [id, state] of states) {
          const place = order.indexOf(state)
          assert.isAtLeast(place, seen.get(id) ?? 0, `${id} went back to ${state}`)
          seen.set(id, place)
        }
        return states
      })
      const moving = yield* create(first.url)
      assert.strictEqual((yield* watch).size, moving.length)
      // Every second pipe is stopped on the other server while it is between states, then the first one is killed.
      const stopped = new Set(moving.filter((_, n) => n % 8 < 4).map(({ id }) => id))
      yield* Effect.forEach(
        stopped,
        (id) =>
          Effect.flatMap(stop(second.url, id), ({ status }) => Effect.sync(() => assert.strictEqual(status, 200))),
        { concurrency: 4 }
      )
      yield* Effect.promise(() => first.stop("SIGKILL"))

      const ends = (states: ReadonlyMap<string, string>) =>
        Array.from(states.values()).every((state) => ["Running", "Completed", "Stopped", "Paused"].includes(state))
      const states = yield* Effect.repeat(watch, {
        until: ends,
        schedule: Schedule.upTo(Schedule.spaced("50 millis"), { duration: "2 minutes" })
      }).pipe(Effect.andThen(watch))
      for (const { created, id, stopped: afterStop } of moving)
        assert.include(stopped.has(id) ? afterStop : [created], states.get(id), id)

      // A third server over the database goes on with what it finds.
      const third = yield* serve()
      assert.deepStrictEqual(yield* listed(third.url), states)
    }).pipe(Effect.scoped)
  )
})

describe("pipes between states over SQLite", () => {
  it.live("go on after the server was killed and started again", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const file = join(directory, "pipes.json")
      const pipes = twelve.map(({ body, id }) => ({ ...body, id, serviceId, state: "Provisioning" }))
      writeFileSync(file, JSON.stringify(snapshotOf(pipes)))
      const args = ["--data", join(directory, "data"), "--step", "2s", "--access-log", "off"]
      const killed = yield* serverProcess(...args, "--import", file)
      assert.deepStrictEqual(new Set((yield* listed(killed.url)).values()), new Set(["Provisioning"]))
      yield* Effect.promise(() => killed.stop("SIGKILL"))
      yield* Effect.sleep("7 seconds")
      const { url } = yield* serverProcess(...args)
      const states = yield* listed(url)
      for (const { created, id } of twelve) assert.strictEqual(states.get(id), created, id)
    }).pipe(Effect.scoped)
  )
})
