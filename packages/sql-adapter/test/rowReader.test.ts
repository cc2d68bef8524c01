import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makeRowReader } from "../src/internal/rowReader.ts"

const makeCounted = (capacity: number) => {
  const reads: Array<string> = []
  const read = makeRowReader(capacity, (row: { readonly id: string; readonly state: string | null }) =>
    Effect.sync(() => {
      reads.push(`${row.id} ${row.state}`)
      return { ...row, read: reads.length }
    })
  )
  return { read, reads }
}

it.effect("a row is decoded again only when it has changed", () =>
  Effect.gen(function* () {
    const { read, reads } = makeCounted(10)
    assert.strictEqual((yield* read("a", { id: "a", state: "enabled" })).read, 1)
    assert.strictEqual((yield* read("a", { id: "a", state: "enabled" })).read, 1)
    assert.strictEqual((yield* read("a", { id: "a", state: "disabled" })).state, "disabled")
    assert.strictEqual((yield* read("a", { id: "a", state: null })).state, null)
    assert.strictEqual((yield* read("a", { id: "a", state: "enabled" })).state, "enabled")
    assert.deepStrictEqual(reads, ["a enabled", "a disabled", "a null", "a enabled"])
  })
)

it.effect("above the capacity the oldest row is dropped", () =>
  Effect.gen(function* () {
    const { read, reads } = makeCounted(2)
    for (const id of ["a", "b", "c", "b", "c", "a"]) yield* read(id, { id, state: "enabled" })
    assert.deepStrictEqual(reads, ["a enabled", "b enabled", "c enabled", "a enabled"])
  })
)

it.effect("a row that has changed replaces its own entry, not another's, and counts as new", () =>
  Effect.gen(function* () {
    const { read, reads } = makeCounted(2)
    for (const id of ["a", "b"]) yield* read(id, { id, state: "enabled" })
    yield* read("b", { id: "b", state: "disabled" })
    yield* read("a", { id: "a", state: "enabled" })
    yield* read("a", { id: "a", state: "disabled" })
    yield* read("c", { id: "c", state: "enabled" })
    yield* read("a", { id: "a", state: "disabled" })
    assert.deepStrictEqual(reads, ["a enabled", "b enabled", "b disabled", "a disabled", "c enabled"])
  })
)

it.effect("a row that does not decode is not kept", () =>
  Effect.gen(function* () {
    let isBroken = true
    const read = makeRowReader(10, (row: { readonly id: string }) =>
      isBroken ? Effect.fail("broken") : Effect.succeed(row.id)
    )
    assert.strictEqual(yield* Effect.flip(read("a", { id: "a" })), "broken")
    isBroken = false
    assert.strictEqual(yield* read("a", { id: "a" }), "a")
  })
)
