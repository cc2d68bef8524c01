import * as Schema from "effect/Schema"

/** The server cannot start: exit code 1. `message` says what is wrong and what to do. */
export class StartupError extends Schema.TaggedError<StartupError>("headgate-server/startup/StartupError")(
  "StartupError",
  { message: Schema.String }
) {}

/** The command line or the environment is wrong: exit code 2. `message` says what to write instead. */
export class UsageError extends Schema.TaggedError<UsageError>("headgate-server/startup/UsageError")("UsageError", {
  message: Schema.String
}) {}
