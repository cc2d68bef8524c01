import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Delivered, Generation, Ledger, Owner } from "../port/Ledger.ts"
import { type DoneObject, type LastList, numberList, type ObjectList } from "../range/DoneObject.ts"
import type { LedgerChanged, LedgerWriteError } from "../range/MoveError.ts"
import {
  addDelivered,
  type DeliveredRows,
  type KnownTables,
  nothingDelivered,
  type Position,
  type Range,
  type RecordedStaging,
  type RejectedRows,
  type Staged
} from "../range/Range.ts"
import { ledgerRules } from "../rule/ledgerRules.ts"

interface Entry {
  readonly range: Range
  readonly recordedAt: bigint
  readonly rejected?: RejectedRows
  readonly staged?: RecordedStaging
}

interface Account {
  readonly owner?: Owner
  readonly current?: Generation
  readonly done: ReadonlyMap<string, Position>
  readonly doneDetail: ReadonlyMap<string, string>
  readonly pending: ReadonlyArray<Entry>
  readonly failingFor: Duration.Duration
  readonly delivered: DeliveredRows
  /** What was delivered before it last began anew. */
  readonly earlier: DeliveredRows
  readonly tables: KnownTables
  /** The objects that were read, by their keys. */
  readonly objects: ReadonlyMap<string, RecordedObject>
  readonly lastList: LastList
}

interface RecordedObject {
  readonly etag: string
  readonly generation: number
  /** The number of the last list that had it. */
  readonly seen: number
}

const newAccount: Account = {
  done: new Map(),
  doneDetail: new Map(),
  pending: [],
  failingFor: Duration.zero,
  delivered: nothingDelivered,
  earlier: nothingDelivered,
  tables: new Map(),
  objects: new Map(),
  lastList: { number: 0, began: undefined }
}

const addObjects = (account: Account, generation: number, objects: ReadonlyArray<DoneObject>): Account => {
  // The list that goes on may have passed them.
  const seen = account.lastList.number + 1
  const added = objects.map(({ etag, key }) => [key, { etag, generation, seen }] as const)
  return { ...account, objects: new Map([...account.objects, ...added]) }
}

const filterObjects = (account: Account, isKept: (object: RecordedObject) => boolean): Account => ({
  ...account,
  objects: new Map(Array.from(account.objects).filter(([, object]) => isKept(object)))
})

const begin = (
  account: Account,
  next: Generation,
  { anew = false, objects }: Parameters<Ledger["Service"]["begin"]>[2] = {}
): Account | LedgerChanged => {
  const refused = ledgerRules.begin(account.current, next)
  if (refused !== undefined) return refused
  const delivered = anew ? nothingDelivered : account.delivered
  const earlier = anew ? addDelivered(account.earlier, account.delivered) : account.earlier
  const tables = anew ? new Map<string, string>() : account.tables
  const kept = { ...account, delivered, earlier, tables }
  const begun = { ...kept, current: next, done: new Map(), doneDetail: new Map(), pending: [] }
  const { generation, objectsSince } = next
  if (objects === "restored") return filterObjects(begun, (object) => object.generation === generation)
  return objectsSince === undefined ? { ...begun, objects: new Map() } : begun
}

const findObjects = (account: Account, { number }: ObjectList, asked: ReadonlyArray<DoneObject>) => {
  const objects = new Map(account.objects)
  const versions = new Map<string, "same" | "another">()
  for (const { etag, key } of asked) {
    const object = objects.get(key)
    if (object === undefined) continue
    versions.set(key, object.etag === etag ? "same" : "another")
    objects.set(key, { ...object, seen: Math.max(object.seen, number) })
  }
  return { account: { ...account, objects }, versions }
}

const endList = (account: Account, { began, number }: ObjectList): Account =>
  number <= account.lastList.number
    ? account
    : filterObjects({ ...account, lastList: { number, began } }, ({ seen }) => seen >= number - 1)

/** The position at which the next range of each partition begins. */
const recordedOf = ({ done, pending }: Account): ReadonlyMap<string, Position> =>
  new Map([...done, ...pending.map(({ range }) => [range.partition, range.to] as const)])

const record = (account: Account, entry: Entry): Account | LedgerChanged => {
  const { partition } = entry.range
  const last = recordedOf(account).get(partition) ?? account.current?.starts.get(partition)
  return ledgerRules.record(account.current, last, entry.range) ?? { ...account, pending: [...account.pending, entry] }
}

const markDone = (
  account: Account,
  range: Range,
  { objects = [], ...delivered }: Delivered
): Account | LedgerChanged => {
  const { partition, to } = range
  const oldest = account.pending.find((entry) => entry.range.partition === partition)
  const found = ledgerRules.done(account.current, { oldest: oldest?.range, done: account.done.get(partition) }, range)
  if (found === "done") return account
  if (found !== "pending") return found
  const pending = account.pending.filter((entry) => entry !== oldest)
  const others = Array.from(account.doneDetail).filter(([name]) => name !== partition)
  const detail = oldest?.range.detail
  return {
    ...addObjects(account, range.generation, objects),
    pending,
    delivered: addDelivered(account.delivered, delivered),
    done: new Map([...account.done, [partition, to]]),
    doneDetail: new Map(detail === undefined ? others : [...others, [partition, detail]])
  }
}

const pendingOf = ({ pending }: Account, { partition }: Range): ReadonlyArray<Entry> =>
  pending.filter(({ range }) => range.partition === partition)

const toPending = ({ range, staged }: Entry) => (staged === undefined ? range : { ...range, staged })

const replaceEntry = (account: Account, old: Entry, entry: Entry): Account => ({
  ...account,
  pending: account.pending.map((one) => (one === old ? entry : one))
})

const recordRejected = (account: Account, range: Range, rejected: RejectedRows): Account | LedgerChanged => {
  const entry = pendingOf(account, range).find((one) => one.range.from === range.from)
  const found = entry && { ...entry.range, ...(entry.rejected === undefined ? {} : { rejected: entry.rejected }) }
  const refused = ledgerRules.rejected(account.current, found, range, rejected)
  if (refused !== undefined || entry === undefined) return refused ?? account
  return replaceEntry(account, entry, { ...entry, rejected })
}

const recordStaged = (account: Account, range: Range, staged: Staged): Account | LedgerChanged => {
  const [oldest] = pendingOf(account, range)
  const refused = ledgerRules.staged(account.current, oldest && toPending(oldest), range, staged)
  if (refused !== undefined || oldest === undefined) return refused ?? account
  const nothing = { moved: new Set<string>(), moving: new Map<string, string>() }
  return replaceEntry(account, oldest, { ...oldest, staged: { ...nothing, ...oldest.staged, ...staged } })
}

const changeStaged = (
  account: Account,
  range: Range,
  part: string,
  change: (staged: RecordedStaging) => RecordedStaging
): Account | LedgerChanged => {
  const [oldest] = pendingOf(account, range)
  const refused = ledgerRules.moved(account.current, oldest && toPending(oldest), range, part)
  if (refused !== undefined || oldest?.staged === undefined) return refused ?? account
  return replaceEntry(account, oldest, { ...oldest, staged: change(oldest.staged) })
}

const recordNarrowed = (account: Account, range: Range, detail: string): Account | LedgerChanged => {
  const entry = pendingOf(account, range).find((one) => one.range.from === range.from)
  const refused = ledgerRules.narrowed(account.current, entry && toPending(entry), range)
  if (refused !== undefined || entry === undefined) return refused ?? account
  return replaceEntry(account, entry, { ...entry, range: { ...entry.range, detail } })
}

/** A ledger in memory. */
const make = () => {
  const state: { accounts: ReadonlyMap<string, Account> } = { accounts: new Map() }
  let owners = 0
  const accountOf = (pipeId: string): Account => state.accounts.get(pipeId) ?? newAccount
  const set = (pipeId: string, account: Account): void => {
    state.accounts = new Map([...state.accounts, [pipeId, account]])
  }

  /** Changes what an owner has; `change` may return why not. */
  const change = (
    owner: Owner,
    change: (account: Account) => Account | LedgerChanged
  ): Effect.Effect<void, LedgerWriteError> =>
    Effect.suspend(() => {
      const account = accountOf(owner.pipeId)
      const changed = ledgerRules.owner(account.owner, owner) ?? change(account)
      if ("_tag" in changed) return Effect.fail(changed)
      return Effect.sync(() => {
        set(owner.pipeId, changed)
      })
    })

  const ledger: Ledger["Service"] = {
    take: (pipeId) =>
      Effect.sync(() => {
        const account = accountOf(pipeId)
        owners += 1
        const owner = { pipeId, epoch: (account.owner?.epoch ?? 0) + 1, id: String(owners) }
        set(pipeId, { ...account, owner })
        return owner
      }),
    check: (owner) => change(owner, (account) => account),
    delivered: (pipeIds) =>
      Effect.sync(
        () =>
          new Map(
            pipeIds.flatMap((pipeId) => {
              const { current, delivered } = accountOf(pipeId)
              return current === undefined ? [] : [[pipeId, delivered] as const]
            })
          )
      ),
    state: Effect.fn("MemoryLedger.state")(function* (pipeId) {
      const now = yield* Clock.monotonicTimeNanos
      const account = accountOf(pipeId)
      const { current, delivered, done, doneDetail, failingFor, pending, tables } = account
      return {
        ...(current === undefined ? {} : { current }),
        recorded: recordedOf(account),
        done,
        doneDetail,
        pending: pending.map(({ recordedAt, ...entry }) => ({ ...entry, age: Duration.nanos(now - recordedAt) })),
        failingFor,
        delivered,
        tables
      }
    }),
    begin: (owner, next, options) => change(owner, (account) => begin(account, next, options)),
    restoreObjects: (owner, generation, objects) =>
      change(owner, (account) => addObjects(account, generation, objects)),
    beginList: (owner, now) =>
      Effect.map(
        change(owner, (account) => account),
        () => numberList(accountOf(owner.pipeId).lastList, now)
      ),
    doneObjects: (owner, list, objects) =>
      Effect.suspend(() => {
        const { account, versions } = findObjects(accountOf(owner.pipeId), list, objects)
        return Effect.as(
          change(owner, () => account),
          versions
        )
      }),
    endList: (owner, list) => change(owner, (account) => endList(account, list)),
    record: Effect.fn("MemoryLedger.record")(function* (owner, range) {
      const recordedAt = yield* Clock.monotonicTimeNanos
      yield* change(owner, (account) => record(account, { range, recordedAt }))
    }),
    recordRejected: (owner, range, rejected) => change(owner, (account) => recordRejected(account, range, rejected)),
    markDone: (owner, range, delivered) => change(owner, (account) => markDone(account, range, delivered)),
    recordStaged: (owner, range, staged) => change(owner, (account) => recordStaged(account, range, staged)),
    markMoving: (owner, range, part, before) =>
      change(owner, (account) =>
        changeStaged(account, range, part, (staged) => ({
          ...staged,
          moving: new Map([...staged.moving, [part, before]])
        }))
      ),
    markMoved: (owner, range, part) =>
      change(owner, (account) =>
        changeStaged(account, range, part, (staged) => ({ ...staged, moved: new Set([...staged.moved, part]) }))
      ),
    recordNarrowed: (owner, range, detail) => change(owner, (account) => recordNarrowed(account, range, detail)),
    recordTables: (owner, tables) => change(owner, (account) => ({ ...account, tables })),
    markFailing: (owner, failingFor) => change(owner, (account) => ({ ...account, failingFor }))
  }

  return {
    ledger,
    /** The epoch of a pipe's owner, and what the pipe has ever delivered; `undefined` if it was never taken. */
    totals: (pipeId: string) => {
      const { delivered, earlier, owner } = accountOf(pipeId)
      return owner === undefined ? undefined : { epoch: owner.epoch, ...addDelivered(earlier, delivered) }
    },
    /** What a backup made now restores when it is run. */
    backup: Effect.sync(() => {
      const saved = state.accounts
      return Effect.sync(() => {
        state.accounts = saved
      })
    })
  }
}

/**
 * A ledger in memory, for tests.
 *
 * @example
 * ```ts
 * import { Ledger } from "@headgate/mover"
 * import { MemoryLedger } from "@headgate/mover/memory"
 * import * as Layer from "effect/Layer"
 *
 * export const TestLedger = Layer.sync(Ledger, () => MemoryLedger.make().ledger)
 * ```
 */
export const MemoryLedger = { make }
