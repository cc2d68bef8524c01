import { assert, describe, it } from "@effect/vitest"
import { Snapshots } from "@headgate/core"
import { PipeMover } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Scope } from "effect/Scope"
import { writeFileSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { describePostgres, sealingKey } from "../../../packages/sql-adapter/test/support/postgres.ts"
import { openStore } from "../src/store/openStore.ts"
import type { StoreOptions } from "../src/store/chooseStore.ts"
import { organizationId, serviceId } from "./support/fullSnapshot.ts"
import { call, liveServer } from "./support/liveServer.ts"
import { temporaryDirectory } from "./support/processes.ts"
import { decodeSnapshot } from "./support/stores.ts"
import { as, firstPipe, keysPath, otherOrganizationId, pipePath, environment } from "./support/environment.ts"

const creationCount = 20
const readCount = 200

/** A source that accepts connections and never answers. */
const silentSource = Effect.acquireRelease(
  Effect.promise(async () => {
    const sockets = new Set<Socket>()
    const counts = { asked: 0 }
    let onAsked = () => {}
    const server = createServer((socket) => {
      sockets.add(socket)
      counts.asked += 1
      socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy())
      onAsked()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return {
      server,
      sockets,
      counts,
      port,
      /** Until so many ask at once. */
      held: (count: number) =>
        new Promise<void>((resolve) => {
          onAsked = () => void (sockets.size >= count && resolve())
          onAsked()
        }),
      end: () => sockets.forEach((socket) => socket.destroy())
    }
  }),
  ({ end, server }) =>
    Effect.sync(() => {
      end()
      server.close()
    })
)

/** A mover that asks the source for each new pipe, for as long as the source holds the connection. */
const moverOf = (port: number) => ({
  ...PipeMover.defaultValue(),
  warehouses: new Set(["*"]),
  checkDestination: () =>
    Effect.callback<string>((resume) => {
      const socket = connect(port, "127.0.0.1")
      socket.on("error", () => {}).on("close", () => resume(Effect.succeed("*")))
      return Effect.sync(() => socket.destroy())
    })
})

const request = {
  source: { kafka: { type: "kafka", format: "JSONEachRow", brokers: "b.example.com:9092", topics: "orders" } },
  destination: { database: "default", table: "orders", managedTable: true, columns: [] }
}
const pipesPath = `/v1/organizations/${organizationId}/services/${serviceId}/dbpipes`

const create = (n: number) =>
  call(pipesPath, {
    authorization: as("admin"),
    body: { name: `orders ${n}`, ...request },
    headers: { "idempotency-key": `creation-${n}` }
  })
const createAll = Effect.forEach(
  Array.from({ length: creationCount }, (_, n) => n),
  create,
  { concurrency: "unbounded" }
)

/** What other callers read: another organization, and another key of the same one. */
const reads = [
  call(keysPath(otherOrganizationId), { authorization: as("foreign-admin") }),
  call(pipePath(firstPipe), { authorization: as("developer") }),
  call(pipesPath, { authorization: as("developer") }),
  call(keysPath(), { authorization: as("developer") })
]

const serves = (optionsOf: Effect.Effect<StoreOptions, never, Scope>) =>
  it.live("nobody waits for creations whose source accepts and never answers", () =>
    Effect.gen(function* () {
      const source = yield* silentSource
      const store = openStore(yield* optionsOf)
      const filled = Layer.effectDiscard(
        Snapshots.use((snapshots) => snapshots.import(decodeSnapshot(environment)))
      ).pipe(Layer.provideMerge(store))
      const mover = Layer.succeed(PipeMover, moverOf(source.port))
      yield* Effect.gen(function* () {
        const creating = yield* Effect.forkChild(createAll)
        yield* Effect.promise(() => source.held(creationCount))
        // The source is held until these are answered: a read that waited for it would never be.
        const rounds = Array.from({ length: readCount / reads.length }, () => reads).flat()
        const answers = yield* Effect.forEach(rounds, (read) => read, { concurrency: 8 })
        assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
        assert.lengthOf(answers, readCount)
        const ready = yield* call("/readyz")
        assert.deepStrictEqual([ready.status, ready.json], [200, { status: "ready" }])
        assert.isUndefined(creating.pollUnsafe())
        assert.strictEqual(source.sockets.size, creationCount)

        source.end()
        const created = yield* Fiber.join(creating)
        assert.deepStrictEqual(new Set(created.map(({ status }) => status)), new Set([200]))
        const ids = created.map(({ json }) => json.result.id)
        assert.strictEqual(new Set(ids).size, creationCount)
        const repeated = yield* createAll
        assert.deepStrictEqual(
          repeated.map(({ json }) => json.result.id),
          ids
        )
        assert.strictEqual(source.counts.asked, creationCount)
      }).pipe(Effect.provide(liveServer(Layer.merge(filled, mover))))
    })
  )

const none = { data: Option.none(), databaseUrl: Option.none(), sealingKeyFile: Option.none() }

describe("over SQLite", () => {
  serves(Effect.map(temporaryDirectory, (directory) => ({ ...none, data: Option.some(directory) })))
})

describePostgres("over Postgres", (postgres) =>
  serves(
    Effect.gen(function* () {
      const { lendDatabase } = yield* postgres
      const keyFile = join(yield* temporaryDirectory, "sealing.key")
      writeFileSync(keyFile, Redacted.value(sealingKey))
      return { ...none, databaseUrl: Option.some(yield* lendDatabase), sealingKeyFile: Option.some(keyFile) }
    })
  )
)
