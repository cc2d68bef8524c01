import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { Change, ChangeSource, SourceTable } from "../port/ChangeSource.ts"
import { CannotContinue, PositionLost } from "../range/MoveError.ts"
import {
  applyChange,
  changesOf,
  lineOf,
  type MemoryChange,
  type Row,
  rowsOf,
  type Tables,
  type Transaction
} from "./memoryChanges.ts"

/** What a source in memory copies. `rowsPerPart`: how many rows a part of a snapshot has, by default 100. */
export interface MemoryChangeSourceOptions {
  readonly tables: ReadonlyArray<SourceTable>
  readonly mode?: ChangeSource["Service"]["mode"]
  readonly identity?: string
  readonly rowsPerPart?: number
}

const encoder = new TextEncoder()

const make = ({ identity = "memory", mode = "both", rowsPerPart = 100, tables }: MemoryChangeSourceOptions) => {
  const state = { identity, place: 0, keptFrom: 0 }
  /** The tables that were made again since the changes of all are kept. */
  const remade = new Set<string>()
  /** How often each table was made again. */
  const definitions = new Map<string, number>()
  const definitionOf = (name: string) => String(definitions.get(name) ?? 0)
  let rows: Tables = new Map(tables.map(({ name }) => [name, new Map<string, Row>()]))
  let log: ReadonlyArray<Transaction> = []
  const followers = new Set<(transaction: Transaction) => void>()

  const source: ChangeSource["Service"] = {
    mode,
    identity: Effect.sync(() => state.identity),
    tables: Effect.sync(() => tables.map((table) => ({ ...table, definition: definitionOf(table.name) }))),
    begin: Effect.sync(() => {
      state.keptFrom = state.place
      remade.clear()
      return String(state.place)
    }),
    resume: Effect.fn("MemoryChangeSource.resume")(function* (position, copied) {
      if (Number(position) < state.keptFrom) {
        return yield* new PositionLost({ partition: "changes", position, first: String(state.keptFrom) })
      }
      const another = Array.from(remade).find((name) => copied.has(name))
      if (another !== undefined) {
        return yield* new CannotContinue({ message: `${another} is another table now. A resync copies it` })
      }
      remade.clear()
    }),
    check: Effect.fn("MemoryChangeSource.check")(function* (copied) {
      const another = copied.find(({ copiedDefinition, name }) => copiedDefinition !== definitionOf(name))
      if (another === undefined) return []
      return yield* new CannotContinue({ message: `${another.name} is another table now. A resync copies it` })
    }),
    split: ({ name }) =>
      Effect.sync(() => {
        const keys = Array.from(rows.get(name)?.keys() ?? []).toSorted()
        const bounds = keys.filter((_, index) => index > 0 && index % rowsPerPart === 0)
        return ["", ...bounds].map((from, index) => `${from}\n${bounds[index] ?? ""}`)
      }),
    snapshot: Effect.sync(() => {
      const all = rows
      return {
        read: (table, part) =>
          Stream.fromIterable(rowsOf(all, table, part)).pipe(
            Stream.filter((row) => "fields" in row),
            Stream.map(({ fields }) => encoder.encode(`${lineOf(tables, table, fields, false, table.base)}\n`))
          ),
        readRejected: (table, part) =>
          Stream.fromIterable(rowsOf(all, table, part)).pipe(
            Stream.filter((row) => "rejected" in row),
            Stream.map(({ rejected }) => rejected)
          )
      }
    }),
    follow: Effect.fn("MemoryChangeSource.follow")(function* (position, followed) {
      const copied = new Map(followed.map((table) => [table.name, table] as const))
      const queue = yield* Queue.unbounded<ReadonlyArray<Change>>()
      const give = (transaction: Transaction): void => {
        Queue.offerUnsafe(queue, changesOf(tables, transaction, copied))
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          for (const transaction of log) if (transaction.end > Number(position)) give(transaction)
          followers.add(give)
        }),
        () => Effect.sync(() => followers.delete(give))
      )
      return {
        changes: Stream.fromQueue(queue),
        confirm: (to) =>
          Effect.sync(() => {
            state.keptFrom = Math.max(state.keptFrom, Number(to))
          })
      }
    })
  }

  return {
    source,
    /** Carries out changes as one transaction. */
    commit: (...changes: ReadonlyArray<MemoryChange>) =>
      Effect.sync(() => {
        const placed = changes.map((change) => ({ place: (state.place += 1), change }))
        const transaction = { changes: placed, end: (state.place += 1) }
        for (const change of changes) rows = applyChange(tables, rows, change)
        log = [...log, transaction]
        for (const give of followers) give(transaction)
      }),
    /** Drops a table, and makes it again without rows. */
    remake: (name: string) =>
      Effect.sync(() => {
        rows = new Map([...rows, [name, new Map<string, Row>()]])
        remade.add(name)
        definitions.set(name, 1 + (definitions.get(name) ?? 0))
      }),
    /** Forgets all changes up to now, as a source does whose slot was dropped: a pipe that has not followed them cannot go on. */
    forgetChanges: Effect.sync(() => {
      state.keptFrom = state.place
    }),
    /** Makes it another database with the same rows, as when it was restored from a backup. */
    replace: (identity: string) =>
      Effect.sync(() => {
        state.identity = identity
      })
  }
}

/**
 * Tables in memory whose changes are followed, for tests.
 *
 * @example
 * ```ts
 * import { ChangeSource } from "@headgate/mover"
 * import { MemoryChangeSource } from "@headgate/mover/memory"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const columns = [{ name: "id", type: "Int32" }, { name: "name", type: "String" }]
 * const memory = MemoryChangeSource.make({ tables: [{ name: "users", target: "users", columns, key: ["id"] }] })
 * const filled = memory.commit({ table: "users", put: "1\tAda" }, { table: "users", put: "2\tGrace" })
 * export const TestSource = Layer.effect(ChangeSource, Effect.as(filled, memory.source))
 * ```
 */
export const MemoryChangeSource = { make }
