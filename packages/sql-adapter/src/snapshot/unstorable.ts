import type { FieldIssue } from "@headgate/core"
import type { SnapshotRow, SnapshotRows } from "@headgate/core/adapter"

// What stands in a column of its own, and not in a document, whose JSON escapes it. Postgres's TEXT refuses NUL, and
// UTF-8 has no half of a surrogate pair: stored, it would be another text.
const isStorable = (text: string): boolean => !text.includes("\0") && !/\p{Cs}/u.test(text)

const issues = <A>(
  rows: ReadonlyArray<SnapshotRow<A>>,
  field: string,
  textOf: (value: A) => string
): ReadonlyArray<FieldIssue> =>
  rows.flatMap(({ path, value }) =>
    isStorable(textOf(value)) ? [] : [{ path: `${path}.${field}`, message: "Expected no NUL and no lone surrogate" }]
  )

/**
 * What of a snapshot no database can keep as it is: every one of them refuses it, so that a move between them is safe.
 */
export const unstorable = (rows: SnapshotRows): ReadonlyArray<FieldIssue> => [
  ...issues(rows.organizations, "name", ({ name }) => name),
  ...issues(rows.services, "name", ({ name }) => name),
  ...issues(rows.dashboards, "id", ({ dashboard }) => dashboard.id)
]
