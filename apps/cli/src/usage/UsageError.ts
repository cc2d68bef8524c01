import * as Schema from "effect/Schema"

/** The command line or the environment is wrong: exit code 2. `message` says what, and what to write instead. */
export class UsageError extends Schema.TaggedError<UsageError>("headgate/UsageError")("UsageError", {
  message: Schema.String
}) {}
