import type { Random } from "../load/Random.ts"
import type { Organization } from "../load/World.ts"
import type { Verdict } from "../report/Verdict.ts"

/** The server that is abused, and what an abuser may know. */
export interface Target {
  readonly url: string
  readonly pid: number
  readonly organization: Organization
  readonly random: Random
  /** How many clients abuse it at once, where one is not enough. */
  readonly clients: number
  readonly verdict: Verdict
}

/** One way to treat a server badly. It holds what it must about the answers, and says what it saw in a line. */
export interface Abuse {
  readonly name: string
  readonly run: (target: Target) => Promise<string>
}
