// What a server that moves pipes costs: its memory while a topic is moved at full speed, and its CPU while nothing arrives.
import { callJson } from "@headgate/harness/JsonClient"
import { makeRandom } from "@headgate/harness/Random"
import { type ServerProcess, serverScript, startProcess } from "@headgate/harness/ServerProcess"
import {
  authorizationOf,
  makeOrganization,
  organizationDocument,
  pipePath,
  pipesPath
} from "@headgate/harness/Snapshot"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startServer } from "../../../../packages/mover-clickhouse/test/support/engine.ts"
import { frontUser } from "../../../../packages/mover-clickhouse/test/support/httpFront.ts"
import type { Events, Environment } from "./environment.ts"

const idlePipes = 100
const idleSeconds = 30

/** The largest resident memory that a process has had, in MiB. */
const peakMemory = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }))

/** The CPU time that a process has used, in seconds. */
const cpuTime = (pid: number): number => {
  // The name of the program, in brackets, may hold spaces.
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")
  const [, , , , , , , , , , , user, system] = fields.split(" ")
  return (Number(user) + Number(system)) / ticksPerSecond
}

/** A headgate-server whose warehouse is the engine behind HTTP, and what creates its pipes. */
const serve = Effect.fnUntraced(function* ({ broker, folder }: Environment, { columns, topic }: Events) {
  const warehouse = yield* startServer()
  const organization = makeOrganization(makeRandom(1))
  const { management: authorization } = authorizationOf(organization)
  // Of its own: the pipes of the server before would move on.
  const own = mkdtempSync(join(folder, "server-"))
  const snapshot = join(own, "snapshot.json")
  writeFileSync(snapshot, JSON.stringify({ organizations: [organizationDocument(organization)] }))
  const args = ["--port", "0", "--data", join(own, "data"), "--import", snapshot, "--warehouse", warehouse.url]
  const env = { HEADGATE_WAREHOUSE_USER: frontUser.name, HEADGATE_WAREHOUSE_PASSWORD: frontUser.password }
  const server: ServerProcess = yield* Effect.acquireRelease(
    Effect.promise(() => startProcess(serverScript, args, { env, keepStdout: false })),
    (running) => Effect.promise(() => running.kill())
  )
  const call = (method: string, path: string, body?: object) =>
    Effect.promise(() => callJson(server.url, { method, path, authorization, ...(body === undefined ? {} : { body }) }))
  const create = Effect.fnUntraced(function* (table: string, offset: string) {
    const { json, status } = yield* call("POST", pipesPath(organization), {
      name: table,
      source: {
        kafka: {
          type: "kafka",
          format: "JSONEachRow",
          brokers: broker.plain,
          topics: topic,
          offset: { strategy: offset }
        }
      },
      destination: {
        database: "default",
        table,
        managedTable: true,
        columns,
        tableDefinition: { engine: { type: "MergeTree" }, sortingKey: ["id"] }
      }
    })
    if (status !== 200) return yield* Effect.die(`the pipe cannot be created: ${JSON.stringify(json)}`)
    return String(json.result.id)
  })
  const statusOf = (id: string) =>
    Effect.map(call("GET", `${pipePath(organization, id)}/status`), ({ json }) => json.result)
  return { pid: server.pid, create, statusOf }
})

/** The largest memory of a server that moves all messages of the topic, in MiB. */
export const memoryAtFullSpeed = Effect.fnUntraced(function* (environment: Environment, events: Events) {
  const { create, pid, statusOf } = yield* serve(environment, events)
  const id = yield* create("full_speed", "from_beginning")
  while ((yield* statusOf(id)).rows !== events.messages) yield* Effect.sleep("200 millis")
  return peakMemory(pid)
}, Effect.scoped)

/** The share of a core that a server takes whose pipes have nothing to move, in percent. */
export const idleCpu = Effect.fnUntraced(function* (environment: Environment, events: Events) {
  const { create, pid, statusOf } = yield* serve(environment, events)
  const names = Array.from({ length: idlePipes }, (_, index) => `idle_${index}`)
  const ids = yield* Effect.forEach(names, (name) => create(name, "from_latest"))
  for (const id of ids) while ((yield* statusOf(id)).state !== "Running") yield* Effect.sleep("200 millis")
  yield* Effect.sleep("5 seconds")
  const before = cpuTime(pid)
  yield* Effect.sleep(idleSeconds * 1000)
  return (100 * (cpuTime(pid) - before)) / idleSeconds
}, Effect.scoped)
