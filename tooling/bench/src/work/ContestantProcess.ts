import { type HelperProcess, startHelper } from "@headgate/harness/HelperProcess"
import type * as Schema from "effect/Schema"
import { isDeepStrictEqual } from "node:util"

/** One way to do the measured work. */
export interface Work {
  /** Does the work once and returns the document that it read, so that it can be compared. */
  readonly once: () => Promise<Schema.Json>
  /** The names of the wrong inputs that it accepts; it should accept none. */
  readonly accepted: () => Promise<ReadonlyArray<string>>
  /** Does the work `times` times, `atOnce` at a time. */
  readonly repeat: (times: number, atOnce: number) => Promise<void> | void
}

/** What a module exports as `contestants`: each is loaded by its own process alone. */
export type Contestants = Readonly<Record<string, () => Promise<Work>>>

export interface Batch {
  readonly times: number
  readonly atOnce: number
}

/** A task for the process of a contestant. */
export type Task = { readonly _tag: "once" } | { readonly _tag: "accepted" } | ({ readonly _tag: "batch" } & Batch)

/** A contestant in a process of its own, so that it does not pay for another's heap, connections or compiled code. */
export class ContestantProcess {
  readonly name: string
  private readonly helper: HelperProcess

  constructor(name: string, module: URL, args: ReadonlyArray<string> = []) {
    this.name = name
    this.helper = startHelper(new URL("contestant.main.ts", import.meta.url), [module.href, name, ...args])
  }

  private async run(task: Task): Promise<any> {
    const answer: any = await this.helper.ask(task).catch((error: Error) => ({ error: error.message }))
    if ("error" in answer) throw new Error(`${this.name}: ${answer.error}`)
    return answer.result
  }

  /** Rejects unless the contestant does the work: it returns the document and refuses wrong ones. */
  async verify(document: Schema.Json): Promise<void> {
    if (!isDeepStrictEqual(await this.run({ _tag: "once" }), document)) {
      throw new Error(`${this.name} does not return the document`)
    }
    const accepted: ReadonlyArray<string> = await this.run({ _tag: "accepted" })
    if (accepted.length > 0) throw new Error(`${this.name} accepts what it should refuse: ${accepted.join(", ")}`)
  }

  /** CPU time of all threads of the process for each time of a batch, in microseconds. */
  async cpuMicroseconds(batch: Batch): Promise<number> {
    return (await this.run({ _tag: "batch", ...batch })) / batch.times
  }

  async warmUp(batch: Batch): Promise<void> {
    for (let index = 0; index < 3; index++) await this.cpuMicroseconds(batch)
  }

  stop(): void {
    this.helper.stop()
  }
}
