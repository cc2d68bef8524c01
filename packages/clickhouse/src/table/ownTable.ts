import * as Effect from "effect/Effect"
import { randomUUID } from "node:crypto"
import type { Table } from "./describeTable.ts"

const noUuid = "00000000-0000-0000-0000-000000000000"

/** What the comment of a table says that a pipe created. It is how a pipe knows that it may change the table. */
const createdByPipe = "Created by a Headgate pipe"

/** The comment of a table that a pipe creates. The mark is random: no two tables have the same one. */
export const commentOf = (pipeId: string, mark: string): string => `${createdByPipe}, ${pipeId}, ${mark}`

/** A mark that no table has. */
export const newMark = Effect.sync(() => randomUUID().replaceAll("-", ""))

/** What the comment of a table says that every pipe needs. */
export const ownTable = "A table of Headgate's pipes"

const commentParts = new RegExp(`^(?:${createdByPipe}|${ownTable}), ([^ ,]+)(?:, ([0-9a-f]+))?$`)

/** The pipe that created a table; `undefined` if no pipe did. */
export const creatorOf = ({ comment }: Pick<Table, "comment">): string | undefined => commentParts.exec(comment)?.[1]

/**
 * What tells a table from another one of its name: its UUID and the mark of the pipe that created it. Tables of some databases have
 * no UUID, such as those of `default` in the embedded engine.
 */
export const knownBy = ({ comment, uuid }: Pick<Table, "comment" | "uuid">): string =>
  `${uuid === noUuid ? "" : uuid} ${commentParts.exec(comment)?.[2] ?? ""}`

/** Whether a table is the one that was known, as far as anything tells. */
export const isSameTable = (known: string, found: string): boolean => {
  const [[uuid, mark], [foundUuid, foundMark]] = [known.split(" "), found.split(" ")]
  return uuid !== "" && foundUuid !== "" ? uuid === foundUuid : mark === foundMark
}

// What the names of the mover's own tables begin with: its log, and those that rows wait in.
const ownPrefix = "headgate_"

/** What rejected rows are called: as this project says, or as the real service does. */
export type ErrorTableName = "neutral" | "clickhouse"

const errorSuffixes: Readonly<Record<ErrorTableName, string>> = {
  neutral: "_pipe_errors",
  clickhouse: "_clickpipes_error"
}

/** The name of a table's error table. */
export const errorTableOf = (table: string, name: ErrorTableName): string => `${table}${errorSuffixes[name]}`

/** Whether a name is that of a table of the movers: their log, one that rows wait in. Pipes write to no table of such a name. */
export const isOwnName = (table: string): boolean => table.startsWith(ownPrefix)

/** Whether a name may be that of an error table. */
export const isErrorTableName = (table: string): boolean =>
  Object.values(errorSuffixes).some((suffix) => table.endsWith(suffix))

/** Whether a table replaces rows of its key by later versions. `version`: the column of the version; any by default. */
export const replacesByVersion = ({ engineFull }: Pick<Table, "engineFull">, version = "[^)]*"): boolean =>
  new RegExp(`^(Replicated|Shared)?ReplacingMergeTree\\((.*, )?${version}\\)`).test(engineFull.replaceAll("`", ""))
