import { execFileSync } from "node:child_process"
import type { Scenario } from "../Scenario.ts"
import { loadByAutocannon } from "./autocannon.ts"
import { loadByWrk } from "./wrk.ts"

/** What came of asking one scenario's requests for a while. */
export interface Answered {
  readonly requests: number
  /** Answers that are not a success, and requests that got none. */
  readonly failed: number
  readonly seconds: number
  readonly p99Milliseconds: number
}

export interface LoadOptions {
  readonly url: string
  readonly scenario: Scenario
  readonly seconds: number
  readonly connections: number
}

/** Asks over and over, on connections that are kept open. */
export type Load = (options: LoadOptions) => Promise<Answered>

const isInstalled = (command: string): boolean => {
  try {
    execFileSync("which", [command], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/** wrk where it is installed, which leaves the machine to the servers; else autocannon. */
export const chooseLoad = (directory: string): { readonly name: string; readonly load: Load } =>
  isInstalled("wrk") ? { name: "wrk", load: loadByWrk(directory) } : { name: "autocannon", load: loadByAutocannon }
