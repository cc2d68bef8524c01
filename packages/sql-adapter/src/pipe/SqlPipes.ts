import { Conflict, IfMatch, type ListedPipeStatus, type PipeAddress, Pipes, versionOf } from "@headgate/core"
import {
  checkChange,
  checkVersion,
  discoverSchema,
  makePipe,
  notFound,
  type PipeChange,
  pipeChanges,
  pipeEvents,
  pipeLifecycle,
  pipeRefusals,
  pipeStatusOf,
  rejectedRows,
  Sealing,
  settingsOf,
  warnOfExternalResources,
  withVersion
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import { makeCheckLimits } from "../internal/checkLimits.ts"
import { makeCreateWithinLimits } from "../internal/createWithinLimits.ts"
import { orServerError } from "../internal/outage.ts"
import { makeTransitionTime } from "../internal/storeClock.ts"
import { forKeyShare, forUpdate, writeTransaction } from "../internal/transaction.ts"
import { makeRequireRunning, makeRequireService } from "../service/ServiceRow.ts"
import {
  atAddress,
  makeChangePipe,
  makeCurrentRows,
  makeInsertPipe,
  makeReadRecord,
  makeReadPipe,
  pipeColumns,
  type PipeRow,
  sealedChange
} from "./PipeRow.ts"
import { makeHistory } from "../internal/historyRows.ts"
import { decodePipe, decryptAvailable, encryptPipe, openedFor, openPipe } from "./pipeSecrets.ts"
import { makeReadEvents } from "./sqlPipeEvents.ts"
import { makeStatusPages } from "./statusPages.ts"

const pipeOf =
  (sealing: Sealing["Service"]) =>
  ({ document, version }: PipeRow) =>
    Effect.flatMap(Effect.orDie(decodePipe(document)), (pipe) => openPipe(sealing, withVersion(pipe, version)))

/** Deletes a pipe, in the transaction of the caller. Returns what was stored of it. */
const makeRemove = (sql: SqlClient.SqlClient) => {
  const requireRunning = makeRequireRunning(sql)
  const readRecord = makeReadRecord(sql)
  return Effect.fnUntraced(function* (address: PipeAddress) {
    yield* requireRunning(address, () => notFound("PipeNotFound", address))
    const [held] = yield* sql<Pick<PipeRow, "version">>`
      SELECT version FROM pipe WHERE ${atAddress(sql, address)} ${forUpdate(sql)}`
    if (held === undefined) return yield* notFound("PipeNotFound", address)
    yield* checkVersion(held.version)
    const record = yield* readRecord(address)
    yield* sql`DELETE FROM pipe WHERE id = ${address.pipeId}`
    return record
  })
}

/** Fails while a deleted pipe of this id leaves something in its source. */
const makeRequireCleanedUp = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* ({ pipeId }: PipeAddress) {
    const kept = yield* sql`SELECT id FROM deleted_pipe WHERE id = ${pipeId}`
    if (kept.length > 0) return yield* new Conflict({ message: pipeRefusals.notCleanedUp })
  })

/** Changes a pipe for a user, and returns it with what of its credentials opens. */
const makeChangeOpened = (sql: SqlClient.SqlClient, sealing: Sealing["Service"]) => {
  const changeStored = makeChangePipe(sql)
  return Effect.fnUntraced(function* <E>(address: PipeAddress, change: PipeChange<E>, limited?: boolean) {
    return yield* openPipe(
      sealing,
      yield* changeStored(address, sealedChange(pipeLifecycle.userChange(change)), limited)
    )
  })
}

/** What is read of pipes beside their documents. */
const readsOf = (sql: SqlClient.SqlClient) => {
  const readPipe = makeReadPipe(sql)
  const readRecord = makeReadRecord(sql)
  const readEvents = makeReadEvents(sql)
  const requireService = makeRequireService(sql)
  const statusPages = makeStatusPages(sql)
  const history = makeHistory(sql)
  const transitionTime = makeTransitionTime(sql)
  return {
    statuses: Effect.fn("SqlPipes.statuses")(function* (address) {
      const readPage = statusPages(address)
      const all: Array<ListedPipeStatus> = []
      for (let after: number | undefined = 0; after !== undefined;) {
        const { next, statuses }: Effect.Success<ReturnType<typeof readPage>> = yield* readPage(after)
        all.push(...statuses)
        after = next
      }
      return all
    }),
    events: Effect.fn("SqlPipes.events")(function* (address, query) {
      const page = yield* pipeEvents.pageOf(query)
      // Steps that are due are stored first, with their events.
      yield* readPipe(address)
      const { now } = yield* orServerError(transitionTime)
      return yield* orServerError(readEvents(address.pipeId, page, now))
    }),
    errors: Effect.fn("SqlPipes.errors")(function* (address, query) {
      return yield* rejectedRows.read(address, yield* readRecord(address), query)
    }),
    history: (address, query) => Effect.andThen(readPipe(address), history(address, query)),
    context: (address) => Effect.as(requireService(address), {})
  } satisfies Partial<Pipes["Service"]>
}

const layer: Layer.Layer<Pipes, never, SqlClient.SqlClient | SecureRandom.SecureRandom | Sealing> = Layer.effect(
  Pipes,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const sealing = yield* Sealing
    const toPipe = pipeOf(sealing)
    const random = yield* SecureRandom.SecureRandom

    const readPipe = makeReadPipe(sql)
    const currentRows = makeCurrentRows(sql)
    const requireService = makeRequireService(sql)
    const requireRunning = makeRequireRunning(sql)
    const readRecord = makeReadRecord(sql)
    const changeStored = makeChangePipe(sql)
    const changePipe = makeChangeOpened(sql, sealing)
    const insertPipe = makeInsertPipe(sql)
    const checkLimits = makeCheckLimits(sql)
    const createWithinLimits = makeCreateWithinLimits(sql)
    const transitionTime = makeTransitionTime(sql)
    const remove = makeRemove(sql)
    const requireCleanedUp = makeRequireCleanedUp(sql)
    const get = Effect.fn("SqlPipes.get")(function* (address: PipeAddress) {
      return yield* toPipe(yield* readPipe(address))
    })

    return Pipes.of({
      list: Effect.fn("SqlPipes.list")(function* (address) {
        const { organizationId, serviceId } = address
        const rows = yield* orServerError(sql<PipeRow>`
          SELECT ${pipeColumns(sql)} FROM pipe
          WHERE service_id = ${serviceId} AND organization_id = ${organizationId} ORDER BY seq`)
        if (rows.length === 0) yield* requireService(address)
        return yield* Effect.forEach(yield* currentRows(rows), toPipe)
      }),
      get,
      create: Effect.fn("SqlPipes.create")(function* (address, request) {
        const { organizationId } = address
        const missing = () => notFound("ServiceNotFound", address)
        yield* orServerError(requireRunning(address, missing))
        const start = yield* orServerError(transitionTime)
        const withinLimits = orServerError(checkLimits("pipes", organizationId, 1))
        // A source is asked outside the transaction.
        const made = yield* Effect.provideService(
          makePipe(address, request, start, withinLimits),
          SecureRandom.SecureRandom,
          random
        )
        const insert = Effect.gen(function* () {
          yield* requireRunning(address, missing, forKeyShare(sql))
          // Sealed in the transaction: a reseal comes before it or after it.
          yield* insertPipe(organizationId, yield* encryptPipe(sealing, made), { by: "caller" })
        })
        yield* orServerError(createWithinLimits("pipes", organizationId, insert, missing))
        return withVersion(made.pipe, 1)
      }),
      update: Effect.fn("SqlPipes.update")(function* (address, request) {
        const change = pipeLifecycle.userChange(yield* pipeChanges.update(request))
        const record = yield* readRecord(address)
        const checked = Effect.gen(function* () {
          yield* orServerError(requireRunning(address, () => notFound("PipeNotFound", address)))
          return yield* checkChange(
            yield* decryptAvailable(sealing, record),
            change,
            yield* orServerError(transitionTime)
          )
        })
        const version = record.warehouse === undefined ? yield* IfMatch : yield* checked
        const changed = yield* Effect.provideService(
          changeStored(address, openedFor(sealing, change)),
          IfMatch,
          version
        )
        return yield* openPipe(sealing, changed)
      }),
      delete: Effect.fn("SqlPipes.delete")(function* (address) {
        yield* warnOfExternalResources(yield* orServerError(writeTransaction(sql)(remove(address))))
      }),
      setState: Effect.fn("SqlPipes.setState")(function* (address, request) {
        return yield* changePipe(address, yield* pipeChanges.state(request), false)
      }),
      resume: Effect.fn("SqlPipes.resume")(function* (address, request) {
        return yield* changePipe(address, yield* pipeChanges.resume(request), false)
      }),
      adopt: Effect.fn("SqlPipes.adopt")(function* (address) {
        const held = yield* readRecord(address)
        yield* orServerError(requireRunning(address, () => notFound("PipeNotFound", address)))
        yield* orServerError(requireCleanedUp(address))
        // A source is asked outside the transaction.
        const change = yield* pipeChanges.adopt(address, yield* decryptAvailable(sealing, held))
        const version = (yield* IfMatch) ?? versionOf(held.pipe)
        // Again: the pipe may have been deleted and imported while its source was asked.
        const adopted = changeStored(
          address,
          (stored, start) =>
            Effect.andThen(requireCleanedUp(address), sealedChange(pipeLifecycle.userChange(change))(stored, start)),
          false
        )
        return yield* openPipe(sealing, yield* Effect.provideService(adopted, IfMatch, version))
      }),
      scale: Effect.fn("SqlPipes.scale")(function* (address, request) {
        return yield* changePipe(address, yield* pipeChanges.scaling(request))
      }),
      settings: (address) => Effect.map(get(address), settingsOf),
      updateSettings: Effect.fn("SqlPipes.updateSettings")(function* (address, request) {
        return settingsOf(yield* changePipe(address, yield* pipeChanges.settings(request)))
      }),
      discoverSchema: Effect.fn("SqlPipes.discoverSchema")(function* (address, request) {
        yield* orServerError(requireRunning(address, () => notFound("ServiceNotFound", address)))
        return yield* discoverSchema(address, request)
      }),
      status: Effect.fnUntraced(function* (address) {
        const record = yield* readRecord(address)
        return yield* pipeStatusOf(record.warehouse === undefined ? record : yield* decryptAvailable(sealing, record))
      }),
      ...readsOf(sql)
    })
  })
)

/** The `Pipes` port over SQL. */
export const SqlPipes = { layer }
