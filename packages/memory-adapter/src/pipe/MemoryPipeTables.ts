import { type PipeTable, PipeTables } from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryStore } from "../MemoryStore.ts"

const keyOf = ({ database, pipeId, table, warehouse }: PipeTable): string =>
  JSON.stringify([pipeId, warehouse, database, table])

const layer: Layer.Layer<PipeTables, never, MemoryStore> = Layer.effect(
  PipeTables,
  Effect.gen(function* () {
    const { organizations, pipeTables } = yield* MemoryStore
    return PipeTables.of({
      opened: (tables) =>
        Effect.sync(() => {
          // A map keeps the place of a key that is set again.
          for (const table of tables) if (organizations.has(table.organizationId)) pipeTables.set(keyOf(table), table)
        }),
      list: (organizationId) =>
        Effect.sync(() =>
          Array.from(pipeTables.values()).filter(
            (table) => organizationId === undefined || table.organizationId === organizationId
          )
        ),
      forget: (warehouse, database, table) =>
        Effect.sync(() => {
          const found = Array.from(pipeTables).filter(
            ([, one]) => one.warehouse === warehouse && one.database === database && one.table === table
          )
          for (const [key] of found) pipeTables.delete(key)
          return found.length > 0
        })
    })
  })
)

/** The `PipeTables` port over a {@link MemoryStore}. */
export const MemoryPipeTables = { layer }
