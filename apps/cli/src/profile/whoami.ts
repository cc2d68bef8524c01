import { escapeTerminalLine } from "@headgate/command-line"
import { Organizations, Whoami } from "@headgate/core"
import { HttpOrganizations } from "@headgate/http-adapter"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { tableText } from "../output/Layout.ts"
import * as Output from "../output/Output.ts"
import { detailText, masked } from "../output/detailText.ts"
import type { Setting } from "../settings/Setting.ts"
import * as settings from "../settings/settings.ts"
import { overManagement } from "../settings/withPorts.ts"

interface Explained {
  readonly name: string
  readonly value?: string
  readonly source?: string
}

type Requirements = Effect.Services<(typeof settings.settings)[number]["read"]>

const all: ReadonlyArray<Setting<unknown, Requirements> & { readonly name: string }> = settings.settings

const explained = Effect.forEach(all, ({ name, read }) =>
  Effect.map(
    read,
    Option.match({
      onNone: (): Explained => ({ name }),
      onSome: ({ source, value }): Explained => ({
        name,
        value: Redacted.isRedacted(value) ? "<redacted>" : String(value),
        source
      })
    })
  )
)

/** Prints where the value of each setting comes from, unless as JSON or YAML, which print one document at the end. */
const printSettings = Effect.gen(function* () {
  if ((yield* Output.format) !== "table") return
  const rows = yield* explained
  const cells = rows.map(({ name, source, value }) => [name, value ?? "", source ?? "not set"].map(escapeTerminalLine))
  yield* Output.print({
    text: (layout) => `${tableText([["SETTING", "VALUE", "SOURCE"], ...cells], layout)}\n`,
    json: Effect.succeed(rows)
  })
  const unused = yield* settings.unusedProfile
  if (unused !== "") yield* Output.note(`note: ${unused}`)
})

/** `headgate whoami [--explain]` */
export const command = Command.make(
  "whoami",
  {
    explain: Flag.Boolean("explain").pipe(
      Flag.withDescription("Also show where each setting comes from: flag, variable or profile"),
      Flag.withoutNegation,
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ explain }) {
    const organizations = yield* Organizations
    const caller = yield* organizations.whoami()
    const json = Output.encoded(Whoami, caller)
    // Its roles say the same in a word.
    const { permissions: _, ...shown } = caller
    yield* Output.print({
      text: (layout) => detailText(masked(shown), layout),
      json: explain
        ? Effect.map(Effect.all([json, explained]), ([caller, settings]) => ({ ...caller, settings }))
        : json
    })
  })
).pipe(
  Command.withExamples([
    { command: "headgate whoami" },
    {
      command: "headgate whoami --explain",
      description: "With the source of each setting, before the service is called"
    }
  ]),
  overManagement(HttpOrganizations.layer),
  Command.provideEffectDiscard(({ explain }) => (explain ? printSettings : Effect.void))
)
