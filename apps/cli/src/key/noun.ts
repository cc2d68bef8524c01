import * as Command from "effect/cli/Command"

/** `headgate key`: the noun. Its verbs are given in Composition, with the API that they speak to. */
export const noun = Command.make("key").pipe(Command.withDescription("Create API keys of the organization"))
