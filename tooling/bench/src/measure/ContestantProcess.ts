import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type * as Schema from "effect/Schema"
import type { Batch, Contestant } from "./Contestant.ts"

/** What a contestant's process is asked. */
export type Question = { readonly ask: "once" } | { readonly ask: "accepted" } | ({ readonly ask: "batch" } & Batch)

/** What it answers. */
export type Answer =
  | { readonly document: Schema.Json }
  | { readonly accepted: ReadonlyArray<string> }
  | { readonly cpuMicroseconds: number }
  | { readonly error: string }

const script = fileURLToPath(new URL("contestantProcess.main.ts", import.meta.url))

/** A contestant under way, in a process of its own. */
export class ContestantProcess {
  readonly name: string
  private readonly child: ChildProcess

  constructor(contestant: Contestant, args: ReadonlyArray<string>) {
    this.name = contestant.name
    this.child = fork(script, [contestant.module.href, ...args], { serialization: "advanced" })
  }

  private ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const done = () => {
        this.child.off("message", answered)
        this.child.off("exit", ended)
      }
      const answered = (answer: Answer) => {
        done()
        if ("error" in answer) reject(new Error(`${this.name}: ${answer.error}`))
        else resolve(answer)
      }
      const ended = (code: number | null) => {
        done()
        reject(new Error(`${this.name}: its process ended with ${code} and no answer`))
      }
      this.child.on("message", answered)
      this.child.on("exit", ended)
      this.child.send(question)
    })
  }

  /** The document that the work comes back with. */
  async once(): Promise<Schema.Json> {
    const answer = await this.ask({ ask: "once" })
    if ("document" in answer) return answer.document
    throw new Error(`${this.name}: no document`)
  }

  /** What it should have refused and did not. */
  async accepted(): Promise<ReadonlyArray<string>> {
    const answer = await this.ask({ ask: "accepted" })
    if ("accepted" in answer) return answer.accepted
    throw new Error(`${this.name}: no answer`)
  }

  /** CPU microseconds, of all threads of the process, for each time of a batch. */
  async cpuMicroseconds(batch: Batch): Promise<number> {
    const answer = await this.ask({ ask: "batch", ...batch })
    if ("cpuMicroseconds" in answer) return answer.cpuMicroseconds / batch.times
    throw new Error(`${this.name}: no measurement`)
  }

  stop(): void {
    if (this.child.connected) this.child.disconnect()
    this.child.kill()
  }
}
