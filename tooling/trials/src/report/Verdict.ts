const shownAtMost = 10

/** Collects what a trial found wrong, and ends it: the last line printed, and the exit code. */
export class Verdict {
  private readonly faults: Array<string> = []
  private readonly trial: string

  constructor(trial: string) {
    this.trial = trial
  }

  /** How much was found wrong so far. */
  get found(): number {
    return this.faults.length
  }

  /** Holds that something is so; else `fault` says what was found instead. */
  hold(isSo: boolean, fault: string): void {
    if (!isSo) this.faults.push(fault)
  }

  /** Holds that a list of wrongs is empty; names the first few. */
  none(wrongs: ReadonlyArray<string>, what: string): void {
    const more = wrongs.length > shownAtMost ? `, and ${wrongs.length - shownAtMost} more` : ""
    if (wrongs.length > 0) this.faults.push(`${what}: ${wrongs.slice(0, shownAtMost).join("; ")}${more}`)
  }

  /** Prints what was wrong, if anything, then the sum on the last line, and sets the exit code. */
  end(sum: string): void {
    for (const fault of this.faults) say(`RED ${fault}`)
    say(`${this.trial}: ${sum}`)
    process.exitCode = this.faults.length === 0 ? 0 : 1
  }
}

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
