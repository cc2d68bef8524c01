import * as Schema from "effect/Schema"

/** The command line or the environment is wrong, and stays wrong: exit code 2. `message` says what to write instead. */
export class UsageError extends Schema.TaggedError<UsageError>("headgate-server/startup/UsageError")("UsageError", {
  message: Schema.String
}) {}
