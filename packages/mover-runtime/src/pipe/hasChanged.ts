import * as Predicate from "effect/Predicate"

/** Figures that differ by less than this part are not worth a write. */
const leastChange = 0.01

const differs = (before: unknown, now: unknown): boolean => {
  if (Predicate.isNumber(before) && Predicate.isNumber(now)) {
    return Math.abs(now - before) > leastChange * Math.max(Math.abs(before), Math.abs(now))
  }
  if (!Predicate.isObjectOrArray(before) || !Predicate.isObjectOrArray(now)) return before !== now
  const [one, other] = [new Map(Object.entries(before)), new Map(Object.entries(now))]
  return one.size !== other.size || Array.from(other).some(([name, value]) => differs(one.get(name), value))
}

/**
 * Whether the metrics of a pipe differ from those that were kept: by a figure that has changed by more than 1 %, or by anything that is no
 * figure. Both are JSON.
 */
export const hasChanged = (before: string | undefined, now: string): boolean =>
  before === undefined || differs(JSON.parse(before), JSON.parse(now))
