import * as Result from "effect/Result"
import type { Expression } from "./Expression.ts"
import { type ExpressionIssue, issueAt, type Scope } from "./Scope.ts"

/** Where a text in the Lucene syntax stands. */
export interface LuceneScope extends Scope {
  /** The columns that words without a field are searched in. */
  readonly implicit: ReadonlyArray<string>
}

/** Reads a condition in the Lucene syntax; `undefined` for one without terms. */
export const parseLucene = (text: string, scope: LuceneScope): Result.Result<Expression | undefined, ExpressionIssue> =>
  text.trim() === ""
    ? Result.succeed(undefined)
    : Result.fail(issueAt(0, `words are searched in ${scope.implicit.join(", ")}`))
