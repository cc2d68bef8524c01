import { cpSync, existsSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

/**
 * Copies a data directory as a kill left it, write-ahead log included, so that it can be looked into without doing the
 * recovery that the next server has to do by itself.
 */
export const copyData = (data: string, copy: string): void => cpSync(data, copy, { recursive: true })

/** What `PRAGMA integrity_check` says of the database in a data directory that no server has open; `ok` when whole. */
export const integrityOf = (data: string): string => {
  const file = join(data, "headgate.sqlite")
  if (!existsSync(file)) return `${file} is not there`
  const database = new DatabaseSync(file)
  try {
    return database
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => String(row["integrity_check"]))
      .join("; ")
  } finally {
    database.close()
  }
}
