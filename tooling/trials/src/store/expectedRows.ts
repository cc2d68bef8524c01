// What the warehouse of the trial must hold, counted from the clock and from nothing that the movers use.
import { createHash } from "node:crypto"

/** What is wrong with the rows that a pipe has delivered. */
export interface RowFaults {
  readonly lost: number
  readonly doubled: number
  readonly changed: number
  readonly strange: number
}

/** How many rows of the pipe with this number arrive until a time. */
export const expectedCount = (
  { begin, every, rowsEach }: { readonly begin: number; readonly every: number; readonly rowsEach: number },
  pipe: number,
  until: number
): number => {
  let count = 0
  for (let at = begin + ((pipe * 7919) % every); at <= until; at += every) count += rowsEach
  return count
}

/** Compares the rows of a pipe, value by value, with those that it must have delivered: `count` of them, each once. */
export const compareRows = (pipe: number, count: number, rows: ReadonlyArray<string>): RowFaults => {
  const seen = new Set<number>()
  const faults = { lost: 0, doubled: 0, changed: 0, strange: 0 }
  for (const text of rows) {
    const [of, number = "", hash] = text.split(" ")
    const row = Number(number)
    if (Number(of) !== pipe || !/^\d+$/.test(number) || row >= count) {
      faults.strange += 1
      continue
    }
    if (hash !== createHash("md5").update([pipe, row].join("/")).digest("hex")) faults.changed += 1
    if (seen.has(row)) faults.doubled += 1
    seen.add(row)
  }
  return { ...faults, lost: count - seen.size }
}
