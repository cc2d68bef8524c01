import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type {
  Change as SourceChange,
  ChangeSource,
  Ledger,
  LedgerWriteError,
  Owner,
  RejectedRows,
  Source,
  SourceTable,
  VersionedTables,
  Warehouse
} from "../../src/index.ts"
import {
  changeSourceLaws,
  ledgerLaws,
  objectSourceLaws,
  sourceLaws,
  stagingLaws,
  versionedTablesLaws,
  warehouseLaws
} from "../../src/laws/index.ts"
import { MemoryLedger, MemoryVersionedTables } from "../../src/memory/index.ts"
import { memoryChangeSource } from "../memoryChangeSource.ts"
import { memoryObjects } from "../memoryObjects.ts"
import { memorySource } from "../memorySource.ts"
import { memoryStaging, memoryWarehouse } from "../memoryWarehouse.ts"

type Change<Port> = (port: Port) => Partial<Port>

const warehouses: Readonly<Record<string, Change<Warehouse["Service"]>>> = {
  "ignores tokens": ({ insert }) => {
    let inserts = 0
    return {
      insert: (owner, range, token, rows, record) => insert(owner, range, `${token}${(inserts += 1)}`, rows, record)
    }
  },
  "records rejected rows when the others are there": ({ insert }) => ({
    insert: (owner, range, token, rows, { record, ...recorded }) =>
      Effect.gen(function* () {
        let found: RejectedRows | undefined
        const later = (rejected: RejectedRows) => Effect.sync(() => void (found = rejected))
        const inserted = yield* insert(owner, range, token, rows, { record: later, ...recorded })
        if (found !== undefined) yield* record(found)
        return inserted
      })
  }),
  "finds other rows in a replay": ({ insert }) => ({
    insert: (owner, range, token, rows, { record }) => insert(owner, range, token, rows, { record })
  }),
  "counts the inserts of each pipe by themselves": ({ insert, logged }) => {
    const counts = new Map<string, number>()
    return {
      insert: (owner, range, token, rows, record) => {
        counts.set(range.pipeId, (counts.get(range.pipeId) ?? 0) + 1)
        return insert(owner, range, token, rows, record)
      },
      logged: (pipeId) => Effect.map(logged(pipeId), (all) => ({ ...all, inserts: counts.get(pipeId) ?? 0 }))
    }
  },
  "takes a late repeat for the last position": ({ log, logged }) => {
    const late = new Map<string, string>()
    return {
      log: (range) => {
        late.set(range.partition, range.to)
        return log(range)
      },
      logged: (pipeId) =>
        Effect.map(logged(pipeId), ({ generation, positions }) => ({
          generation,
          positions: new Map(Array.from(positions, ([partition, to]) => [partition, late.get(partition) ?? to]))
        }))
    }
  },
  "logs whatever comes last": ({ log, logged }) => {
    let last: number | undefined
    return {
      log: (range) => {
        last = range.generation
        return log(range)
      },
      logged: (pipeId) => Effect.map(logged(pipeId), (all) => ({ ...all, generation: last ?? 0 }))
    }
  }
}
for (const [name, change] of Object.entries(warehouses)) {
  const make = Effect.map(memoryWarehouse(), (subject) => ({
    ...subject,
    warehouse: { ...subject.warehouse, ...change(subject.warehouse) }
  }))
  warehouseLaws({ name, make })
}
warehouseLaws({ name: "cuts an insert into blocks", make: memoryWarehouse({ blockRows: [500] }) })
warehouseLaws({
  name: "remembers 20 inserts and does not say so",
  make: Effect.map(memoryWarehouse({ window: 20 }), (subject) => ({
    ...subject,
    warehouse: { ...subject.warehouse, open: () => Effect.succeed({ guarantee: "exactly once" }) }
  }))
})

const stagings: Readonly<Record<string, Change<Warehouse["Service"]>>> = {
  "deletes what a later owner has staged": ({ takeOver }) => ({
    takeOver: (owner, keep) => takeOver({ ...owner, epoch: owner.epoch + 100 }, keep)
  }),
  "keeps nothing that was staged": ({ takeOver }) => ({ takeOver: (owner) => takeOver(owner, new Set()) }),
  "moves what it has lost without a word": ({ movePart }) => ({
    movePart: (staging, part) => Effect.catchTag(movePart(staging, part), "CannotContinue", () => Effect.void)
  }),
  "moves again what may have arrived": ({ movePart }) => ({ movePart: (staging, part) => movePart(staging, part) }),
  "takes each move that has begun for an interrupted one": ({ beforeMove }) => ({
    beforeMove: (part) => Effect.as(beforeMove(part), "-1")
  }),
  "loses the rejected rows of an object": () => ({ copyRejected: () => Effect.succeed(0) }),
  "copies rejected rows under another token each time": ({ copyRejected }) => {
    let copies = 0
    return { copyRejected: (range, staging) => copyRejected({ ...range, from: `${(copies += 1)}` }, staging) }
  }
}
for (const [name, change] of Object.entries(stagings)) {
  const make = Effect.map(memoryStaging(), (subject) => ({
    ...subject,
    warehouse: { ...subject.warehouse, ...change(subject.warehouse) }
  }))
  stagingLaws({ name, make })
}

objectSourceLaws({
  name: "does not see that an object changed",
  make: Effect.map(memoryObjects, (subject) => {
    const { objects } = subject.source
    if (objects === undefined) return subject
    return {
      ...subject,
      source: { ...subject.source, objects: { ...objects, changed: () => Effect.succeed(new Set<string>()) } }
    }
  })
})

const ledgers: Readonly<Record<string, Change<Ledger["Service"]>>> = {
  "does not look at the epoch": ({ record, take }) => {
    let latest: Owner | undefined
    return {
      take: (pipeId) =>
        Effect.tap(take(pipeId), (owner) =>
          Effect.sync(() => {
            latest = owner
          })
        ),
      record: (owner, range) => record(latest?.pipeId === owner.pipeId ? latest : owner, range)
    }
  },
  "refuses a range beside one that is refused": ({ record }) => {
    const refused = new Set<LedgerWriteError>()
    return {
      record: (owner, range) =>
        record(owner, range).pipe(
          Effect.tapError((error) => Effect.sync(() => refused.add(error))),
          Effect.andThen(Effect.sleep("1 millis")),
          Effect.andThen(Effect.suspend(() => Effect.forEach(refused, Effect.fail, { discard: true })))
        )
    }
  },
  "forgets what is pending": ({ state }) => ({
    state: (pipeId) => Effect.map(state(pipeId), (all) => ({ ...all, pending: [] }))
  }),
  "forgets what is staged": ({ state }) => ({
    state: (pipeId) =>
      Effect.map(state(pipeId), (all) => ({ ...all, pending: all.pending.map(({ age, range }) => ({ age, range })) }))
  }),
  "forgets what is moving": ({ state }) => ({
    state: (pipeId) =>
      Effect.map(state(pipeId), (all) => ({
        ...all,
        pending: all.pending.map(({ staged, ...one }) =>
          staged === undefined ? one : { ...one, staged: { ...staged, moving: new Map() } }
        )
      }))
  }),
  "knows an owner by its epoch alone": ({ check, record, take }) => {
    const latest = new Map<number, Owner>()
    const byEpoch = (owner: Owner) => ({ ...owner, id: latest.get(owner.epoch)?.id ?? owner.id })
    return {
      take: (pipeId) =>
        Effect.tap(take(pipeId), (owner) =>
          Effect.sync(() => {
            latest.set(owner.epoch, owner)
          })
        ),
      check: (owner) => check(byEpoch(owner)),
      record: (owner, range) => record(byEpoch(owner), range)
    }
  }
}
for (const [name, change] of Object.entries(ledgers)) {
  ledgerLaws({
    name,
    make: Effect.sync(() => {
      const { backup, ledger } = MemoryLedger.make()
      return { backup, ledger: { ...ledger, ...change(ledger) } }
    })
  })
}

const sources: Readonly<Record<string, Change<Source["Service"]>>> = {
  "skips what it lost": ({ plan }) => ({
    plan: (partition, from, limits) =>
      plan(partition, from, limits).pipe(Effect.catchTag("PositionLost", ({ first }) => plan(partition, first, limits)))
  }),
  "says that its first position is after the start": ({ partitions }) => ({
    partitions: Effect.map(partitions, (all) => all.map((one) => ({ ...one, first: "3" })))
  }),
  "reads on past a range": ({ read }) => ({ read: (range) => read({ ...range, to: "1000000" }) }),
  "keeps its name when it is another one": ({ read }) => ({
    identity: Effect.succeed("topic"),
    read: (range) => Stream.catchTag(read({ ...range, source: "memory" }), "RangeChanged", () => Stream.empty)
  })
}
for (const [name, change] of Object.entries(sources)) {
  const make = Effect.map(memorySource, (subject) => ({
    ...subject,
    source: { ...subject.source, ...change(subject.source) }
  }))
  sourceLaws({ name, make })
}

/** Changes the fields of each row that is inserted. */
const rewrite =
  (
    insert: VersionedTables["Service"]["insert"],
    change: (fields: ReadonlyArray<string>) => ReadonlyArray<string>
  ): VersionedTables["Service"]["insert"] =>
  <E>(table: SourceTable, rows: Stream.Stream<Uint8Array, E>) =>
    insert(
      table,
      Stream.splitLines(Stream.decodeText(rows)).pipe(
        Stream.map((line) => `${change(line.split("\t")).join("\t")}\n`),
        Stream.encodeText
      )
    )

const versioned: Readonly<Record<string, Change<VersionedTables["Service"]>>> = {
  "keeps the version that came last": ({ insert }) => {
    let inserts = 0
    return { insert: rewrite(insert, (fields) => [...fields.slice(0, -1), String((inserts += 1))]) }
  },
  "deletes no row": ({ insert }) => ({
    insert: rewrite(insert, (fields) => [...fields.slice(0, -2), "0", ...fields.slice(-1)])
  }),
  "truncates nothing": () => ({ deleteBelow: () => Effect.void }),
  "truncates what follows": ({ deleteBelow }) => ({ deleteBelow: (table) => deleteBelow(table, 1000n) }),
  "reads NULL as a text": ({ insert }) => ({
    insert: rewrite(insert, (fields) => fields.map((field) => (field === String.raw`\N` ? "NULL" : field)))
  }),
  "takes each target for an empty one": ({ open }) => ({
    open: (pipeId, tables) => Effect.as(open(pipeId, tables), tables)
  }),
  "creates what is gone": ({ open }) => ({
    open: (pipeId, tables) =>
      open(
        pipeId,
        tables.map((table) => ({ ...table, isNew: true }))
      )
  }),
  "lets two tables have one target": () => ({ open: (_, tables) => Effect.succeed(tables) }),
  "loses the reasons": ({ insertRejected }) => ({
    insertRejected: (range, table, rows) =>
      insertRejected(
        range,
        table,
        rows.map((row) => ({ ...row, reason: "" }))
      )
  }),
  "inserts what does not fit": ({ insert, insertRejected }) => ({
    insertRejected: (range, table, rows) =>
      Effect.andThen(
        insertRejected(range, table, rows),
        insert(table, Stream.encodeText(Stream.make(String.raw`2${"\t"}\N${"\t"}0${"\t"}1${"\n"}`)))
      )
  }),
  "is set back by a late repeat": ({ logged }) => {
    const late = new Map<string, string>()
    return {
      log: (range) => Effect.sync(() => void late.set(range.partition, range.to)),
      logged: (pipeId) => Effect.map(logged(pipeId), (all) => ({ ...all, generation: 1, positions: late }))
    }
  }
}
for (const [name, change] of Object.entries(versioned)) {
  versionedTablesLaws({
    name,
    make: Effect.sync(() => {
      const { rows, tables, rejected } = MemoryVersionedTables.make()
      return { rows, rejected, tables: { ...tables, ...change(tables) } }
    })
  })
}

/** Changes what is followed. */
const followed =
  (
    follow: ChangeSource["Service"]["follow"],
    change: (changes: ReadonlyArray<SourceChange>) => ReadonlyArray<SourceChange>
  ): ChangeSource["Service"]["follow"] =>
  (position, tables) =>
    Effect.map(follow(position, tables), (feed) => ({ ...feed, changes: Stream.map(feed.changes, change) }))

const onRows =
  (change: (row: string) => string) =>
  (changes: ReadonlyArray<SourceChange>): ReadonlyArray<SourceChange> =>
    changes.map((each) => (each._tag === "Row" ? { ...each, row: change(each.row) } : each))

const changeSources: Readonly<Record<string, Change<ChangeSource["Service"]>>> = {
  "leaves a part out": ({ split }) => ({ split: (table) => Effect.map(split(table), (parts) => parts.slice(1)) }),
  "reads a part twice": ({ split }) => ({
    split: (table) => Effect.map(split(table), (parts) => [...parts, ...parts.slice(0, 1)])
  }),
  "shows what was written after a snapshot": ({ snapshot }) => ({
    snapshot: Effect.succeed({
      read: (table, part) => Stream.unwrap(Effect.map(snapshot, ({ read }) => read(table, part))),
      readRejected: (table, part) =>
        Stream.unwrap(Effect.map(snapshot, ({ readRejected }) => readRejected(table, part)))
    })
  }),
  "misses a transaction": ({ follow }) => {
    let isMissed = false
    return {
      follow: followed(follow, (changes) => {
        if (isMissed) return changes
        isMissed = true
        return changes.slice(-1)
      })
    }
  },
  "sends deleted rows as rows": ({ follow }) => ({
    follow: followed(
      follow,
      onRows((row) => row.replace(/\t1\t(\d+)$/, "\t0\t$1"))
    )
  }),
  "gives changes the version of the snapshot": ({ follow }) => ({
    follow: (position, tables) =>
      followed(
        follow,
        onRows((row) => row.replace(/\d+$/, String(tables[0]?.base)))
      )(position, tables)
  }),
  "ends transactions in their middle": ({ follow }) => ({
    follow: followed(follow, (changes) =>
      changes.flatMap((change) => (change._tag === "Row" ? [change, ...changes.slice(-1)] : [change]))
    )
  }),
  "goes on where it was read last": ({ follow }) => {
    let last: string | undefined
    return {
      follow: (position, tables) =>
        followed(follow, (changes) => {
          const commit = changes.at(-1)
          if (commit?._tag === "Commit") last = commit.position
          return changes
        })(last ?? position, tables)
    }
  },
  "writes NULL as a text": ({ follow, snapshot }) => ({
    follow: followed(
      follow,
      onRows((row) => row.replace(String.raw`\N`, "NULL"))
    ),
    snapshot
  }),
  "sends columns that the target lacks": ({ follow, tables }) => ({
    follow: (position, some) =>
      Effect.flatMap(Effect.orDie(tables), (all) =>
        follow(
          position,
          some.map((table) => ({ ...table, columns: all[0]?.columns ?? [] }))
        )
      )
  }),
  "leaves rows that do not fit out without a word": ({ snapshot }) => ({
    snapshot: Effect.map(snapshot, ({ read }) => ({ read, readRejected: () => Stream.empty }))
  }),
  "keeps a row that does not fit any more": ({ follow }) => ({
    follow: followed(follow, (changes) =>
      changes.filter((change, index) => change._tag !== "Row" || changes[index - 1]?._tag !== "Rejected")
    )
  }),
  "goes on after what it has lost": () => ({ resume: () => Effect.void }),
  "is called like every other": () => ({ identity: Effect.succeed("another") })
}
for (const [name, change] of Object.entries(changeSources)) {
  const make = Effect.map(memoryChangeSource, (subject) => ({
    ...subject,
    source: { ...subject.source, ...change(subject.source) }
  }))
  changeSourceLaws({ name, make })
}
