import type { Random } from "@headgate/harness/Random"
import type { Verdict } from "@headgate/harness/Verdict"
import type { Browser } from "playwright-core"

/** What a part of the trial of the console gets. */
export interface PartOptions {
  readonly browser: Browser
  /** An empty directory of its own. */
  readonly directory: string
  readonly random: Random
  /** The script of the server. */
  readonly script: string
  readonly verdict: Verdict
}

/** A part of the trial: what it has found, as one line. */
export type Part = (options: PartOptions) => Promise<string>
