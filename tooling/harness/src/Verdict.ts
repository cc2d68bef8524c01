import { complaintsIn, type ServerProcess } from "./ServerProcess.ts"

const shownAtMost = 10

export const say = (line = ""): void => {
  process.stdout.write(`${line}\n`)
}

/** Collects the faults that a trial finds, then prints them and sets the exit code. */
export class Verdict {
  private readonly faults: Array<string> = []
  private readonly trial: string

  constructor(trial: string) {
    this.trial = trial
  }

  get count(): number {
    return this.faults.length
  }

  /** Notes `fault` unless `isTrue`. */
  hold(isTrue: boolean, fault: string): void {
    if (!isTrue) this.faults.push(fault)
  }

  /** Notes a fault unless the list is empty; shows the first few. */
  none(found: ReadonlyArray<string>, what: string): void {
    const more = found.length > shownAtMost ? `, and ${found.length - shownAtMost} more` : ""
    if (found.length > 0) this.faults.push(`${what}: ${found.slice(0, shownAtMost).join("; ")}${more}`)
  }

  /** Adds the faults of a part that was judged by itself. */
  add(part: Verdict): void {
    this.faults.push(...part.faults)
  }

  /** Stops a server and holds that it exits with 0 and logged no error. */
  async cleanExit(server: ServerProcess, name: string): Promise<void> {
    const { code, stderr } = server.endedAs() ?? (await server.stop())
    this.hold(code === 0, `${name} exited with ${code} after SIGTERM`)
    const complaints = complaintsIn(stderr)
    this.hold(complaints === "", `${name} logged: ${complaints.slice(0, 1000)}`)
  }

  /** Prints the faults, then the summary as the last line, and sets the exit code. */
  end(summary: string): void {
    for (const fault of this.faults) say(`RED ${fault}`)
    say(`${this.trial}: ${summary}`)
    process.exitCode = this.faults.length === 0 ? 0 : 1
  }
}
