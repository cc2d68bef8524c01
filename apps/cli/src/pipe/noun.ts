import * as Command from "effect/cli/Command"

/** `headgate pipe`: the noun. Its verbs are given in Composition, with the API that they speak to. */
export const noun = Command.make("pipe").pipe(Command.withDescription("Read and delete ingestion pipes"))
