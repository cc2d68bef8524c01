/** Something that the documentation lacks; `detail` is where and why, and may change while the gap stays the same. */
export interface Gap {
  readonly gap: string
  readonly detail: string
}

/** How gaps compare with those that are known. */
export interface Comparison {
  /** Gaps that nobody knew of, with their details. */
  readonly fresh: Array<string>
  /** Gaps that are known, but are none any more. */
  readonly mended: ReadonlyArray<string>
  /** How many known gaps are left. */
  readonly known: number
}

const isGap = (line: string) => line !== "" && !line.startsWith("#")

/** Compares with a baseline of one gap a line. It may only shrink: what is new fails, and what is mended is taken out. */
export const compareWithBaseline = (baseline: string, gaps: ReadonlyArray<Gap>): Comparison => {
  const lines = baseline.split("\n").filter(isGap)
  const mended = lines.filter((line) => !gaps.some(({ gap }) => gap === line))
  return {
    fresh: gaps.filter(({ gap }) => !lines.includes(gap)).map(({ detail, gap }) => gap + detail),
    mended,
    known: lines.length - mended.length
  }
}

/** The baseline without these gaps. */
export const prune = (baseline: string, gaps: ReadonlyArray<string>): string =>
  baseline
    .split("\n")
    .filter((line) => !gaps.includes(line))
    .join("\n")
