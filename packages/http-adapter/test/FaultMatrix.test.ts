import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type Cell, type FaultName, faultNames, isFault, meet } from "./support/cell.ts"
import { type ClientName, clientNamed, everyClient } from "./support/clients.ts"
import { expectationOf, type Expected } from "./support/expectations.ts"
import { operations, type OperationUnderTest } from "./support/operations.ts"
import { create } from "./support/timeline.ts"

// fetch and undici are what the package is for; of the others a read and a create show whether they differ.
const isWhole = (client: ClientName) => client === "fetch" || client === "undici"
const operationsOver = (client: ClientName) =>
  isWhole(client) ? operations : operations.filter(({ name }) => name === "pipes.get" || name === "keys.create")

const lostAnswers: ReadonlySet<string> = new Set(["ConnectionError", "TimeoutError", "ServerError"])

const assertAsExpected = Effect.fnUntraced(function* (operation: OperationUnderTest, cell: Cell, expected: Expected) {
  const { exit, seen } = cell
  const { attempts = expected.requests } = expected
  assert.strictEqual(seen.requests(), expected.requests, "requests that the server saw")
  assert.isTrue(seen.paths.every((path) => path === operation.path))
  if (expected.connections !== undefined) assert.strictEqual(seen.connections(), expected.connections, "connections")
  if (exit === undefined) return assert.fail("it hangs")
  if (expected.tag === undefined) return assert.isTrue(Exit.isSuccess(exit), String(exit))
  if (Exit.isSuccess(exit)) return assert.fail(`expected ${expected.tag}`)
  const error = yield* Effect.flip(exit)
  assert.deepStrictEqual(
    [error._tag, error.attempts, error.method, error.path, error.status],
    [expected.tag, attempts, operation.method, operation.path, expected.status]
  )
  if (expected.says instanceof RegExp) assert.match(error.message, expected.says)
  else if (expected.says !== undefined) assert.include(error.message, expected.says)
  // Who repeats a create must know; of anything else it would be noise.
  const doubtful = error._tag === "UnexpectedResponse" ? (error.status ?? 0) < 300 : lostAnswers.has(error._tag)
  assert.strictEqual(
    error.message.includes("; it may have taken effect"),
    operation.creates && doubtful && !error.message.includes("; nothing was sent")
  )
  if (expected.aborts === true) {
    // The socket's end takes a moment to arrive.
    const areAborted = () => seen.aborted() === expected.requests
    yield* Effect.sleep("10 millis").pipe(Effect.repeat({ until: areAborted, times: 1000 }))
    assert.isTrue(areAborted(), "requests that were broken off")
  }
})

/** A cell of the matrix. What came of it is there once its call has ended. */
interface Entry {
  readonly client: ClientName
  readonly operation: OperationUnderTest
  readonly fault: FaultName
  cell?: Cell
}
const entries: Array<Entry> = []

describe.concurrent("the fault matrix", () => {
  for (const fault of faultNames) {
    for (const [client, layer] of everyClient) {
      for (const operation of operationsOver(client)) {
        const expected = expectationOf(client, operation, fault)
        it.live(`${fault}: ${operation.name} over ${client}: ${expected.requests} requests`, () =>
          Effect.gen(function* () {
            const entry: Entry = { client, operation, fault }
            entries.push(entry)
            entry.cell = yield* meet(layer, operation, fault)
            yield* assertAsExpected(operation, entry.cell, expected)
          })
        )
      }
    }
  }
})

const hangs = ({ cell }: Entry): boolean => cell?.exit === undefined
const sendsTwice = ({ cell, operation }: Entry): boolean => operation.creates && (cell?.seen.repeats() ?? 0) > 0

describe("the fault matrix as a whole", () => {
  it("has every cell, sends no create twice, and does not hang", () => {
    const kinds = faultNames.filter(isFault).length
    const cells = entries.filter(({ fault }) => isFault(fault))
    const lines = everyClient.map(([client]) => {
      const over = cells.filter((cell) => cell.client === client)
      const requests = over.reduce((sum, { cell }) => sum + (cell?.seen.requests() ?? 0), 0)
      const size = `${kinds} fault kinds x ${operationsOver(client).length} operations = ${over.length} cells`
      return `over ${client}: ${size}, in which the server saw ${requests} requests`
    })
    const counts = `creates sent twice: ${cells.filter(sendsTwice).length}, hangs: ${cells.filter(hangs).length}`
    console.log([...lines, `${cells.length} cells in all, ${counts}`].join("\n"))

    assert.isAtLeast(kinds, 25)
    const expected = everyClient.reduce((sum, [client]) => sum + kinds * operationsOver(client).length, 0)
    assert.strictEqual(cells.length, expected, "cells, when the whole file is run")
    assert.isTrue(counts === "creates sent twice: 0, hangs: 0", counts)
  })

  it.live("would count a create that is sent twice", () =>
    Effect.gen(function* () {
      const fault = "a reset, then good"
      const cell = yield* meet(clientNamed("undici"), create, fault, { retryCreates: true })
      assert.isTrue(sendsTwice({ client: "undici", operation: create, fault, cell }))
    })
  )

  it.live("would count a call that hangs", () =>
    Effect.gen(function* () {
      const cell = yield* meet(clientNamed("undici"), create, "silence", { attemptTimeout: "Infinity" }, "1 second")
      assert.isTrue(hangs({ client: "undici", operation: create, fault: "silence", cell }))
    })
  )
})
