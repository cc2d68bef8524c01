import { type FieldIssue, formatFieldIssues } from "@headgate/core"
import { InvalidRequestError } from "./error/CallErrors.ts"

/** The error of a client that cannot be made as it is asked for. */
export const invalidOptions = (issues: ReadonlyArray<FieldIssue>): InvalidRequestError =>
  new InvalidRequestError({ message: formatFieldIssues(issues), issues, attempts: 0 })
