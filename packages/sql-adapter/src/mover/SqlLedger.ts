import type { PipeId } from "@headgate/core"
import {
  checkBegin,
  checkDone,
  checkMoved,
  checkNarrowed,
  checkOwner,
  checkRecord,
  checkRejected,
  checkStaged,
  decodeRows,
  encodeRows,
  type Generation,
  Ledger,
  LedgerError,
  type LastList,
  type LedgerState,
  numberList,
  type Owner,
  type PendingRange,
  type Range,
  type RecordedStaging,
  type RejectedRows
} from "@headgate/mover"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { orFailWith } from "../internal/outage.ts"
import { forUpdate, readTransaction, writeStatement, writeTransaction } from "../internal/transaction.ts"
import { ageOf, bootTime } from "./bootClock.ts"
import { objectRecord } from "./objectRecord.ts"

/** The generation 0 is that of a pipe that has not begun. */
interface PipeRow {
  readonly epoch: number
  readonly id: string
  readonly generation: number
  readonly source: string
  readonly failingMs: number
  readonly objectsSince: number
  readonly lists: number
  /** When the last list of objects began by which some were forgotten, in milliseconds since 1970. */
  readonly listedAt: number | null
  readonly rows: number
  readonly rejected: number
  /** As JSON. */
  readonly tables: string | null
}

interface PartitionRow {
  readonly partition: string
  readonly start: string | null
  readonly done: string | null
  readonly detail: string | null
}

interface RangeRow {
  readonly partition: string
  readonly from: string
  readonly to: string
  readonly detail: string | null
  readonly insertsBefore: number | null
  readonly rows: number | null
  readonly staged: string | null
  /** As `encodeRows` writes them. */
  readonly rejected: Uint8Array | null
  readonly checkedBy: string | null
  readonly boot: string
  readonly seconds: number
}

const orLedgerError = orFailWith(() => new LedgerError({ message: "the ledger's database does not answer at present" }))

/** The column `staged`. */
const StagedText = Schema.fromJsonString(
  Schema.Struct({
    staging: Schema.String,
    parts: Schema.Array(Schema.Struct({ part: Schema.String, rows: Schema.Int })),
    rejected: Schema.optionalKey(Schema.Int),
    moved: Schema.Array(Schema.String),
    moving: Schema.optionalKey(Schema.Array(Schema.Tuple([Schema.String, Schema.String])))
  })
)
/** The column `tables`. */
const TablesText = Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))
const encodeTables = Schema.encodeSync(TablesText)
const decodeTables = Schema.decodeSync(TablesText)

const encodeStaged = Schema.encodeSync(StagedText)
const decodeStaged = Schema.decodeSync(StagedText)

const stagedText = ({ moved, moving, parts, rejected = 0, staging }: RecordedStaging): string =>
  encodeStaged({ staging, parts, moved: [...moved], moving: [...moving], ...(rejected === 0 ? {} : { rejected }) })

const stagedOf = ({ staged }: RangeRow): { readonly staged?: RecordedStaging } => {
  if (staged === null) return {}
  const { moved, moving, ...rest } = decodeStaged(staged)
  // A ledger from before moves were marked does not say which have begun: any may have, and nothing is known of it.
  const begun = moving ?? rest.parts.map(({ part }) => [part, ""] as const)
  return { staged: { ...rest, moved: new Set(moved), moving: new Map(begun) } }
}

const rejectedOf = ({ checkedBy, rejected }: RangeRow): { readonly rejected?: RejectedRows } =>
  rejected === null ? {} : { rejected: { rows: decodeRows(rejected), checkedBy: checkedBy ?? "" } }

const toPending = (row: RangeRow) => ({ from: row.from, to: row.to, ...stagedOf(row) })

const currentOf = (row: PipeRow | undefined): Omit<Generation, "starts"> | undefined =>
  row === undefined || row.generation === 0 ? undefined : { generation: row.generation, source: row.source }

const lastListOf = (row: PipeRow | undefined): LastList => ({
  number: row?.lists ?? 0,
  began: row?.listedAt == null ? undefined : DateTime.makeUnsafe(row.listedAt)
})

const toState = (
  pipeId: PipeId,
  row: PipeRow | undefined,
  partitions: ReadonlyArray<PartitionRow>,
  ranges: ReadonlyArray<RangeRow>
): LedgerState => {
  const current = currentOf(row)
  const failingFor = Duration.millis(row?.failingMs ?? 0)
  const delivered = { rows: row?.rows ?? 0, rejected: row?.rejected ?? 0 }
  const tables = new Map(Object.entries(decodeTables(row?.tables ?? "{}")))
  if (current === undefined)
    return { recorded: new Map(), done: new Map(), doneDetail: new Map(), pending: [], failingFor, delivered, tables }
  const now = bootTime()
  const pending = ranges.map((row): PendingRange => {
    const { boot, detail, from, insertsBefore, partition, rows, seconds, to } = row
    return {
      range: {
        pipeId,
        ...current,
        partition,
        from,
        to,
        ...(detail === null ? {} : { detail }),
        ...(insertsBefore === null ? {} : { insertsBefore }),
        ...(rows === null ? {} : { rows })
      },
      ...stagedOf(row),
      ...rejectedOf(row),
      age: ageOf({ boot, seconds }, now)
    }
  })
  const done = new Map(partitions.flatMap(({ done, partition }) => (done === null ? [] : [[partition, done] as const])))
  const doneDetail = partitions.flatMap(({ detail, partition }) =>
    detail === null ? [] : [[partition, detail] as const]
  )
  const starts = partitions.flatMap(({ partition, start }) => (start === null ? [] : [[partition, start] as const]))
  // A pipe of an earlier build has 0.
  const since = row?.objectsSince || current.generation
  return {
    current: {
      ...current,
      starts: new Map(starts),
      ...(since === current.generation ? {} : { objectsSince: since })
    },
    recorded: new Map([...done, ...ranges.map(({ partition, to }) => [partition, to] as const)]),
    done,
    doneDetail: new Map(doneDetail),
    pending,
    failingFor,
    delivered,
    tables
  }
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const random = yield* SecureRandom.SecureRandom
  const record = objectRecord(sql)
  const keyShare = sql.onDialectOrElse({ pg: () => sql`FOR KEY SHARE`, orElse: () => sql`` })

  const findPipe = (pipeId: PipeId, lock: Fragment = sql``) =>
    Effect.map(
      sql<PipeRow>`
        SELECT epoch, owner_id AS id, generation, source, failing_ms AS "failingMs",
          objects_since AS "objectsSince", lists, listed_at AS "listedAt",
          delivered_rows AS rows, rejected_rows AS rejected, tables FROM mover_pipe
        WHERE pipe_id = ${pipeId} ${lock}`,
      ([row]) => row
    )
  const findPartition = ({ partition, pipeId }: Range) =>
    Effect.map(
      sql<PartitionRow>`
        SELECT partition_id AS partition, starts_at AS start, done_to AS done, done_detail AS detail FROM mover_partition
        WHERE pipe_id = ${pipeId} AND partition_id = ${partition}`,
      ([row]) => row
    )
  const rangeColumns = sql`partition_id AS partition, from_position AS "from", to_position AS "to", detail,
    inserts_before AS "insertsBefore", planned_rows AS rows, staged, rejected, rejected_by AS "checkedBy", boot, boot_seconds AS seconds`
  const findRanges = ({ partition, pipeId }: Range) => sql<RangeRow>`
    SELECT ${rangeColumns} FROM mover_range WHERE pipe_id = ${pipeId} AND partition_id = ${partition} ORDER BY seq`

  const isRange = ({ from, partition, pipeId, to }: Range) =>
    sql`pipe_id = ${pipeId} AND partition_id = ${partition} AND from_position = ${from} AND to_position = ${to}`
  const setStaged = (range: Range, staged: RecordedStaging) =>
    sql`UPDATE mover_range SET staged = ${stagedText(staged)} WHERE ${isRange(range)}`

  /** Changes what an owner has, in one transaction that excludes other changes of the pipe. */
  const change = <E>(owner: Owner, change: (row: PipeRow | undefined) => Effect.Effect<void, E>) =>
    orLedgerError(
      writeTransaction(sql)(
        Effect.gen(function* () {
          const row = yield* findPipe(owner.pipeId, forUpdate(sql))
          const refused = checkOwner(row, owner)
          if (refused !== undefined) return yield* refused
          yield* change(row)
        })
      )
    )

  const changeStaged = (
    owner: Owner,
    range: Range,
    part: string,
    changed: (staged: RecordedStaging) => RecordedStaging
  ) =>
    change(
      owner,
      Effect.fnUntraced(function* (row) {
        const [oldest] = (yield* findRanges(range)).map(toPending)
        const refused = checkMoved(currentOf(row), oldest, range, part)
        if (refused !== undefined) return yield* refused
        if (oldest?.staged !== undefined) yield* setStaged(range, changed(oldest.staged))
      })
    )

  return Ledger.of({
    take: Effect.fn("SqlLedger.take")(function* (pipeId) {
      const id = yield* random.uuidV4()
      const taken = sql<{ readonly epoch: number }>`
        INSERT INTO mover_pipe (pipe_id, epoch, owner_id)
        SELECT id, 1, CAST(${id} AS TEXT) FROM pipe WHERE id = ${pipeId} ${keyShare}
        ON CONFLICT (pipe_id) DO UPDATE SET epoch = mover_pipe.epoch + 1, owner_id = excluded.owner_id
        RETURNING epoch`
      const [row] = yield* orLedgerError(writeStatement(sql)(taken))
      if (row === undefined) return yield* new LedgerError({ message: `there is no pipe ${pipeId}` })
      return { pipeId, epoch: row.epoch, id }
    }),

    check: Effect.fn("SqlLedger.check")(function* (owner) {
      const refused = checkOwner(yield* orLedgerError(findPipe(owner.pipeId)), owner)
      if (refused !== undefined) return yield* refused
    }),

    state: Effect.fn("SqlLedger.state")(function* (pipeId) {
      const read = Effect.gen(function* () {
        const row = yield* findPipe(pipeId)
        const partitions = yield* sql<PartitionRow>`
          SELECT partition_id AS partition, starts_at AS start, done_to AS done, done_detail AS detail FROM mover_partition
          WHERE pipe_id = ${pipeId}`
        const ranges = yield* sql<RangeRow>`
          SELECT ${rangeColumns} FROM mover_range WHERE pipe_id = ${pipeId} ORDER BY seq`
        return toState(pipeId, row, partitions, ranges)
      })
      return yield* orLedgerError(readTransaction(sql)(read))
    }),

    begin: Effect.fn("SqlLedger.begin")(function* (owner, next, { anew = false, objects } = {}) {
      const { pipeId } = owner
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          const refused = checkBegin(currentOf(row), next)
          if (refused !== undefined) return yield* refused
          for (const table of ["mover_range", "mover_partition"]) {
            yield* sql`DELETE FROM ${sql(table)} WHERE pipe_id = ${pipeId}`
          }
          yield* sql`
            UPDATE mover_pipe SET generation = ${next.generation}, source = ${next.source},
              objects_since = ${next.objectsSince ?? next.generation}
            WHERE pipe_id = ${pipeId}`
          if (anew) {
            yield* sql`
              UPDATE mover_pipe SET delivered_rows = 0, rejected_rows = 0, tables = NULL WHERE pipe_id = ${pipeId}`
          }
          if (objects === "restored") yield* record.forgetOthers(pipeId, next.generation)
          else if (next.objectsSince === undefined) yield* record.forgetOthers(pipeId)
          for (const [partition, start] of next.starts) {
            yield* sql`
              INSERT INTO mover_partition (pipe_id, partition_id, starts_at) VALUES (${pipeId}, ${partition}, ${start})`
          }
        })
      )
    }),

    restoreObjects: Effect.fn("SqlLedger.restoreObjects")(function* (owner, generation, objects) {
      yield* change(owner, (row) => record.add(owner.pipeId, objects, generation, (row?.lists ?? 0) + 1))
    }),

    beginList: Effect.fn("SqlLedger.beginList")(function* (owner, now) {
      const row = yield* orLedgerError(findPipe(owner.pipeId))
      const refused = checkOwner(row, owner)
      if (refused !== undefined) return yield* refused
      return numberList(lastListOf(row), now)
    }),

    doneObjects: Effect.fn("SqlLedger.doneObjects")(function* (owner, list, objects) {
      const { unseen, versions } = yield* orLedgerError(record.find(owner.pipeId, objects, list.number))
      if (unseen.length > 0) yield* change(owner, () => record.markSeen(owner.pipeId, unseen, list.number))
      return versions
    }),

    endList: Effect.fn("SqlLedger.endList")(function* (owner, { began, number }) {
      const { pipeId } = owner
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          if (number <= (row?.lists ?? 0)) return
          yield* sql`
            UPDATE mover_pipe SET lists = ${number}, listed_at = ${DateTime.toEpochMillis(began)}
            WHERE pipe_id = ${pipeId}`
          yield* record.forgetUnseen(pipeId, number - 1)
        })
      )
    }),

    record: Effect.fn("SqlLedger.record")(function* (owner, range) {
      const { detail = null, from, insertsBefore = null, partition, pipeId, rows = null, to } = range
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          const known = yield* findPartition(range)
          const last = (yield* findRanges(range)).at(-1)?.to ?? known?.done ?? known?.start ?? undefined
          const refused = checkRecord(currentOf(row), last, range)
          if (refused !== undefined) return yield* refused
          const { boot, seconds } = bootTime()
          yield* sql`
            INSERT INTO mover_range
              (pipe_id, partition_id, from_position, to_position, detail, inserts_before, planned_rows, boot, boot_seconds)
            VALUES (${pipeId}, ${partition}, ${from}, ${to}, ${detail}, ${insertsBefore}, ${rows}, ${boot}, ${seconds})`
        })
      )
    }),

    recordRejected: Effect.fn("SqlLedger.recordRejected")(function* (owner, range, rejected) {
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          const pending = (yield* findRanges(range)).find(({ from }) => from === range.from)
          const found = pending && { from: pending.from, to: pending.to, ...rejectedOf(pending) }
          const refused = checkRejected(currentOf(row), found, range, rejected)
          if (refused !== undefined) return yield* refused
          yield* sql`
            UPDATE mover_range SET rejected = ${encodeRows(rejected.rows)}, rejected_by = ${rejected.checkedBy}
            WHERE ${isRange(range)}`
        })
      )
    }),

    markDone: Effect.fn("SqlLedger.markDone")(function* (owner, range, { objects = [], ...delivered }) {
      const { partition, pipeId, to } = range
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          const [oldest] = yield* findRanges(range)
          const done = (yield* findPartition(range))?.done ?? undefined
          const found = checkDone(currentOf(row), { oldest, done }, range)
          if (found === "done") return
          if (found !== "pending") return yield* found
          yield* sql`DELETE FROM mover_range WHERE ${isRange(range)}`
          // The list that goes on may have passed them.
          yield* record.add(pipeId, objects, range.generation, (row?.lists ?? 0) + 1)
          yield* sql`
            UPDATE mover_pipe
            SET delivered_rows = delivered_rows + ${delivered.rows}, rejected_rows = rejected_rows + ${delivered.rejected}
            WHERE pipe_id = ${pipeId}`
          yield* sql`
            INSERT INTO mover_partition (pipe_id, partition_id, done_to, done_detail)
            VALUES (${pipeId}, ${partition}, ${to}, ${oldest?.detail ?? null})
            ON CONFLICT (pipe_id, partition_id)
            DO UPDATE SET done_to = excluded.done_to, done_detail = excluded.done_detail`
        })
      )
    }),

    recordStaged: Effect.fn("SqlLedger.recordStaged")(function* (owner, range, staged) {
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          const [oldest] = (yield* findRanges(range)).map(toPending)
          const refused = checkStaged(currentOf(row), oldest, range, staged)
          if (refused !== undefined) return yield* refused
          yield* setStaged(range, { moved: new Set(), moving: new Map(), ...oldest?.staged, ...staged })
        })
      )
    }),

    markMoving: Effect.fn("SqlLedger.markMoving")(function* (owner, range, part, before) {
      yield* changeStaged(owner, range, part, (staged) => ({
        ...staged,
        moving: new Map([...staged.moving, [part, before]])
      }))
    }),

    markMoved: Effect.fn("SqlLedger.markMoved")(function* (owner, range, part) {
      yield* changeStaged(owner, range, part, (staged) => ({ ...staged, moved: new Set([...staged.moved, part]) }))
    }),

    recordNarrowed: Effect.fn("SqlLedger.recordNarrowed")(function* (owner, range, detail) {
      yield* change(
        owner,
        Effect.fnUntraced(function* (row) {
          const pending = (yield* findRanges(range)).find(({ from }) => from === range.from)
          const refused = checkNarrowed(currentOf(row), pending && toPending(pending), range)
          if (refused !== undefined) return yield* refused
          yield* sql`UPDATE mover_range SET detail = ${detail} WHERE ${isRange(range)}`
        })
      )
    }),

    recordTables: Effect.fn("SqlLedger.recordTables")(function* (owner, tables) {
      const text = encodeTables(Object.fromEntries(tables))
      yield* change(owner, () => sql`UPDATE mover_pipe SET tables = ${text} WHERE pipe_id = ${owner.pipeId}`)
    }),

    markFailing: Effect.fn("SqlLedger.markFailing")(function* (owner, failingFor) {
      const milliseconds = Duration.toMillis(failingFor)
      yield* change(
        owner,
        () => sql`UPDATE mover_pipe SET failing_ms = ${milliseconds} WHERE pipe_id = ${owner.pipeId}`
      )
    })
  })
})

const layer: Layer.Layer<Ledger, never, SqlClient.SqlClient> = Layer.provide(
  Layer.effect(Ledger, make),
  SecureRandom.layerWebCrypto
)

/**
 * The mover's `Ledger` over SQL, in a SQLite file or in a Postgres database that several movers share. `SqlMigrations`
 * creates its tables, and `SqlAdapter` the pipes: a pipe that the store does not have cannot be taken, and a deleted pipe
 * takes its rows with it. An outage of the database is a `LedgerError`.
 *
 * The age of a pending range is counted by the machine's own time since its start, so that a clock that is set changes
 * nothing. It is known to other processes of that machine (on Linux; elsewhere to the process that recorded the range), and
 * infinite for everyone else and after a restart of the machine. Into a table that forgets tokens by time, a pending range of
 * infinite age is not replayed without a decision.
 *
 * @example
 * ```ts
 * import { type PipeId } from "@headgate/core"
 * import { Ledger } from "@headgate/mover"
 * import { SqlAdapter } from "@headgate/sql-adapter"
 * import { SqlLedger } from "@headgate/sql-adapter/mover"
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 *
 * const store = SqlAdapter.layerSqlite({ filename: "data/headgate.db" })
 * export const ledger = SqlLedger.layer.pipe(Layer.provide(store))
 *
 * export const pendingOf = (pipeId: PipeId) =>
 *   Ledger.use((ledger) => Effect.map(ledger.state(pipeId), ({ pending }) => pending.length))
 * ```
 */
export const SqlLedger = { layer }
