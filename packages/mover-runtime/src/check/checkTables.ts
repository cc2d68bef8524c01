import { Conflict } from "@headgate/core"
import type { PipeRecord } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import { type MoverContext, orServerError, refuse } from "../pipe/MoverContext.ts"
import type { RequestedPipe } from "../source/sourceConfig.ts"
import { foreignTable, notOwn, tablesOf, type TableUser } from "../warehouse/tableOwners.ts"
import type { WarehouseEngine } from "../warehouse/WarehouseEngine.ts"
import { longestProbe, type Probes } from "./Probes.ts"

/**
 * Fails if one of these tables, which a pipe has not named before, is another organization's. A warehouse that does not answer
 * is asked when the pipe is opened.
 */
const checkNames = Effect.fnUntraced(function* (
  { connectors, moved }: MoverContext,
  probes: Probes,
  engine: WarehouseEngine,
  user: TableUser,
  names: ReadonlyArray<string>
) {
  const found = yield* engine.findTables(names, user.pipe.destination?.database ?? engine.database).pipe(
    Effect.timeout(longestProbe),
    Effect.orElseSucceed(() => names.map((name) => ({ name, creator: undefined }))),
    probes.withPermit
  )
  const foreign = yield* orServerError(foreignTable(moved, { engine, connectors }, user, found))
  if (foreign !== undefined) return yield* new Conflict({ message: notOwn(foreign) })
})

/** Fails if a table of a new pipe is another organization's. */
export const checkTables = Effect.fnUntraced(function* (
  context: MoverContext,
  probes: Probes,
  engine: WarehouseEngine,
  user: TableUser
) {
  const names = yield* tablesOf({ engine, connectors: context.connectors }, user.pipe)
  yield* checkNames(context, probes, engine, user, names)
})

/** The same for an update. A pipe names a new table after all pipes that name it already, however old it is. */
export const checkNewTables = Effect.fnUntraced(function* (
  context: MoverContext,
  probes: Probes,
  engine: WarehouseEngine,
  warehouse: string,
  changed: PipeRecord["pipe"],
  before: PipeRecord["pipe"]
) {
  const known = { engine, connectors: context.connectors }
  const named = new Set(yield* tablesOf(known, before))
  const names = (yield* tablesOf(known, changed)).filter((name) => !named.has(name))
  if (names.length === 0) return
  const organizations = yield* orServerError(context.moved.organizationsOf([changed.id]))
  const organizationId = organizations.get(changed.id)
  // It was deleted meanwhile.
  if (organizationId === undefined) return
  const { destination, source } = changed
  yield* checkNames(context, probes, engine, { organizationId, warehouse, pipe: { destination, source } }, names)
})

/** Fails if the destination cannot be opened, as far as the warehouse tells within some seconds. */
export const checkTable = Effect.fnUntraced(function* (
  probes: Probes,
  engine: WarehouseEngine,
  destination: RequestedPipe["destination"]
) {
  const found = yield* engine.checkDestination(destination ?? {}).pipe(
    Effect.as(undefined),
    Effect.timeout(longestProbe),
    Effect.catchTags({
      WarehouseRefused: ({ message }) => Effect.succeed(/^(destination[^ :]*): (.*)$/s.exec(message)),
      WarehouseError: () => Effect.succeed(undefined),
      TimeoutError: () => Effect.succeed(undefined)
    }),
    probes.withPermit
  )
  // Without a field it is about the warehouse, such as a grant.
  const [, path, message] = found ?? []
  if (path !== undefined && message !== undefined) return yield* refuse(path, message)
})
