import type { DoneObject } from "@headgate/mover"
import type { PipeId } from "@headgate/core"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { createHash } from "node:crypto"

// A million objects take 81 MB in SQLite with these lengths.
const keyBytes = 16
const etagBytes = 8

const hash = (text: string, bytes: number): Uint8Array => createHash("sha256").update(text).digest().subarray(0, bytes)
const nameOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

/** More than a statement has, where each has parameters of its own. */
const objectsInStatement = 1000

interface ObjectRow {
  readonly hash: Uint8Array
  readonly etag: Uint8Array
  readonly seen: number
}

/** The table `mover_object`: hashes of the keys and versions of the objects that pipes have read. */
export const objectRecord = (sql: SqlClient.SqlClient) => ({
  /** Adds objects, which a generation has read, and which a list has had. */
  add: (pipeId: PipeId, objects: ReadonlyArray<DoneObject>, generation: number, seen: number) => {
    const rows = new Map(
      objects.map(({ etag, key }) => [
        key,
        { pipe_id: pipeId, hash: hash(key, keyBytes), etag: hash(etag, etagBytes), generation, seen }
      ])
    )
    return Effect.forEach(
      Arr.chunksOf(rows.values(), objectsInStatement),
      (some) => sql`
        INSERT INTO mover_object ${sql.insert(some)}
        ON CONFLICT (pipe_id, hash)
        DO UPDATE SET etag = excluded.etag, generation = excluded.generation, seen = excluded.seen`,
      { discard: true }
    )
  },
  /** What the table knows of objects, and the hashes of those that it last saw before a list. */
  find: Effect.fnUntraced(function* (pipeId: PipeId, objects: ReadonlyArray<DoneObject>, list: number) {
    const versions = new Map<string, "same" | "another">()
    const unseen: Array<Uint8Array> = []
    for (const some of Arr.chunksOf(objects, objectsInStatement)) {
      const asked = new Map(some.map((object) => [nameOf(hash(object.key, keyBytes)), object] as const))
      const hashes = some.map(({ key }) => hash(key, keyBytes))
      const rows = yield* sql<ObjectRow>`
        SELECT hash, etag, seen FROM mover_object WHERE pipe_id = ${pipeId} AND ${sql.in("hash", hashes)}`
      for (const row of rows) {
        const object = asked.get(nameOf(row.hash))
        if (object === undefined) continue
        const isSame = nameOf(row.etag) === nameOf(hash(object.etag, etagBytes))
        versions.set(object.key, isSame ? "same" : "another")
        if (row.seen < list) unseen.push(row.hash)
      }
    }
    return { versions, unseen }
  }),
  markSeen: (pipeId: PipeId, hashes: ReadonlyArray<Uint8Array>, list: number) =>
    Effect.forEach(
      Arr.chunksOf(hashes, objectsInStatement),
      (some) => sql`
        UPDATE mover_object SET seen = ${list}
        WHERE pipe_id = ${pipeId} AND seen < ${list} AND ${sql.in("hash", some)}`,
      { discard: true }
    ),
  forgetUnseen: (pipeId: PipeId, list: number) =>
    sql`DELETE FROM mover_object WHERE pipe_id = ${pipeId} AND seen < ${list}`,
  /** Forgets all objects, or all but those of a generation. */
  forgetOthers: (pipeId: PipeId, generation?: number) =>
    generation === undefined
      ? sql`DELETE FROM mover_object WHERE pipe_id = ${pipeId}`
      : sql`DELETE FROM mover_object WHERE pipe_id = ${pipeId} AND generation <> ${generation}`
})
