import { jsonText, write } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { currentDialect } from "../settings/settings.ts"
import { jsonSchemaOf } from "./jsonSchemas.ts"
import { resourceKinds } from "./kinds.ts"

/** `headgate schema dashboard|pipe|key` */
export const schema = Command.make(
  "schema",
  {
    kind: Argument.Literals("kind", resourceKinds).pipe(Argument.withDescription("What the file is"))
  },
  Effect.fnUntraced(function* ({ kind }) {
    yield* write(jsonText(jsonSchemaOf(kind, yield* currentDialect), 2))
  })
).pipe(Command.withExamples([{ command: "headgate schema pipe > pipe.schema.json" }]))
