import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { StartupError } from "../StartupError.ts"

const walHeaderBytes = 32

const readHeader = (wal: string): Buffer => {
  const file = openSync(wal, "r")
  const header = Buffer.alloc(walHeaderBytes)
  const length = readSync(file, header)
  closeSync(file)
  return header.subarray(0, length)
}

/** Whether the header of a write-ahead log is whole. SQLite ignores a log with another one. https://sqlite.org/fileformat2.html#walformat */
const isWalHeader = (header: Buffer): boolean => {
  if (header.length < walHeaderBytes) return false
  const magic = header.readUInt32BE(0)
  if (magic !== 0x377f0682 && magic !== 0x377f0683) return false
  const word = (offset: number) => (magic & 1 ? header.readUInt32BE(offset) : header.readUInt32LE(offset))
  let first = 0
  let second = 0
  for (let offset = 0; offset < 24; offset += 8) {
    first = (first + word(offset) + second) >>> 0
    second = (second + word(offset + 4) + first) >>> 0
  }
  return first === header.readUInt32BE(24) && second === header.readUInt32BE(28)
}

/** Whether the file itself has no tables, without its write-ahead log. Changes nothing. */
const hasNoTables = (filename: string): boolean => {
  const url = pathToFileURL(filename)
  url.searchParams.set("immutable", "1")
  const database = new DatabaseSync(url, { readOnly: true })
  try {
    return database.prepare("SELECT name FROM sqlite_master LIMIT 1").get() === undefined
  } finally {
    database.close()
  }
}

const lost = (what: string, beside: string) =>
  new StartupError({
    message: `${what}, but ${beside}: restore a backup, or move it away to begin with an empty store`
  })

/**
 * Fails if a database file lost what it held, or is gone: SQLite would open an empty one, and the server would create new
 * credentials. `beside` are files that an empty file of a store that was used has beside it; other stores may use them, too.
 */
export const checkDatabaseFile = Effect.fnUntraced(function* (filename: string, beside: ReadonlyArray<string>) {
  const size = statSync(filename, { throwIfNoEntry: false })?.size
  const wal = `${filename}-wal`
  const walSize = statSync(wal, { throwIfNoEntry: false })?.size ?? 0
  if (size === undefined) {
    // A sealing key alone is no sign: an export is restored beside the old one.
    return walSize > 0 ? yield* lost(`${filename} is not there`, `${wal} is`) : undefined
  }
  if (size === 0) {
    const used = [...(walSize > 0 ? [wal] : []), join(dirname(filename), "sealing.key"), ...beside].find(existsSync)
    if (used !== undefined) return yield* lost(`${filename} has no data`, `${used} is there`)
    yield* Console.error(`${filename} is empty: this is a first start`)
    return
  }
  if (walSize === 0 || isWalHeader(readHeader(wal))) return
  // A file that is no database fails when it is opened.
  const isEmpty = yield* Effect.orElseSucceed(
    Effect.try(() => hasNoTables(filename)),
    () => false
  )
  if (isEmpty) return yield* lost(`${filename} has no data`, `${wal} is there and is damaged`)
})
