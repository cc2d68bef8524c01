/** What each contestant measured in one round, by name. */
export type Round<Measured> = ReadonlyMap<string, Measured>

/** The median; the mean of the two in the middle of an even count. */
export const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
  const high = sorted[Math.ceil((sorted.length - 1) / 2)] ?? Number.NaN
  return (low + high) / 2
}

/**
 * Measures every contestant once in each round, one after the other. The order shifts by one each round, so that other
 * load on the machine affects all contestants alike.
 */
export const runRounds = async <Contestant extends { readonly name: string }, Measured>(
  contestants: ReadonlyArray<Contestant>,
  rounds: number,
  measure: (contestant: Contestant) => Promise<Measured>
): Promise<ReadonlyArray<Round<Measured>>> => {
  const measured: Array<Round<Measured>> = []
  for (let index = 0; index < rounds; index++) {
    const first = index % contestants.length
    const round = new Map<string, Measured>()
    for (const contestant of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      round.set(contestant.name, await measure(contestant))
    }
    measured.push(round)
  }
  return measured
}

/** The median of a contestant's figures over all rounds. */
export const medianOf = <Measured>(
  rounds: ReadonlyArray<Round<Measured>>,
  name: string,
  figure: (measured: Measured) => number
): number =>
  median(
    rounds.flatMap((round) => {
      const measured = round.get(name)
      return measured === undefined ? [] : [figure(measured)]
    })
  )

/**
 * A contestant's figure divided by another's: the ratio of each round, then their median. A machine that is slow for a
 * while is slow for both.
 */
export const medianRatio = <Measured>(
  rounds: ReadonlyArray<Round<Measured>>,
  name: string,
  to: string,
  figure: (measured: Measured) => number
): number =>
  median(
    rounds.flatMap((round) => {
      const [mine, other] = [round.get(name), round.get(to)]
      return mine === undefined || other === undefined ? [] : [figure(mine) / figure(other)]
    })
  )
