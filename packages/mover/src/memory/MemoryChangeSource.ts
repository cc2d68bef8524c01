import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { Change, ChangeSource, CopiedTable, SourceTable, UnfitRow } from "../port/ChangeSource.ts"
import { CannotContinue, PositionLost } from "../range/MoveError.ts"

/**
 * A change of a table of {@link MemoryChangeSource}. `put` is a row as a line of TSV, with the columns of the table, in the place of
 * the one with the same key. A key is the fields of the key's columns, in their order, joined by tabs: `remove` deletes the row that
 * has it, and `unfit` puts a row there that the types of the target cannot hold.
 *
 * @example
 * ```ts
 * import type { MemoryChange } from "@headgate/mover/memory"
 *
 * export const changes: ReadonlyArray<MemoryChange> = [
 *   { table: "users", put: "1\tAda" },
 *   { table: "users", remove: "2" }
 * ]
 * ```
 */
export type MemoryChange =
  | { readonly table: string; readonly put: string }
  | { readonly table: string; readonly remove: string }
  | { readonly table: string; readonly unfit: string; readonly row: UnfitRow }
  | { readonly table: string; readonly truncate: true }

/** What a source in memory copies. `rowsPerPart`: how many rows a part of a snapshot has, by default 100. */
export interface MemoryChangeSourceOptions {
  readonly tables: ReadonlyArray<SourceTable>
  readonly mode?: ChangeSource["Service"]["mode"]
  readonly identity?: string
  readonly rowsPerPart?: number
}

/** A row, or one that the types of the target cannot hold. */
type Row = { readonly fields: ReadonlyArray<string> } | { readonly unfit: UnfitRow }

/** The rows of each table, by their keys. */
type Tables = ReadonlyMap<string, ReadonlyMap<string, Row>>

/** A transaction in the log. Each change and each commit has a place of its own. */
interface Transaction {
  readonly changes: ReadonlyArray<{ readonly place: number; readonly change: MemoryChange }>
  readonly end: number
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

  const tableOf = (name: string): SourceTable => {
    const found = tables.find((table) => table.name === name)
    if (found === undefined) throw new Error(`${name} is no table of the source`)
    return found
  }

  const pick = (table: SourceTable, fields: ReadonlyArray<string>, names: ReadonlyArray<string>) =>
    names.map((name) => fields[table.columns.findIndex((column) => column.name === name)] ?? "")

  const apply = (change: MemoryChange): void => {
    const table = tableOf(change.table)
    const now = new Map(rows.get(change.table))
    if ("put" in change) {
      const fields = change.put.split("\t")
      now.set(pick(table, fields, table.key).join("\t"), { fields })
    } else if ("remove" in change) now.delete(change.remove)
    else if ("unfit" in change) now.set(change.unfit, { unfit: change.row })
    else now.clear()
    rows = new Map([...rows, [change.table, now]])
  }

  /** A row as the port has it, in this version. */
  const lineOf = (copied: CopiedTable, fields: ReadonlyArray<string>, isDeleted: boolean, version: bigint): string => {
    const names = copied.columns.map(({ name }) => name)
    return [...pick(tableOf(copied.name), fields, names), isDeleted ? "1" : "0", version].join("\t")
  }

  const removal = (copied: CopiedTable, key: string, version: bigint): Change => {
    const values = key.split("\t")
    const fields = tableOf(copied.name).columns.map(({ name }) => values[copied.key.indexOf(name)] ?? String.raw`\N`)
    return { _tag: "Row", table: copied.name, row: lineOf(copied, fields, true, version) }
  }

  const changesOf = (
    { changes, end }: Transaction,
    copied: ReadonlyMap<string, CopiedTable>
  ): ReadonlyArray<Change> => [
    ...changes.flatMap(({ change, place }): ReadonlyArray<Change> => {
      const table = copied.get(change.table)
      if (table === undefined) return []
      const version = table.base + BigInt(place)
      if ("put" in change) {
        return [{ _tag: "Row", table: table.name, row: lineOf(table, change.put.split("\t"), false, version) }]
      }
      if ("remove" in change) return [removal(table, change.remove, version)]
      // The table holds the rows that fit, so an earlier version of this one goes.
      if ("unfit" in change) {
        return [{ _tag: "Unfit", table: table.name, row: change.row }, removal(table, change.unfit, version)]
      }
      return [{ _tag: "Truncate", table: table.name, version }]
    }),
    { _tag: "Commit", position: String(end) }
  ]

  /** The rows of a part. It says from which key on and up to which one it is; the first and the last part have one of them alone. */
  const rowsOf = (all: Tables, { name }: SourceTable, part: string): ReadonlyArray<Row> => {
    const [from, to] = part.split("\n")
    return Array.from(all.get(name) ?? [])
      .filter(([key]) => (from === "" || key >= (from ?? "")) && (to === "" || key < (to ?? "")))
      .map(([, row]) => row)
  }

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
            Stream.map(({ fields }) => encoder.encode(`${lineOf(table, fields, false, table.base)}\n`))
          ),
        readBad: (table, part) =>
          Stream.fromIterable(rowsOf(all, table, part)).pipe(
            Stream.filter((row) => "unfit" in row),
            Stream.map(({ unfit }) => unfit)
          )
      }
    }),
    follow: Effect.fn("MemoryChangeSource.follow")(function* (position, followed) {
      const copied = new Map(followed.map((table) => [table.name, table] as const))
      const queue = yield* Queue.unbounded<ReadonlyArray<Change>>()
      const give = (transaction: Transaction): void => {
        Queue.offerUnsafe(queue, changesOf(transaction, copied))
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
        for (const change of changes) apply(change)
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
