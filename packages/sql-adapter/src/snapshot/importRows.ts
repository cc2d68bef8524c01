import type { FieldIssue } from "@headgate/core"
import {
  idConflict,
  type ImportSummary,
  invalidRequest,
  type KindName,
  kindNames,
  kinds,
  type TransitionTime,
  type SnapshotRow,
  type SnapshotRows
} from "@headgate/core/adapter"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { makeTransitionTime } from "../internal/storeClock.ts"
import { isStorable } from "../internal/storableText.ts"
import { kindTables } from "../internal/tables.ts"
import type { SqlKinds } from "./sqlKinds.ts"

const issues = <A>(
  rows: ReadonlyArray<SnapshotRow<A>>,
  field: string,
  textOf: (value: A) => string
): ReadonlyArray<FieldIssue> =>
  rows.flatMap(({ path, value }) =>
    isStorable(textOf(value)) ? [] : [{ path: `${path}.${field}`, message: "Expected no NUL and no lone surrogate" }]
  )

const unstorableIds = <Kind extends KindName>(kind: Kind, rows: SnapshotRows) =>
  issues(rows[kind], "id", (stored) => kinds[kind].resourceOf(stored).id)

/**
 * The fields of a snapshot that some database cannot store unchanged. All databases refuse them, so that data can be
 * moved between databases.
 */
export const unstorable = (rows: SnapshotRows): ReadonlyArray<FieldIssue> => [
  ...issues(rows.organizations, "name", ({ name }) => name),
  ...issues(rows.services, "name", ({ service }) => service.name),
  ...kindNames.flatMap((kind) => unstorableIds(kind, rows))
]

/** The owner of a row as SQL, as `kinds` has it. */
const owners = { store: "''", organization: "organization_id", service: "organization_id || '/' || service_id" }

/** The result of a row: added, kept because it exists, or a conflict. */
type Outcome = "added" | "kept" | FieldIssue

/**
 * Inserts the rows that do not exist, owners first. Fails with all conflicts it found; the transaction around it must
 * then roll back.
 */
export const makeImportRows = (sql: SqlClient.SqlClient, sqlKinds: SqlKinds) => {
  const place = <Kind extends KindName>(kind: Kind, rows: SnapshotRows, start: TransitionTime) => {
    const { identity, owner, ownerOf } = kinds[kind]
    const [field, identityOf] = identity
    const { identity: column, table } = kindTables[kind]
    const held = (value: string) => sql<{ readonly owner: string }>`
      SELECT ${sql.literal(owners[owner])} AS owner FROM ${sql(table)} WHERE ${sql(column)} = ${value}`
    return Effect.forEach(rows[kind], ({ path, value }) =>
      Effect.gen(function* () {
        const outcome = (result: Outcome) => result
        if (yield* sqlKinds[kind].insert(value, start)) return outcome("added")
        const [existing] = yield* held(identityOf(value))
        if (existing?.owner === ownerOf(value)) return outcome("kept")
        // A key or a token that is not found by its hash has the id of another one.
        return outcome(idConflict(`${path}.${existing === undefined ? "id" : field}`))
      })
    )
  }

  return Effect.fnUntraced(function* (rows: SnapshotRows) {
    const start = yield* makeTransitionTime(sql)
    const outcomes = (yield* Effect.forEach(kindNames, (kind) => place(kind, rows, start))).flat()
    const issues = outcomes.filter((outcome) => outcome !== "added" && outcome !== "kept")
    if (issues.length > 0) return yield* invalidRequest(issues)
    const summary: ImportSummary = {
      added: outcomes.filter((outcome) => outcome === "added").length,
      kept: outcomes.filter((outcome) => outcome === "kept").length
    }
    return summary
  })
}
