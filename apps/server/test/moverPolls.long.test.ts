import { assert, it } from "@effect/vitest"
import { fixtureIds, fixtureSnapshot, pipeRequests } from "@headgate/conformance/fixtures"
import { type PipeAddress, PipeCreate, Pipes, Snapshots } from "@headgate/core"
import { MovedPipes, PipeMover } from "@headgate/core/adapter"
import { makeAllowedSources, makePipeMover, runPipes } from "@headgate/mover-runtime"
import { MemoryConnector, MemoryLeases, MemoryLedger } from "@headgate/mover/memory"
import { SqlAdapter } from "@headgate/sql-adapter"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { connectorsOf } from "../../../packages/mover-runtime/test/support/connectors.ts"
import { makeMemoryEngine } from "../../../packages/mover-runtime/test/support/memoryEngine.ts"
import { describePostgres, sealingKey } from "../../../packages/sql-adapter/test/support/postgres.ts"

const service = { organizationId: fixtureIds.organizations.acme, serviceId: fixtureIds.services.ingest }
const request = Schema.decodeUnknownSync(PipeCreate)(pipeRequests.kinesis)

/** How many polls a change may take to reach the mover. */
const mostPolls = 4

/** The mover's loop over a store, and how often it has asked the store. */
const startMover = Effect.gen(function* () {
  const moved = yield* MovedPipes
  let polls = 0
  /** The first poll that told a state of a pipe, or that it is deleted. */
  const told = new Map<string, number>()
  const tell = (pipeId: string, what: string, poll: number) => {
    const key = `${pipeId} ${what}`
    if (!told.has(key)) told.set(key, poll)
  }
  const watched: MovedPipes["Service"] = {
    ...moved,
    changes: (after) =>
      Effect.suspend(() => {
        polls += 1
        const poll = polls
        return Effect.tap(moved.changes(after), ({ deleted, pipes }) =>
          Effect.sync(() => {
            for (const pipeId of deleted) tell(pipeId, "deleted", poll)
            for (const { address, state } of pipes) tell(address.pipeId, state, poll)
          })
        )
      })
  }
  const context = {
    moved: watched,
    store: { ledger: MemoryLedger.make().ledger, metrics: MemoryLeases.make() },
    engines: new Map([["*", makeMemoryEngine().engine]]),
    connectors: connectorsOf(MemoryConnector.make()),
    allowed: makeAllowedSources([]),
    retryTimeout: Duration.minutes(2)
  }
  const running = yield* runPipes(context)
  const mover = yield* makePipeMover(context, running, { simulateUnsupported: false })
  const until = (isTrue: () => boolean) =>
    Effect.gen(function* () {
      while (!isTrue()) yield* Effect.sleep("10 millis")
    })
  /** Makes a change, and waits until a poll tells it. */
  const reaches = Effect.fnUntraced(function* <E, R>(
    { pipeId }: PipeAddress,
    what: string,
    change: Effect.Effect<unknown, E, R>
  ) {
    const key = `${pipeId} ${what}`
    told.delete(key)
    yield* Effect.provideService(change, PipeMover, mover)
    const committed = polls
    yield* until(() => told.has(key))
    assert.isAtMost((told.get(key) ?? Infinity) - committed, mostPolls, what)
  })
  return { mover, reaches, running, until }
})

describePostgres("a mover over Postgres, while another transaction stays open", (postgres) => {
  const store = Layer.unwrap(
    Effect.gen(function* () {
      const { lendDatabase } = yield* postgres
      return SqlAdapter.layerPostgres({ url: yield* lendDatabase, sealingKey })
    })
  )

  it.live("learns of commands and deletions within four polls", () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(fixtureSnapshot, (snapshot) => Snapshots.use((snapshots) => snapshots.import(snapshot)))
      const [sql, pipes] = [yield* SqlClient, yield* Pipes]
      const [began, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const transaction = yield* sql`SELECT CAST(pg_current_xact_id() AS TEXT)`.pipe(
        Effect.andThen(Deferred.succeed(began, undefined)),
        Effect.andThen(Deferred.await(ended)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(began)
      const { mover, reaches, running, until } = yield* startMover
      for (let round = 0; round < 3; round += 1) {
        const created = Effect.provideService(pipes.create(service, request), PipeMover, mover)
        const address: PipeAddress = { ...service, pipeId: (yield* created).id }
        const stateOf = Effect.map(pipes.get(address), ({ state }) => state)
        const untilState = (state: string) =>
          Effect.gen(function* () {
            while ((yield* stateOf) !== state) yield* Effect.sleep("20 millis")
          })
        yield* untilState("Running")
        yield* reaches(address, "Stopping", pipes.setState(address, { command: "stop" }))
        yield* untilState("Stopped")
        yield* until(() => !running.has(address.pipeId))
        yield* reaches(address, "Provisioning", pipes.setState(address, { command: "start" }))
        yield* untilState("Running")
        yield* reaches(address, "deleted", pipes.delete(address))
        yield* until(() => !running.has(address.pipeId))
      }
      yield* Deferred.succeed(ended, undefined)
      yield* Fiber.join(transaction)
    }).pipe(Effect.scoped, Effect.provide(store))
  )
})
