// The servers of a trial, each of which can be killed, and is then started again on the same data.
import type { Random } from "@headgate/harness/Random"
import type { ServerProcess } from "@headgate/harness/ServerProcess"
import type { Verdict } from "@headgate/harness/Verdict"
import { setTimeout as sleep } from "node:timers/promises"

// In milliseconds.
const freeze = 20_000

export class Movers {
  private running: Array<ServerProcess> = []
  kills = 0
  freezes = 0
  private readonly start: () => Promise<ServerProcess>

  constructor(start: () => Promise<ServerProcess>) {
    this.start = start
  }

  async open(count: number): Promise<void> {
    for (let index = 0; index < count; index++) this.running.push(await this.start())
  }

  get url(): string {
    const [first] = this.running
    if (first === undefined) throw new Error("no server runs")
    return first.url
  }

  async kill(random: Random): Promise<void> {
    const index = random.between(0, this.running.length - 1)
    await this.running[index]?.kill()
    this.kills++
    this.running[index] = await this.start()
  }

  /** Freezes a server for so long that others take its pipes. It wakes with rows on their way. */
  async freeze(random: Random): Promise<void> {
    const { pid } = random.pick(this.running)
    process.kill(pid, "SIGSTOP")
    await sleep(freeze)
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

  async close(verdict: Verdict): Promise<void> {
    for (const server of this.running) {
      const { code } = await server.stop()
      verdict.hold(code === 0, `a server exited with ${code} after SIGTERM`)
    }
    this.running = []
  }
}
