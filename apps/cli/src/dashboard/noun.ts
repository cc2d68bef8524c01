import * as Command from "effect/cli/Command"

/** `headgate dashboard`: the noun. Its verbs are given in Composition, with the API that they speak to. */
export const noun = Command.make("dashboard").pipe(Command.withDescription("Create and list dashboards"))
