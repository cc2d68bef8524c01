import type { Random } from "@headgate/harness/Random"
import type { Verdict } from "@headgate/harness/Verdict"

/** What a part of the trial gets. */
export interface PartOptions {
  /** An empty folder of its own. */
  readonly directory: string
  readonly random: Random
  /** The script of the server. */
  readonly script: string
  readonly verdict: Verdict
  readonly rounds: number
}

/** A part of the trial: judges, and returns its figures. */
export type Part = (options: PartOptions) => Promise<string>
