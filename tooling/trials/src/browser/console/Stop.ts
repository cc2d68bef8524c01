import type { Page } from "playwright-core"

/** A view of the console. */
export interface Stop {
  readonly name: string
  /** Brings the page there, some of them from the stop before. */
  readonly open: (page: Page) => Promise<unknown>
}
