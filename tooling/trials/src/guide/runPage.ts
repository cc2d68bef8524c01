import type { Verdict } from "@headgate/harness/Verdict"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { difference } from "./difference.ts"
import type { Place } from "./Place.ts"
import { runSteps } from "./runSteps.ts"
import { type Step, stepsOf } from "./Step.ts"

/** What a page says, and what its commands have printed. */
export interface PageResult {
  readonly markdown: string
  readonly steps: ReadonlyArray<Step>
  /** How many of them were run. */
  readonly run: number
  readonly outputs: ReadonlyArray<string>
  /** How many outputs the page shows. */
  readonly compared: number
}

/** Runs the commands of a page in a directory, and compares what they print with the page. */
export const runPage = async (
  page: string,
  root: string,
  place: Place,
  environment: Readonly<Record<string, string>>,
  verdict: Verdict
): Promise<PageResult> => {
  const markdown = readFileSync(fileURLToPath(new URL(`../../../../${page}`, import.meta.url)), "utf8")
  const steps = stepsOf(markdown)
  const { hasFailed, results } = await runSteps(steps, place.here, environment, root)
  const outputs: Array<string> = []
  let compared = 0
  for (const { printed, step } of results) {
    if (step._tag === "Write") continue
    const shown = place.there(printed)
    outputs.push(shown)
    if (step.printed === undefined) continue
    compared++
    const wrong = difference(step.printed, shown)
    verdict.hold(wrong === undefined, `${page}:${step.line}: ${wrong}`)
  }
  const last = results.at(-1)
  verdict.hold(
    !hasFailed,
    `${page}:${last?.step.line ?? 0}: the commands failed: ${place.there(last?.printed ?? "").trim()}`
  )
  return { markdown, steps, run: results.length, outputs, compared }
}
