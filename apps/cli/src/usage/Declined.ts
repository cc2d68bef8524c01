import * as Schema from "effect/Schema"

/** The operator was asked whether to go on, and said no. */
export class Declined extends Schema.TaggedError<Declined>("headgate/usage/Declined")("Declined", {
  message: Schema.String
}) {}
