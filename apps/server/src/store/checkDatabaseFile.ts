import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { StartupError } from "../StartupError.ts"
import { sealingKeyBeside } from "./sealingKey.ts"

const walHeaderBytes = 32

const frameHeaderBytes = 24

/** Reads so many bytes of a file, or what is left of it. */
const read = (file: number, bytes: number, position: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  return buffer.subarray(0, readSync(file, buffer, 0, bytes, position))
}

/** SQLite's running checksum of a write-ahead log over the next bytes. The order of its words is that of the log's magic number. */
const checksum = (bytes: Buffer, isBigEndian: boolean, [first, second]: readonly [number, number]) => {
  let sums: [number, number] = [first, second]
  for (let offset = 0; offset < bytes.length; offset += 8) {
    const word = (at: number) => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at))
    const next = (sums[0] + word(offset) + sums[1]) >>> 0
    sums = [next, (sums[1] + word(offset + 4) + next) >>> 0]
  }
  return sums
}

const endsWith = (header: Buffer, [first, second]: readonly [number, number]): boolean =>
  header.readUInt32BE(header.length - 8) === first && header.readUInt32BE(header.length - 4) === second

/**
 * What SQLite finds in a write-ahead log: nothing behind a damaged header, and of a log with a whole one the transactions before
 * the first damaged frame. https://sqlite.org/fileformat2.html#walformat
 */
const stateOf = (wal: string): "damaged header" | "no transaction" | "transactions" => {
  const file = openSync(wal, "r")
  try {
    const header = read(file, walHeaderBytes, 0)
    if (header.length < walHeaderBytes) return "damaged header"
    const magic = header.readUInt32BE(0)
    if (magic !== 0x377f0682 && magic !== 0x377f0683) return "damaged header"
    const isBigEndian = magic === 0x377f0683
    let sums = checksum(header.subarray(0, 24), isBigEndian, [0, 0])
    if (!endsWith(header, sums)) return "damaged header"
    const frameBytes = frameHeaderBytes + header.readUInt32BE(8)
    for (let position = walHeaderBytes; ; position += frameBytes) {
      const frame = read(file, frameBytes, position)
      if (frame.length < frameBytes) return "no transaction"
      const frameHeader = frame.subarray(0, frameHeaderBytes)
      sums = checksum(frameHeader.subarray(0, 8), isBigEndian, sums)
      sums = checksum(frame.subarray(frameHeaderBytes), isBigEndian, sums)
      // The salts tell a frame from one of an earlier log in the same file.
      const isOfLog = frameHeader.subarray(8, 16).equals(header.subarray(16, 24))
      if (!isOfLog || !endsWith(frameHeader, sums)) return "no transaction"
      // The last frame of a transaction holds the size of the database.
      if (frameHeader.readUInt32BE(4) !== 0) return "transactions"
    }
  } finally {
    closeSync(file)
  }
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
    const used = [...(walSize > 0 ? [wal] : []), sealingKeyBeside(filename), ...beside].find(existsSync)
    if (used !== undefined) return yield* lost(`${filename} has no data`, `${used} is there`)
    yield* Console.error(`${filename} is empty: this is a first start`)
    return
  }
  const log = walSize === 0 ? "no transaction" : stateOf(wal)
  if (log === "transactions") return
  const sealingKey = sealingKeyBeside(filename)
  // A first start that was killed leaves a file without tables, too, but its key is made after them.
  if (log === "no transaction" && !existsSync(sealingKey)) return
  // A file that is no database fails when it is opened.
  const isEmpty = yield* Effect.orElseSucceed(
    Effect.try(() => hasNoTables(filename)),
    () => false
  )
  if (!isEmpty) return
  return yield* walSize === 0
    ? lost(`${filename} has no data and ${wal} is not there`, `${sealingKey} is`)
    : lost(`${filename} has no data`, `${wal} is there and is damaged`)
})
