import type { ColumnType } from "../query/ColumnType.ts"

/** Where an expression of a caller stands. */
export interface Scope {
  /** The columns that it may name. */
  readonly columns: ReadonlyMap<string, ColumnType>
  /** `required`: there is an aggregate, and columns stand only in aggregates. `allowed`: aggregates may be there or not. */
  readonly aggregates: "refused" | "allowed" | "required"
}

/** Why an expression was refused. */
export interface ExpressionIssue {
  /** Says where, what was found, and what to do: `character 13: there is no column "Foo"`. The first character is 1. */
  readonly message: string
  /** The first character is 0. */
  readonly position: number
}

/** An issue at a position, with the sentence that says where. */
export const issueAt = (position: number, message: string): ExpressionIssue => ({
  message: `character ${position + 1}: ${message}`,
  position
})
