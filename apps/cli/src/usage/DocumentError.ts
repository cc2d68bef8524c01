import { FieldIssue } from "@headgate/core"
import * as Schema from "effect/Schema"

/**
 * A document that was given with the command line is wrong, and was not sent: exit code 2. `issues` names its fields, if it
 * has any.
 */
export class DocumentError extends Schema.TaggedError<DocumentError>("headgate/usage/DocumentError")("DocumentError", {
  message: Schema.String,
  issues: Schema.Array(FieldIssue)
}) {}
