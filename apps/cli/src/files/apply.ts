import { write } from "@headgate/command-line"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Output from "../output/Output.ts"
import { dryRun } from "../request/dryRun.ts"
import { waitTimeout } from "../wait/waitFlags.ts"
import { confirm, yesFlag } from "../usage/confirm.ts"
import { applyPlan } from "./applyPlan.ts"
import { planFlags, printDifferences, readVersionedPlan } from "./diff.ts"
import { exclusively } from "./exclusively.ts"
import { nameOf, planText } from "./planText.ts"

const flags = {
  ...planFlags,
  secretsDir: Flag.String("secrets-dir").pipe(
    Flag.withMetavar("directory"),
    Flag.withDescription("Where the credentials of new keys are written, one file each, readable by you alone"),
    Flag.optional
  ),
  waitTimeout,
  yes: yesFlag,
  yesPrune: Flag.Boolean("yes-prune").pipe(
    Flag.withDescription("Do not ask before --prune and --replace delete; required without a terminal"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
}

/** `headgate apply -f dir/ [--prune] [--replace]` */
export const apply = Command.make(
  "apply",
  flags,
  Effect.fnUntraced(
    function* ({ secretsDir, waitTimeout, yes, yesPrune, ...planned }) {
      const { plan, target } = yield* readVersionedPlan(planned)
      const { stdout } = yield* Output.Styles
      if ((yield* Output.format) === "table") yield* write(planText(plan, stdout))
      const deleted = plan.changes.filter(({ action }) => action === "delete" || action === "replace").map(nameOf)
      const others = plan.changes.length - deleted.length
      if (others > 0 && !yes) yield* confirm(`Apply ${others} ${others === 1 ? "change" : "changes"}?`)
      if (deleted.length > 0 && !yesPrune) {
        yield* confirm(`Delete permanently: ${deleted.join(", ")}?`, "--yes-prune")
      }
      const changes = yield* applyPlan(target, plan, {
        secretsDirectory: Option.getOrUndefined(secretsDir),
        waitTimeout
      })
      const count = changes.length === 1 ? "1 change was" : `${changes.length} changes were`
      yield* Output.done(changes.length === 0 ? "There is nothing to change" : `${count} made`, { changes })
    },
    (applied, flags) =>
      Effect.gen(function* () {
        if (yield* dryRun) return yield* printDifferences(flags)
        return yield* exclusively(flags.file, applied)
      })
  )
).pipe(
  Command.withExamples([
    { command: "headgate apply -f resources/", description: "Show the plan, ask, apply" },
    { command: "headgate apply -f resources/ --yes --secrets-dir ~/keys", description: "In a script" },
    {
      command: "headgate apply -f resources/ --yes --prune --yes-prune",
      description: "Delete what has no file any more, too"
    }
  ])
)
