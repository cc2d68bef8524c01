import type { Operation } from "../http/operations.ts"
import { WireConnection } from "../http/WireConnection.ts"
import { Acknowledged } from "./Acknowledged.ts"
import { type Fault, judge } from "./judge.ts"
import { minimise } from "./minimise.ts"
import { bytesOf, shown, type WireRequest } from "./wireRequest.ts"
import type { Target } from "./world.ts"

const workers = 12
const minimisedAtMost = 3
const shownAtMost = 600

/** Where a batch is sent. */
export interface Aim {
  readonly url: string
  readonly target: Target
  readonly operations: ReadonlyArray<Operation>
}

/** What all batches together came to. */
export class Figures {
  readonly statuses = new Map<string, number>()
  readonly recipes = new Map<string, number>()
  readonly faults: Array<{ readonly kind: Fault["kind"]; readonly text: string }> = []

  get requests(): number {
    return Array.from(this.statuses.values()).reduce((sum, count) => sum + count, 0)
  }

  count(kind: Fault["kind"]): number {
    return this.faults.filter((fault) => fault.kind === kind).length
  }

  note(request: WireRequest, status: string): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    for (const name of request.recipe) this.recipes.set(name, (this.recipes.get(name) ?? 0) + 1)
  }
}

const sendAlone = async (url: string, request: WireRequest) => {
  const connection = new WireConnection({ url })
  const outcome = await connection.exchange(bytesOf(request), request.method)
  connection.close()
  return outcome
}

/**
 * Sends the requests of a batch, a dozen at a time, and judges every answer. Resolves to what was acknowledged. What
 * goes wrong is told with the simplest request that goes wrong in the same way.
 */
export const sendBatch = async (
  { operations, target, url }: Aim,
  requests: ReadonlyArray<WireRequest>,
  figures: Figures
): Promise<Acknowledged> => {
  const acknowledged = new Acknowledged()
  const wrong: Array<{ readonly request: WireRequest; readonly fault: Fault }> = []
  const rest = requests.values()

  const work = async () => {
    const connection = new WireConnection({ url })
    for (const request of rest) {
      const outcome = await connection.exchange(bytesOf(request), request.method)
      // Whatever an odd request left on the connection must not reach the next one.
      if (request.recipe.length > 0) connection.close()
      figures.note(request, "silence" in outcome ? "no answer" : String(outcome.status))
      if (!("silence" in outcome)) acknowledged.add(target, request, outcome)
      const fault = judge(request, outcome, operations)
      if (fault !== undefined) wrong.push({ request, fault })
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: workers }, work))

  for (const { fault, request } of wrong) {
    const stillWrong = async (candidate: WireRequest) => {
      const outcome = await sendAlone(url, candidate)
      if (!("silence" in outcome)) acknowledged.add(target, candidate, outcome)
      const wrongAgain = judge(candidate, outcome, operations)
      // The same status too, or a login that is left out makes another fault of it.
      return wrongAgain?.kind === fault.kind && wrongAgain.text.slice(0, 3) === fault.text.slice(0, 3)
    }
    // To wait for silence again and again would take longer than it is worth.
    const shorten = fault.kind !== "silence" && figures.faults.length < minimisedAtMost && (await stillWrong(request))
    const simplest = shorten ? await minimise(request, stillWrong) : request
    const bytes = shown(simplest)
    figures.faults.push({
      kind: fault.kind,
      text: `${fault.kind}: ${fault.text} [${request.recipe.join(", ")}] ${bytes.length > shownAtMost ? `${bytes.slice(0, shownAtMost)}...` : bytes}`
    })
  }
  return acknowledged
}
