import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Owner } from "../port/Ledger.ts"
import type { BadRow, Destination, LoggedObjects, LoggedPositions, Warehouse } from "../port/Warehouse.ts"
import {
  CannotContinue,
  ObjectRejected,
  RejectionChanged,
  WarehouseError,
  WarehouseRefused
} from "../range/MoveError.ts"
import { resumeBy } from "../range/Decision.ts"
import type { ObjectReference } from "../range/ObjectReference.ts"
import { describeRange, type Range, type RejectedRows, tokenOf } from "../range/Range.ts"
import { addToLog, emptyLog } from "./addToLog.ts"

/** How the destination table behaves. */
export interface MemoryWarehouseOptions {
  readonly destination?: Destination
  /** How many tokens it remembers, as a user's own table that nobody may alter. Absent: as many as the pipe asks for. */
  readonly window?: number
  /**
   * Cuts the first inserts into blocks of so many rows, later ones not at all: what `Warehouse` forbids, and what the engine
   * does with the settings of its defaults. Tests use it to see a law broken.
   */
  readonly blockRows?: ReadonlyArray<number>
  /** The rows of an object by its key, those that are blank left out; `undefined` if there is none. Absent: it cannot read objects. */
  readonly objects?: (key: string) => ReadonlyArray<string> | undefined
  /** In which partition of the table a row is. By default all are in one. */
  readonly partOf?: (text: string) => string
  /** Why a row cannot be read; `undefined` for one that can. */
  readonly rejects?: (text: string) => string | undefined
  /** By what rows are rejected: another text says that other rows may be. */
  readonly checkedBy?: () => string
}

/** A row of the table, and where it came from. */
export interface TableRow {
  readonly generation: number
  readonly partition: string
  readonly text: string
}

/** What an owner has staged: the rows that are not moved yet, by the partition of the table. */
interface Staging {
  readonly generation: number
  readonly partition: string
  readonly pipeId: string
  readonly epoch: number
  readonly ownerId: string
  readonly rows: Map<string, ReadonlyArray<string>>
}

const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]

/** How many objects of the log are read at a time. */
const objectsInMemory = 3

/** A warehouse in memory: a table, its error table, the log, and the tokens that the table remembers. */
const make = (options: MemoryWarehouseOptions = {}) => {
  const { blockRows = [], destination = { guarantee: "exactly once" }, rejects = () => undefined } = options
  const { objects = () => undefined, partOf = () => "all" } = options
  const stagings = new Map<string, Staging>()
  const rejected = new Map<string, ReadonlyArray<BadRow>>()
  const state: {
    rows: ReadonlyArray<TableRow>
    badRows: ReadonlyArray<BadRow>
    tokens: ReadonlyArray<string>
    logged: ReadonlyMap<string, LoggedPositions>
    objects: ReadonlyMap<string, LoggedObjects>
    inserts: number
    /** How many moves were interrupted, and left rows in the table and in the staging. */
    interrupted: number
    /** Tells the table from another one of its name. */
    table: number
  } = {
    rows: [],
    badRows: [],
    tokens: [],
    logged: new Map(),
    objects: new Map(),
    inserts: 0,
    interrupted: 0,
    table: 1
  }
  let window = options.window ?? 10_000
  let breaksAfter: number | undefined
  let statements = 0
  let inserts = 0

  /** Whether a token is new; from now on it is used. */
  const use = (token: string): boolean => {
    if (state.tokens.includes(token)) return false
    state.tokens = [...state.tokens, token].slice(-window)
    state.inserts += 1
    return true
  }

  const insertBlocks = ({ generation, partition }: Range, token: string, rows: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      const breaks = breaksAfter
      breaksAfter = undefined
      const size = blockRows[inserts] ?? Infinity
      inserts += 1
      for (let from = 0, block = 0; from < rows.length; from += size, block += 1) {
        const to = Math.min(rows.length, from + size)
        // The connection ends in the middle of this block, so it is not committed.
        if (breaks !== undefined && to > breaks) {
          return Effect.fail(new WarehouseError({ message: "the connection was reset during an insert" }))
        }
        // Like the engine, which gives the blocks of an insert the insert's token and their number.
        if (!use(`${token} ${block}`)) continue
        state.rows = [...state.rows, ...rows.slice(from, to).map((text) => ({ generation, partition, text }))]
      }
      return Effect.void
    })

  const logObjects = (pipeId: string, { objects, since }: LoggedObjects): void => {
    const before = state.objects.get(pipeId)
    if (before !== undefined && before.since > since) return
    const kept = before?.since === since ? before.objects : []
    const all = new Map([...kept, ...objects].map((object) => [object.key, object]))
    const sorted = Array.from(all.values()).toSorted((one, other) => (one.key < other.key ? -1 : 1))
    state.objects = new Map([...state.objects, [pipeId, { since, objects: sorted }]])
  }

  /** The rows of a statement: those that it takes, and those that it rejects. */
  const readRows = Effect.fnUntraced(function* <E>(rows: Stream.Stream<Uint8Array, E>, recorded?: RejectedRows) {
    const texts = (yield* Stream.runCollect(rows)).map((row) => decoder.decode(row))
    statements += 1
    const known = new Set(recorded?.rows)
    const rejected = texts.flatMap((text, row) => {
      const reason = rejects(text) ?? (known.has(row) ? "rejected before" : undefined)
      return reason === undefined ? [] : [{ row, reason }]
    })
    const left = new Set(rejected.map(({ row }) => row))
    return { texts: texts.filter((_, row) => !left.has(row)), rejected }
  })

  const readObject = ({ key }: ObjectReference) =>
    Effect.suspend(() => {
      statements += 1
      const texts = objects(key)
      return texts === undefined
        ? Effect.fail(new WarehouseError({ message: `there is no object ${key}` }))
        : Effect.succeed(texts.filter((text) => text.trim() !== ""))
    })

  const stageTexts = ({ epoch, id: ownerId }: Owner, range: Range, texts: ReadonlyArray<string>) => {
    const { generation, partition, pipeId } = range
    const rows = new Map<string, ReadonlyArray<string>>()
    for (const text of texts) rows.set(partOf(text), [...(rows.get(partOf(text)) ?? []), text])
    const staging = JSON.stringify([tokenOf(range), epoch, ownerId])
    stagings.set(staging, { generation, partition, pipeId, epoch, ownerId, rows })
    return { staging, parts: Array.from(rows, ([part, { length }]) => ({ part, rows: length })) }
  }

  const warehouse: Warehouse["Service"] = {
    open: (_, needed, known) =>
      Effect.suspend(() => {
        if (options.window !== undefined && options.window < needed) {
          const message = `the table remembers ${options.window} inserts and ${needed} are needed: ALTER TABLE ... MODIFY SETTING non_replicated_deduplication_window = ${needed}`
          return Effect.fail(new WarehouseRefused({ message }))
        }
        window = Math.max(window, needed)
        const found = String(state.table)
        if (known !== undefined && (known.get("table") ?? found) !== found) {
          return Effect.fail(
            new WarehouseRefused({ message: `the table is another one: ${resumeBy({ acceptTable: true })}` })
          )
        }
        return Effect.succeed({ ...destination, tables: new Map([["table", found]]) })
      }),
    insert: Effect.fn("MemoryWarehouse.insert")(function* (_, range, token, rows, { record, recorded }) {
      const { rejected, texts } = yield* readRows(rows, recorded)
      const checkedBy = options.checkedBy?.() ?? "memory"
      const other = rejected.find(({ row }) => recorded?.rows.includes(row) === false)
      if (other !== undefined && recorded?.checkedBy !== checkedBy) {
        return yield* new RejectionChanged({ range: describeRange(range), reason: other.reason })
      }
      if (rejected.length > (recorded?.rows.length ?? 0)) {
        yield* record({ rows: rejected.map(({ row }) => row), checkedBy })
      }
      yield* insertBlocks(range, token, texts)
      return { unknownFields: new Map(), rejected }
    }),
    insertBad: Effect.fn("MemoryWarehouse.insertBad")(function* (_, token, rows) {
      const bad = yield* Stream.runCollect(rows)
      statements += 1
      if (use(token)) state.badRows = [...state.badRows, ...bad]
    }),
    takeOver: ({ epoch, id, pipeId }, keep) =>
      Effect.sync(() => {
        for (const [name, staging] of stagings) {
          const isEarlier = staging.epoch < epoch || staging.ownerId === id
          if (staging.pipeId === pipeId && isEarlier && !keep.has(name)) stagings.delete(name)
        }
      }),
    stage: (owner, range, objects) =>
      Effect.gen(function* () {
        const read = yield* Effect.forEach(objects, readObject)
        const texts = read.flat()
        const empty = objects.filter((_, index) => read[index]?.length === 0).map(({ key }) => key)
        const reason = texts.map(rejects).find((found) => found !== undefined)
        if (reason !== undefined) return yield* new ObjectRejected({ reason })
        return {
          ...stageTexts(owner, range, texts),
          unknownFields: new Map(),
          ...(empty.length === 0 ? {} : { empty })
        }
      }),
    stageRows: Effect.fn("MemoryWarehouse.stageRows")(function* (owner, range, object) {
      const texts = yield* readObject(object)
      const bad = texts.flatMap((text, row): ReadonlyArray<BadRow> => {
        const reason = rejects(text)
        return reason === undefined ? [] : [{ row, content: encoder.encode(text), reason }]
      })
      const staged = stageTexts(
        owner,
        range,
        texts.filter((text) => rejects(text) === undefined)
      )
      rejected.set(staged.staging, bad)
      return { ...staged, unknownFields: new Map(), ...(bad.length === 0 ? {} : { rejected: bad.length }) }
    }),
    copyRejected: (range, staging) =>
      Effect.sync(() => {
        const bad = rejected.get(staging) ?? []
        if (bad.length > 0) statements += 1
        if (bad.length > 0 && use(JSON.stringify([tokenOf(range), range.detail, "rejected"]))) {
          state.badRows = [...state.badRows, ...bad]
        }
        return bad.length
      }),
    beforeMove: () => Effect.sync(() => String(state.interrupted)),
    movePart: (name, { part, rows: recorded }, before) =>
      Effect.suspend(() => {
        statements += 1
        const staging = stagings.get(name)
        const rows = staging?.rows.get(part)
        const isUnproved = before !== undefined && rows !== undefined && state.interrupted > Number(before)
        if (staging === undefined || (rows !== undefined && rows.length !== recorded) || isUnproved) {
          return Effect.fail(
            new CannotContinue({ message: `nothing proves whether part ${part} of ${name} was moved` })
          )
        }
        const { generation, partition } = staging
        state.rows = [...state.rows, ...(rows ?? []).map((text) => ({ generation, partition, text }))]
        staging.rows.delete(part)
        return Effect.void
      }),
    discard: (staging) => Effect.sync(() => void stagings.delete(staging)),
    log: (range, objects) =>
      Effect.sync(() => {
        if (objects !== undefined) logObjects(range.pipeId, objects)
        const logged = addToLog(state.logged.get(range.pipeId), range)
        state.logged = new Map([...state.logged, [range.pipeId, logged]])
      }),
    loggedObjects: (pipeId, after) =>
      Effect.sync(() => {
        const { objects = [], since = 0 } = state.objects.get(pipeId) ?? {}
        const following = objects.filter(({ key }) => key > after)
        return { since, objects: following.slice(0, objectsInMemory) }
      }),
    logged: (pipeId) => Effect.sync(() => ({ ...(state.logged.get(pipeId) ?? emptyLog), inserts: state.inserts }))
  }

  return {
    warehouse,
    /** The rows of the table, in the order of their inserts. */
    rows: Effect.sync(() => state.rows),
    badRows: Effect.sync(() => state.badRows),
    /** Another table has its name now: it was dropped and made again. */
    replaceTable: Effect.sync(() => {
      Object.assign(state, { rows: [], tokens: [], table: state.table + 1 })
    }),
    /** How many statements have inserted into one of the two tables, or tried to. */
    statements: Effect.sync(() => statements),
    /** Deletes all rows of the table, whose tokens stay used. */
    empty: Effect.sync(() => {
      state.rows = []
    }),
    /** The names of what is staged and not discarded. */
    stagings: Effect.sync(() => Array.from(stagings.keys())),
    /** Copies what is staged into the table and leaves it in the staging, like a move that was interrupted. */
    interruptMove: (name: string) =>
      Effect.sync(() => {
        const { generation = 0, partition = "", rows = [] } = stagings.get(name) ?? {}
        const texts = Array.from(rows.values()).flat()
        state.rows = [...state.rows, ...texts.map((text) => ({ generation, partition, text }))]
        state.interrupted += 1
      }),
    /** The next insert breaks off when it has sent so many rows. */
    breakNextInsert: (rows: number) =>
      Effect.sync(() => {
        breaksAfter = rows
      }),
    /** What a backup made now restores when it is run. */
    backup: Effect.sync(() => {
      const saved = { ...state }
      return Effect.sync(() => {
        Object.assign(state, saved)
      })
    })
  }
}

/**
 * A warehouse in memory, for tests.
 *
 * @example
 * ```ts
 * import { Warehouse } from "@headgate/mover"
 * import { MemoryWarehouse } from "@headgate/mover/memory"
 * import * as Layer from "effect/Layer"
 *
 * const memory = MemoryWarehouse.make({ rejects: (text) => (text === "" ? "an empty row" : undefined) })
 * export const TestWarehouse = Layer.succeed(Warehouse, memory.warehouse)
 * ```
 */
export const MemoryWarehouse = { make }
