import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { DifferencesFound, problemsError } from "../error/CommandError.ts"
import * as Output from "../output/Output.ts"
import * as Setting from "../settings/Setting.ts"
import { keyId } from "../settings/settings.ts"
import { plan } from "./plan.ts"
import { planJson, planText } from "./planText.ts"
import { directoryFlag, readTarget, type Target, withVersions } from "./target.ts"

/** The flags that decide what a plan does. */
export const planFlags = {
  file: directoryFlag,
  prune: Flag.Boolean("prune").pipe(
    Flag.withDescription("Also delete what this directory created and has no file for any more"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  replace: Flag.Boolean("replace").pipe(
    Flag.withDescription("Delete and create what cannot be changed, such as a pipe with another kind of source"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  sendSecrets: Flag.Boolean("send-secrets").pipe(
    Flag.withDescription(
      "Also send the secrets of pipes that exist: the service does not tell whether they are the same"
    ),
    Flag.withoutNegation,
    Flag.withDefault(false)
  )
}

interface PlanFlags {
  readonly file: string
  readonly prune: boolean
  readonly replace: boolean
  readonly sendSecrets: boolean
}

const makePlan = Effect.fnUntraced(function* ({ matches }: Target, flags: PlanFlags) {
  const made = plan(matches, { ...flags, keyId: Option.getOrUndefined(yield* Setting.valueOf(keyId)) })
  if (made.problems.length > 0) {
    return yield* problemsError("The plan cannot be carried out", made.problems)
  }
  return made
})

/** Compares a directory with the service. Fails if the plan cannot be carried out. */
const readPlan = Effect.fnUntraced(function* (flags: PlanFlags) {
  const target = yield* readTarget(flags.file)
  return { target, plan: yield* makePlan(target, flags) }
})

/** Like {@link readPlan}, with the versions of what changes. */
export const readVersionedPlan = Effect.fnUntraced(function* (flags: PlanFlags) {
  const { plan, target } = yield* readPlan(flags)
  const versioned: Target = { ...target, matches: yield* withVersions(target, plan) }
  return { target: versioned, plan: yield* makePlan(versioned, flags) }
})

/** Prints what an apply would change. Fails with `DifferencesFound` if there is anything. */
export const printDifferences = Effect.fnUntraced(function* (flags: PlanFlags) {
  const { plan } = yield* readPlan(flags)
  const { stdout } = yield* Output.Styles
  yield* Output.print({ text: () => planText(plan, stdout), json: Effect.succeed(planJson(plan)) })
  if (plan.changes.length > 0) return yield* new DifferencesFound()
})

/** `headgate diff -f dir/` */
export const diff = Command.make("diff", planFlags, printDifferences).pipe(
  Command.withExamples([{ command: "headgate diff -f resources/", description: "In a pull request" }])
)
