// Servers that move rows from Kafka to the ClickHouse engine, and what a caller sees of them.
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import { frontUser } from "../../../../packages/mover-clickhouse/test/support/httpFront.ts"
import { basic } from "./liveServer.ts"
import { readCredentials, serverProcessIn } from "./processes.ts"

/** Where a warehouse answers. */
interface Warehouse {
  readonly url: string
}

/** What a server reads the user of its warehouse from. */
export const warehouseEnvironment = {
  HEADGATE_WAREHOUSE_USER: frontUser.name,
  HEADGATE_WAREHOUSE_PASSWORD: frontUser.password
}

/** Runs a statement of the warehouse; its answer as TSV. */
export const query = ({ url }: Warehouse, sql: string) =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: basic(frontUser.name, frontUser.password) },
      body: sql
    })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text.trim()
  })

let databases = 0

/** A database of the warehouse that no other test has. */
export const newDatabase = Effect.fnUntraced(function* (warehouse: Warehouse) {
  databases += 1
  const database = `served_${process.pid}_${databases}`
  yield* query(warehouse, `CREATE DATABASE ${database}`)
  return database
})

/** Who calls: a key of an organization, and the service whose pipes it reaches. */
export interface Caller {
  readonly organizationId: string
  readonly serviceId: string
  readonly keyId: string
  readonly keySecret: string
}

/** The operations of the pipes of a service, over HTTP. */
export const pipesOf =
  (url: string, { keyId, keySecret, organizationId, serviceId }: Caller) =>
  (method: string, path = "", body?: unknown) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}/v1/organizations/${organizationId}/services/${serviceId}/dbpipes${path}`, {
        method,
        headers: { authorization: basic(keyId, keySecret), "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      return { status: response.status, text, json: text === "" ? undefined : JSON.parse(text) }
    })

/**
 * A server, and what a caller does with it. Its credentials are in a file of the directory, which its first start writes. `env` is
 * added to its environment.
 */
export const startServing = Effect.fnUntraced(function* (
  directory: string,
  env: Record<string, string>,
  ...args: ReadonlyArray<string>
) {
  const file = join(directory, "credentials.json")
  const server = yield* serverProcessIn({ ...warehouseEnvironment, ...env }, "--credentials-file", file, ...args)
  const [owner] = readCredentials(file)
  assert.isDefined(owner)
  const { keyId, keySecret, organization, services } = owner!
  const call = pipesOf(server.url, {
    organizationId: organization.id,
    serviceId: services[0]!.id,
    keyId,
    keySecret
  })
  return {
    ...server,
    call,
    create: Effect.fnUntraced(function* (request: unknown) {
      const { json, status } = yield* call("POST", "", request)
      assert.strictEqual(status, 200, JSON.stringify(json))
      return String(json.result.id)
    }),
    statusOf: (id: string) => Effect.map(call("GET", `/${id}/status`), ({ json }) => json.result),
    setState: (id: string, command: string) => call("PATCH", `/${id}/state`, { command })
  }
})
export type Serving = Effect.Success<ReturnType<typeof startServing>>

/** Waits until something holds. The test's timeout ends what never does. */
export const until = <E>(holds: Effect.Effect<boolean, E>): Effect.Effect<void, E> =>
  Effect.flatMap(holds, (does) => (does ? Effect.void : Effect.andThen(Effect.sleep("100 millis"), until(holds))))

export const untilState = (server: Serving, id: string, state: string) =>
  until(Effect.map(server.statusOf(id), (status) => status.state === state))

/** Messages with numbers from `first` on. */
export const rows = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => `{"n":${first + index},"text":"row ${first + index}"}`)

/** How many rows the table has, and how many different ones. */
export const counts = (warehouse: Warehouse, database: string) =>
  query(warehouse, `SELECT count(), uniqExact(n) FROM ${database}.t`)

export const untilRows = (warehouse: Warehouse, database: string, count: number) =>
  until(Effect.map(counts(warehouse, database), (found) => found.startsWith(`${count}\t`)))
