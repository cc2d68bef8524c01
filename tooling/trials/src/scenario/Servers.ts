// The servers of a trial over one store, each of which can be ended, and is then started again on the same data.
import type { Random } from "@headgate/harness/Random"
import type { ServerProcess } from "@headgate/harness/ServerProcess"
import type { Verdict } from "@headgate/harness/Verdict"
import { setTimeout as sleep } from "node:timers/promises"

// In milliseconds.
const shortestFreeze = 20_000

export class Servers {
  readonly running: Array<ServerProcess> = []
  kills = 0
  freezes = 0
  private readonly codes: Array<number | null> = []
  private readonly start: (...flags: ReadonlyArray<string>) => Promise<ServerProcess>

  constructor(start: (...flags: ReadonlyArray<string>) => Promise<ServerProcess>) {
    this.start = start
  }

  /** Starts so many more, at once. */
  async open(count: number, ...flags: ReadonlyArray<string>): Promise<void> {
    this.running.push(...(await Promise.all(Array.from({ length: count }, () => this.start(...flags)))))
  }

  at(index: number): ServerProcess {
    const server = this.running[index]
    if (server === undefined) throw new Error("no server runs")
    return server
  }

  get url(): string {
    return this.at(0).url
  }

  /** SIGKILL. */
  async kill(index: number): Promise<void> {
    await this.at(index).kill()
    this.kills++
  }

  /** SIGTERM. */
  async stop(index: number): Promise<void> {
    this.codes.push((await this.at(index).stop()).code)
  }

  async startAgain(index: number): Promise<void> {
    this.running[index] = await this.start()
  }

  /** Freezes a server for so long that others take its pipes, in milliseconds. It wakes with rows on their way. */
  async freeze(random: Random, duration = shortestFreeze): Promise<void> {
    const { pid } = random.pick(this.running)
    process.kill(pid, "SIGSTOP")
    await sleep(duration)
    process.kill(pid, "SIGCONT")
    this.freezes++
  }

  /** Stops all, and starts as many after `meanwhile`. */
  async without(verdict: Verdict, meanwhile: () => void): Promise<void> {
    const { length } = this.running
    await this.close(verdict)
    meanwhile()
    await this.open(length)
  }

  /** Stops all, and judges how those ended that were stopped. */
  async close(verdict: Verdict): Promise<void> {
    for (const index of this.running.keys()) await this.stop(index)
    this.running.splice(0)
    const wrong = this.codes.splice(0).filter((code) => code !== 0)
    verdict.hold(wrong.length === 0, `servers exited with ${wrong.join(", ")} after SIGTERM`)
  }
}
