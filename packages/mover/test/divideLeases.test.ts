import { assert, describe, it } from "@effect/vitest"
import { PipeId } from "@headgate/core"
import * as Schema from "effect/Schema"
import { divideLeases, type WeightedPipe } from "../src/index.ts"

const idOf = (index: number) => PipeId.make(`b1be0000-0000-4000-8000-${String(index).padStart(12, "0")}`)

const sum = (pipes: ReadonlyArray<WeightedPipe>) => pipes.reduce((total, { weight }) => total + weight, 0)

/**
 * Movers that ask in turn until nobody takes or gives anything. Returns how many pipes changed their mover, and what each has; fails if
 * there is no end.
 */
const settle = (weights: ReadonlyArray<number>, holders: ReadonlyArray<number | undefined>, movers: number) => {
  const pipes = weights.map((weight, index) => ({ pipeId: idOf(index), weight }))
  const owners = new Map(pipes.map(({ pipeId }, index) => [pipeId, holders[index]] as const))
  const all = { movers, pipes: pipes.length, load: sum(pipes), lightest: Math.min(...weights) }
  let changes = 0
  for (let round = 0; round < 1000; round += 1) {
    let isQuiet = true
    for (let mover = 0; mover < movers; mover += 1) {
      const of = (owner: number | undefined) => pipes.filter(({ pipeId }) => owners.get(pipeId) === owner)
      const { giveBack, keep, take } = divideLeases({ mine: of(mover), free: of(undefined), all })
      assert.sameMembers(
        [...keep, ...giveBack],
        of(mover).map(({ pipeId }) => pipeId)
      )
      for (const pipeId of giveBack) owners.set(pipeId, undefined)
      for (const pipeId of take) owners.set(pipeId, mover)
      changes += giveBack.length
      if (giveBack.length + take.length > 0) isQuiet = false
    }
    if (isQuiet) {
      const held = Array.from({ length: movers }, (_, mover) =>
        pipes.filter(({ pipeId }) => owners.get(pipeId) === mover)
      )
      return { changes, held }
    }
  }
  return assert.fail(`no end: ${JSON.stringify({ weights, holders, movers })}`)
}

const holder = (choice: number, movers: number) =>
  choice % (movers + 1) === movers ? undefined : choice % (movers + 1)
const numbers = (maximum: number) => Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))
const small = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 }))

describe("divideLeases", () => {
  it.prop(
    "of pipes of one weight, each mover comes to the share that their number gives it",
    [numbers(40), small, small],
    ([choices, more, exponent]) => {
      const movers = 1 + more
      const weights = choices.map(() => 2 ** exponent)
      const { held } = settle(
        weights,
        choices.map((choice) => holder(choice, movers)),
        movers
      )
      // What was decided by number alone: nobody has more than that, and none is left over.
      const share = Math.ceil(choices.length / movers)
      for (const one of held) assert.isAtMost(one.length, share)
      assert.strictEqual(held.flat().length, choices.length)
    }
  )

  it.prop(
    "whatever pipes weigh, movers come to an end, no pipe stays free, and no mover could give one to the lightest for the better",
    [numbers(400), small],
    ([choices, more]) => {
      const movers = 1 + more
      const weights = choices.map((choice) => 2 ** (choice % 8))
      const { held } = settle(
        weights,
        choices.map((choice) => holder(choice >> 3, movers)),
        movers
      )
      assert.strictEqual(held.flat().length, choices.length)
      const average = weights.reduce((total, weight) => total + weight, 0) / movers
      for (const one of held) {
        for (const { weight } of one) assert.isBelow(sum(one) - weight, average * 1.1 + 1e-9)
      }
    }
  )

  it.prop(
    "what is settled stays where it is when loads change by a few percent",
    [numbers(4), small],
    ([changes, more]) => {
      const movers = 1 + more
      const weights = Array.from({ length: 100 }, (_, index) => 8 + ((index * 37) % 50))
      const { held } = settle(
        weights,
        weights.map(() => undefined),
        movers
      )
      const owners = new Map(held.flatMap((one, mover) => one.map(({ pipeId }) => [pipeId, mover] as const)))
      const changed = weights.map(
        (weight, index) => weight * (0.98 + (changes[index % (changes.length + 1)] ?? 2) / 100)
      )
      const again = settle(
        changed,
        weights.map((_, index) => owners.get(idOf(index))),
        movers
      )
      assert.strictEqual(again.changes, 0)
    }
  )

  it("leaves a heavy pipe where it is, and has the others moved away from it", () => {
    const weights = [64, 1, 1, 1, 1, 1, 1]
    const { held } = settle(
      weights,
      weights.map(() => 0),
      3
    )
    assert.deepStrictEqual(
      held.map((one) => one.map(({ weight }) => weight)),
      [[64], [1, 1, 1, 1, 1, 1], []]
    )
  })

  it("gives everything back where no mover takes pipes", () => {
    const mine = [idOf(1), idOf(2)].map((pipeId) => ({ pipeId, weight: 1 }))
    const all = { movers: 0, pipes: 2, load: 2, lightest: 1 }
    assert.deepStrictEqual(divideLeases({ mine, free: [], all }).giveBack.length, 2)
  })
})
