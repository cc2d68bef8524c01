import {
  CannotContinue,
  type Change,
  type ChangeFeed,
  type CopiedTable,
  type SourceError,
  type TableCheck
} from "@headgate/mover"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Client } from "pg"
import { type Pgoutput, PgoutputPlugin } from "pg-logical-replication"
import type { PostgresOptions } from "../options/PostgresOptions.ts"
import { connect, type PostgresFailure, toSourceError, withConnection } from "../protocol/Connection.ts"
import { type Frames, startReplication } from "../protocol/Frames.ts"
import { lsnOf, lsnText, positionOf, type Progress, progressOf } from "../protocol/lsn.ts"
import { quoteIdentifier, quoteLiteral } from "../protocol/quote.ts"
import type { DescribedTable } from "../table/describeTable.ts"
import { messageDifference } from "../table/compareDefinitions.ts"
import { checkPublished } from "../table/publication.ts"
import { definitionOf } from "../table/TableDefinition.ts"
import { checkDefinitions, describedTable, type RecordedTable, recordedTable } from "./checkDefinitions.ts"
import { makeReadBack, makeRowWriter, type Read, type RowWriter } from "./rowWriter.ts"

// The first byte of a message of the replication protocol.
const logData = 0x77
const keepAlive = 0x6b
const headerBytes = 25

/** How often the server hears from an idle pipe. It ends a connection that says nothing for a minute. */
const statusEvery = Duration.seconds(10)

/** How often an idle pipe looks whether its tables are still those that it follows. */
const checkEvery = Duration.minutes(1)

/** Tells the server up to where it may forget. It does not use the clock. */
const statusMessage = (confirmed: bigint): Buffer => {
  const message = Buffer.alloc(34)
  message.writeUInt8(0x72, 0)
  for (const offset of [1, 9, 17]) message.writeBigUInt64BE(confirmed, offset)
  return message
}

/** A table that is followed. `recorded` changes with what is recorded of it anew. */
interface Followed {
  readonly writer: RowWriter
  readonly table: CopiedTable
  recorded: RecordedTable
}

const same = (text: string): string => text

/** Reads the messages of the plugin `pgoutput`. */
const makeReader = (start: Progress, tables: ReadonlyMap<number, Followed>) => {
  const plugin = new PgoutputPlugin({ protoVersion: 1, publicationNames: [] })
  const relations = new Map<number, Followed | CannotContinue>()
  /** The tables that the log has described since they were compared with the catalog. */
  let unchecked = new Set<Followed>()
  /** Where the last transaction ended. */
  let lastEnd = start.lsn
  /**
   * The version of the last change: its place in the log, or the next number, if it was written to the log before a transaction
   * that committed first. So a transaction may have versions above its end, and what follows it begins there, also after a
   * restart: then a change has the same version again or a higher one.
   */
  let version = start.version
  let isOpen = false

  const versionAt = (lsn: bigint): bigint => {
    version = lsn > version ? lsn : version + 1n
    return version
  }

  const relationOf = (message: Pgoutput.MessageRelation): Followed | CannotContinue | undefined => {
    // Values stay as Postgres wrote them.
    for (const column of message.columns) column.parser = same
    const followed = tables.get(message.relationOid >>> 0)
    if (followed === undefined) return undefined
    const { copied, definition, name } = followed.recorded
    const difference = messageDifference(name, definition, copied, message)
    if (difference !== undefined) return new CannotContinue({ message: difference })
    unchecked.add(followed)
    return followed
  }

  const rowsOf = (
    message: Pgoutput.MessageInsert | Pgoutput.MessageUpdate | Pgoutput.MessageDelete,
    lsn: bigint
  ): ReadonlyArray<Read> | CannotContinue => {
    const relation = relations.get(message.relation.relationOid)
    if (relation === undefined) return []
    if (relation instanceof CannotContinue) return relation
    const { table, writer } = relation
    const version = table.base + versionAt(lsn)
    if (message.tag === "insert") return writer.insert(message.new, version)
    const old = message.key ?? message.old
    if (message.tag === "delete") return old === null ? [] : writer.remove(old, version)
    const moved = old !== null && writer.isMoved(old, message.new) ? writer.remove(old, version) : []
    return [...moved, ...writer.insert(message.new, version)]
  }

  const readMessage = (frame: Buffer): ReadonlyArray<Read> | CannotContinue => {
    const lsn = frame.readBigUInt64BE(1)
    const message = plugin.parse(frame.subarray(headerBytes))
    switch (message.tag) {
      case "begin":
        isOpen = true
        return []
      case "commit":
        isOpen = false
        lastEnd = lsnOf(message.commitEndLsn ?? "")
        return [{ _tag: "Commit", position: positionOf({ lsn: lastEnd, version }) }]
      case "relation": {
        const relation = relationOf(message)
        if (relation === undefined) relations.delete(message.relationOid)
        else relations.set(message.relationOid, relation)
        if (relation instanceof CannotContinue) return relation
        return relation?.writer.added(message) ?? []
      }
      case "insert":
      case "update":
      case "delete":
        return rowsOf(message, lsn)
      case "truncate":
        return message.relations.flatMap(({ relationOid }): ReadonlyArray<Read> => {
          const relation = relations.get(relationOid)
          if (relation === undefined || relation instanceof CannotContinue) return []
          const { table } = relation
          return [{ _tag: "Truncate", table: table.name, version: table.base + versionAt(lsn) }]
        })
      default:
        return []
    }
  }

  return {
    readMessage,
    /** The tables that the messages since the last call have described, each of which is to be compared with the catalog. */
    takeUnchecked: (): ReadonlyArray<Followed> => {
      const taken = Array.from(unchecked)
      if (taken.length > 0) unchecked = new Set()
      return taken
    },
    /** The position up to which everything was sent, if no transaction is under way. */
    idleAt: (frame: Buffer): string | undefined => {
      const lsn = frame.readBigUInt64BE(1)
      return isOpen || lsn <= lastEnd ? undefined : positionOf({ lsn, version })
    }
  }
}

/**
 * The changes of these tables from a place of the log on. A transaction arrives after its commit and in pieces, however large it
 * is: the server keeps it on its disk.
 */
export const followChanges = Effect.fnUntraced(function* (
  options: PostgresOptions,
  described: ReadonlyMap<string, DescribedTable>,
  position: string,
  tables: ReadonlyArray<CopiedTable>
) {
  // By their numbers: another table may get the name of one of them.
  const followed = new Map<number, Followed>()
  for (const table of tables) {
    const found = described.get(table.name)
    const recorded = recordedTable(table) ?? (found && describedTable(found))
    if (found === undefined || recorded === undefined) continue
    followed.set(Number(found.oid), { writer: makeRowWriter(found, table), table, recorded })
  }
  const start = progressOf(position)
  const reader = makeReader(start, followed)
  const queries = yield* connect(options)
  const readBack = makeReadBack(queries)
  const client = yield* connect(options, "replication")
  const publication = quoteLiteral(quoteIdentifier(options.publication.name))
  const frames: Frames = yield* startReplication(
    client,
    `START_REPLICATION SLOT ${quoteIdentifier(options.slot.name)} LOGICAL ${lsnText(start.lsn)} (proto_version '1', publication_names ${publication})`
  )

  let confirmed = start.lsn
  const sendStatus = Effect.sync(() => frames.send(statusMessage(confirmed)))
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(sendStatus, Effect.sleep(statusEvery))))
  let idleSaidAt: bigint | undefined

  /** Compares tables with the catalog as it is now. It is read after the messages that have described them. */
  const compare = Effect.fnUntraced(function* (client: Client, all: ReadonlyArray<Followed>) {
    const checks = yield* checkDefinitions(
      client,
      all.map(({ recorded }) => recorded)
    )
    for (const { definition, table: name } of checks) {
      const found = all.find(({ table }) => table.name === name)
      if (found === undefined || definition === undefined) continue
      found.recorded = { ...found.recorded, definition: definitionOf(definition) }
    }
    return checks.map((check: TableCheck): Change => ({ _tag: "Checked", ...check }))
  })

  const readAll = Effect.fnUntraced(function* (taken: ReadonlyArray<Buffer>) {
    const read: Array<Read> = []
    let idle: string | undefined
    for (const frame of taken) {
      const kind = frame[0]
      if (kind === logData) {
        const found = reader.readMessage(frame)
        if (found instanceof CannotContinue) return yield* found
        for (const each of found) read.push(each)
        idle = undefined
      } else if (kind === keepAlive) {
        idle = reader.idleAt(frame)
        if (frame[17] === 1) yield* sendStatus
      }
    }
    const now = yield* Clock.monotonicTimeNanos
    if (idle !== undefined && (idleSaidAt === undefined || now - idleSaidAt >= Duration.toNanosUnsafe(statusEvery))) {
      idleSaidAt = now
      read.push({ _tag: "Commit", position: idle })
    }
    const checked = yield* compare(queries, reader.takeUnchecked())
    return [...checked, ...(yield* readBack(read))]
  })

  const changes: Stream.Stream<ReadonlyArray<Change>, SourceError | CannotContinue> = Stream.forever(
    Stream.fromEffect(
      frames.take.pipe(
        Effect.flatMap(readAll),
        Effect.mapError((error: PostgresFailure | CannotContinue) =>
          error._tag === "CannotContinue" ? error : toSourceError(error)
        )
      )
    )
  ).pipe(Stream.filter((each) => each.length > 0))
  const all = Array.from(followed.values())
  const published = all.map(({ writer }) => writer.described)
  /** What is found of tables of which nothing arrives. */
  const checks = Stream.fromEffectRepeat(
    Effect.sleep(checkEvery).pipe(
      Effect.andThen(
        withConnection(options, (client) =>
          Effect.andThen(checkPublished(client, options, published), compare(client, all))
        )
      ),
      Effect.mapError((error) => (error._tag === "CannotContinue" ? error : toSourceError(error)))
    )
  ).pipe(Stream.filter((found) => found.length > 0))

  const feed: ChangeFeed = {
    changes: Stream.merge(changes, checks),
    confirm: (to) =>
      Effect.suspend(() => {
        confirmed = progressOf(to).lsn
        return sendStatus
      })
  }
  return feed
})
