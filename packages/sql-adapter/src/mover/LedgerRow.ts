import type { PipeId } from "@headgate/core"
import {
  type Generation,
  type LastList,
  type LedgerState,
  type PendingRange,
  type RecordedStaging,
  type RejectedRows,
  rowNumbers
} from "@headgate/mover"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { ageOf, bootTime } from "./bootClock.ts"

/** The generation 0 is that of a pipe that has not begun. */
export interface PipeRow {
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
  readonly bytes: number
  /** As JSON. */
  readonly tables: string | null
}

export interface PartitionRow {
  readonly partition: string
  readonly start: string | null
  readonly done: string | null
  readonly detail: string | null
}

export interface RangeRow {
  readonly partition: string
  readonly from: string
  readonly to: string
  readonly detail: string | null
  readonly insertsBefore: number | null
  readonly rows: number | null
  readonly bytes: number | null
  readonly staged: string | null
  /** As `rowNumbers.encode` writes them. */
  readonly rejected: Uint8Array | null
  readonly checkedBy: string | null
  readonly boot: string
  readonly seconds: number
}

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
export const encodeTables = Schema.encodeSync(TablesText)
const decodeTables = Schema.decodeSync(TablesText)

const encodeStaged = Schema.encodeSync(StagedText)
const decodeStaged = Schema.decodeSync(StagedText)

export const stagedText = ({ moved, moving, parts, rejected = 0, staging }: RecordedStaging): string =>
  encodeStaged({ staging, parts, moved: [...moved], moving: [...moving], ...(rejected === 0 ? {} : { rejected }) })

const stagedOf = ({ staged }: RangeRow): { readonly staged?: RecordedStaging } => {
  if (staged === null) return {}
  const { moved, moving, ...rest } = decodeStaged(staged)
  // A ledger from before moves were marked does not say which have begun: any may have, and nothing is known of it.
  const begun = moving ?? rest.parts.map(({ part }) => [part, ""] as const)
  return { staged: { ...rest, moved: new Set(moved), moving: new Map(begun) } }
}

export const rejectedOf = ({ checkedBy, rejected }: RangeRow): { readonly rejected?: RejectedRows } =>
  rejected === null ? {} : { rejected: { rows: rowNumbers.decode(rejected), checkedBy: checkedBy ?? "" } }

export const toPending = (row: RangeRow) => ({ from: row.from, to: row.to, ...stagedOf(row) })

export const currentOf = (row: PipeRow | undefined): Omit<Generation, "starts"> | undefined =>
  row === undefined || row.generation === 0 ? undefined : { generation: row.generation, source: row.source }

export const lastListOf = (row: PipeRow | undefined): LastList => ({
  number: row?.lists ?? 0,
  began: row?.listedAt == null ? undefined : DateTime.makeUnsafe(row.listedAt)
})

export const toState = (
  pipeId: PipeId,
  row: PipeRow | undefined,
  partitions: ReadonlyArray<PartitionRow>,
  ranges: ReadonlyArray<RangeRow>
): LedgerState => {
  const current = currentOf(row)
  const failingFor = Duration.millis(row?.failingMs ?? 0)
  const delivered = { rows: row?.rows ?? 0, rejected: row?.rejected ?? 0, bytes: row?.bytes ?? 0 }
  const tables = new Map(Object.entries(decodeTables(row?.tables ?? "{}")))
  if (current === undefined)
    return { recorded: new Map(), done: new Map(), doneDetail: new Map(), pending: [], failingFor, delivered, tables }
  const now = bootTime()
  const pending = ranges.map((row): PendingRange => {
    const { boot, bytes, detail, from, insertsBefore, partition, rows, seconds, to } = row
    return {
      range: {
        pipeId,
        ...current,
        partition,
        from,
        to,
        ...(detail === null ? {} : { detail }),
        ...(insertsBefore === null ? {} : { insertsBefore }),
        ...(rows === null ? {} : { rows }),
        ...(bytes === null ? {} : { bytes })
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
