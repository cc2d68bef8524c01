import { setTimeout as sleep } from "node:timers/promises"
import type { PipeStatus, Query } from "./MovedSource.ts"

/** A change of a table after which its columns have the names, types and order that they had, and other values. */
export interface Redefinition {
  readonly table: string
  readonly target: string
  readonly what: string
  /** Statements, each a transaction of its own. */
  readonly sql: ReadonlyArray<string>
}

const inOne = (...statements: ReadonlyArray<string>) => ["BEGIN", ...statements, "COMMIT"].join("; ")

// Of tables whose last column is the text `v`.

export const dropAndAdd = (table: string, target: string): Redefinition => ({
  table,
  target,
  what: "a column was dropped and added",
  sql: [inOne(`ALTER TABLE ${table} DROP COLUMN v`, `ALTER TABLE ${table} ADD COLUMN v text DEFAULT 'added'`)]
})

export const replaceByRenaming = (table: string, target: string): Redefinition => ({
  table,
  target,
  what: "a column got the name of another one",
  sql: [
    `ALTER TABLE ${table} ADD COLUMN v_new text`,
    `UPDATE ${table} SET v_new = 'new ' || v`,
    inOne(
      `ALTER TABLE ${table} RENAME COLUMN v TO v_old`,
      `ALTER TABLE ${table} RENAME COLUMN v_new TO v`,
      `ALTER TABLE ${table} DROP COLUMN v_old`
    )
  ]
})

// In milliseconds.
const longestWait = 180_000

/** Redefines tables of a pipe one after another. Each must make the pipe Failed before it moves a later row of that table. */
export const makeRedefiner = (run: (sql: string) => Promise<unknown>) => {
  const faults: Array<string> = []
  /** What the pipe has not answered yet. Rows from this id on were inserted after it. */
  let pending: (Redefinition & { readonly from: number }) | undefined
  let state = ""
  /** What the pipe said when it was told to copy its tables again. */
  let answered: string | undefined
  let isStuck = false

  /** Waits until the pipe runs and has answered what came before. */
  const settled = async () => {
    for (const until = performance.now() + longestWait; performance.now() < until; await sleep(50)) {
      if (isStuck || (pending === undefined && state === "Running")) return
    }
    faults.push(`the pipe stays ${state}${pending === undefined ? "" : `, and ${pending.what} in ${pending.table}`}`)
  }

  return {
    faults,
    isPending: () => pending !== undefined,
    redefine: async (redefinition: Redefinition, from: number) => {
      await settled()
      pending = { ...redefinition, from }
      for (const statement of redefinition.sql) await run(statement)
    },
    remedy: async ({ message, state: now }: PipeStatus, query: Query, database: string) => {
      state = now
      if (now === "Failed") {
        const isIts = pending !== undefined && message.includes(pending.table) && message.includes(" has changed: ")
        // The server that was commanded may have been killed.
        isStuck = !isIts && message !== answered
        if (isStuck) return undefined
        answered = message
        pending = undefined
        return "resync"
      }
      if (pending === undefined) return undefined
      const passed = await query(`SELECT count() FROM ${database}.${pending.target} WHERE id >= ${pending.from}`)
      if (passed.trim() !== "0") {
        faults.push(`${pending.what} in ${pending.table}, and rows went on`)
        pending = undefined
      }
      return undefined
    }
  }
}
