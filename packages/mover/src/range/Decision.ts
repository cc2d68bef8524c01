/**
 * Where a restarted pipe goes on: `start` reads the source from where a new pipe would begin (a changed source), `ledger` and
 * `warehouse` go on from what the one or the other knows, after one of them was restored from a backup. A partition that it
 * does not know begins at its first position, so that no rows are lost.
 */
export type RestartFrom = "start" | "ledger" | "warehouse"

/**
 * What a person decides about a pipe that cannot go on by itself. `from`: where it goes on. `pending`: what to do with ranges
 * whose tokens the warehouse may have forgotten: insert them again, which may double their rows, or leave them out, which may
 * lose them. With `skip`, rows that the source no longer holds are left out, too. `acceptTable`: the pipe goes on, where it is,
 * with tables of the warehouse or of a database that are not those that it knew.
 */
export type Decision =
  | { readonly from: RestartFrom }
  | { readonly pending: "replay" | "skip" }
  | { readonly acceptTable: true }

const flagOf = (decision: Decision): string => {
  if ("from" in decision) return `--from ${decision.from}`
  return "pending" in decision ? `--${decision.pending}` : "--accept-table"
}

/**
 * How a person says what was decided: the command, and the request of the API.
 *
 * @example
 * ```ts
 * import { resumeBy } from "@headgate/mover"
 *
 * console.log(resumeBy({ from: "start" })) // headgate pipe resume NAME --from start (POST .../resume {"from":"start"})
 * ```
 */
export const resumeBy = (decision: Decision): string =>
  `headgate pipe resume NAME ${flagOf(decision)} (POST .../resume ${JSON.stringify(decision)})`
