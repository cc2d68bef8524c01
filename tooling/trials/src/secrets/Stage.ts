import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import type { Marks } from "./Marks.ts"
import type { Search } from "./Search.ts"

/** What every part of the trial needs. */
export interface Stage {
  readonly marks: Marks
  readonly search: Search
  /** The scripts under trial. */
  readonly server: string
  readonly cli: string
  /** How many programs are run at once. */
  readonly programs: number
  /** An empty directory, each time another. */
  readonly directory: () => string
}

export const directoriesUnder = (parent: string) => (): string => mkdtempSync(join(parent, "stage-"))
