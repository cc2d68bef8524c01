import * as Schema from "effect/Schema"

/** The server cannot start as it was asked to: `message` says what was wrong and what to do. */
export class StartupError extends Schema.TaggedError<StartupError>("headgate-server/startup/StartupError")(
  "StartupError",
  { message: Schema.String }
) {}
