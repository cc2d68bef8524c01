import * as Context from "effect/Context"

/** The version of the command line, which requests name. */
export const Version = Context.Reference<string>("headgate/Version", { defaultValue: () => "" })
