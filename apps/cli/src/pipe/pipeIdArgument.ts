import { PipeId } from "@headgate/core"
import * as Argument from "effect/cli/Argument"
import { checked } from "../usage/checked.ts"

/** The `<pipe-id>` that every verb on one pipe takes. */
export const pipeIdArgument = Argument.String("pipe-id").pipe(
  Argument.withDescription("UUID of the pipe"),
  Argument.mapEffect(checked({ kind: "argument", name: "pipe-id" }, PipeId))
)
