import { assert, describe, it } from "@effect/vitest"
import { type SampleCall, sampleCalls } from "@headgate/samples"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type Cell, type FaultName, faultNames, isFault, meet } from "./support/cell.ts"
import { type ClientName, clientNamed, everyClient } from "./support/clients.ts"
import { expectationOf, type Expected } from "./support/expectations.ts"
import { isLong, testedCalls } from "./support/testedCalls.ts"
import { create, get } from "./support/timeline.ts"

/** One test of the matrix: an operation, a fault and a client. `cell` is set when its call has ended. */
interface Entry {
  readonly client: ClientName
  readonly sample: SampleCall
  readonly fault: FaultName
  cell?: Cell
}

// The matrix is most of the time of all tests of this package: `npm test` runs the slice below. Other operations are in that alone.
const inMatrix = new Set(isLong ? [get, ...testedCalls] : [])

// fetch and undici are the supported clients: of the operations each has one half with one fault, and the other half with
// the next. Each of these operations meets every fault once; both at once would double the minutes and show little more. A read and a
// create meet every fault over every client, and show whether the clients differ.
const samplesOver = (client: ClientName, nth: number) => {
  const half = client === "fetch" ? 0 : client === "undici" ? 1 : undefined
  return Array.from(inMatrix).filter(
    (sample, index) => sample === get || sample === create || (half !== undefined && (nth + index) % 2 === half)
  )
}

const matrix = (): ReadonlyArray<Entry> =>
  faultNames.flatMap((fault, nth) =>
    everyClient.flatMap(([client]) => samplesOver(client, nth).map((sample) => ({ client, sample, fault })))
  )

const supported: ReadonlyArray<ClientName> = ["fetch", "undici", "fetch alone"]

/** One entry for each of the operations and the faults, whichever are more; the supported clients alternate. */
const pairs = (faults: ReadonlyArray<FaultName>, operations: number): ReadonlyArray<Entry> =>
  Array.from({ length: Math.max(faults.length, operations) }, (_, nth) => {
    const at = nth % faults.length
    const sample = sampleCalls[nth % sampleCalls.length] ?? get
    return faults
      .slice(at, at + 1)
      .map((fault) => ({ client: supported[nth % supported.length] ?? "fetch", sample, fault }))
  }).flat()

/** Every fault and every operation once. */
const slice = (): ReadonlyArray<Entry> => [
  ...pairs(faultNames.filter(isFault), sampleCalls.length),
  ...pairs(
    faultNames.filter((name) => !isFault(name)),
    0
  )
]

const entries = [...matrix(), ...slice().filter(({ sample }) => !inMatrix.has(sample))]

const lostAnswers: ReadonlySet<string> = new Set(["ConnectionError", "TimeoutError", "ServerError"])

const assertAsExpected = Effect.fnUntraced(function* (sample: SampleCall, cell: Cell, expected: Expected) {
  const { exit, seen } = cell
  const { attempts = expected.requests } = expected
  assert.strictEqual(seen.requests(), expected.requests, "requests that the server saw")
  assert.isTrue(seen.paths.every((path) => path === sample.target))
  if (expected.connections !== undefined) assert.strictEqual(seen.connections(), expected.connections, "connections")
  if (exit === undefined) return assert.fail("it hangs")
  if (expected.tag === undefined) return assert.isTrue(Exit.isSuccess(exit), String(exit))
  if (Exit.isSuccess(exit)) return assert.fail(`expected ${expected.tag}`)
  const error = yield* Effect.flip(exit)
  assert.deepStrictEqual(
    [error._tag, error.attempts, error.method, error.path, error.status],
    [expected.tag, attempts, sample.operation.method, sample.path, expected.status]
  )
  if (expected.says instanceof RegExp) assert.match(error.message, expected.says)
  else if (expected.says !== undefined) assert.include(error.message, expected.says)
  // Who repeats a create must know; of anything else it would be noise.
  const doubtful = error._tag === "UnexpectedResponse" ? (error.status ?? 0) < 300 : lostAnswers.has(error._tag)
  assert.strictEqual(
    error.message.includes("; it may have taken effect"),
    !sample.isRepeatable && doubtful && !error.message.includes("; nothing was sent")
  )
  if (expected.aborts === true) {
    // The socket's end takes a moment to arrive.
    const areAborted = () => seen.aborted() === expected.requests
    yield* Effect.sleep("10 millis").pipe(Effect.repeat({ until: areAborted, times: 1000 }))
    assert.isTrue(areAborted(), "requests that were broken off")
  }
})

describe.concurrent("the fault matrix", () => {
  for (const entry of entries) {
    const { client, fault, sample } = entry
    const expected = expectationOf(client, sample, fault)
    it.live(`${fault}: ${sample.name} over ${client}: ${expected.requests} requests`, () =>
      Effect.gen(function* () {
        entry.cell = yield* meet(clientNamed(client), sample, fault)
        yield* assertAsExpected(sample, entry.cell, expected)
      })
    )
  }
})

const hangs = ({ cell }: Entry): boolean => cell?.exit === undefined
const sendsTwice = ({ cell, sample }: Entry): boolean => !sample.isRepeatable && (cell?.seen.repeats() ?? 0) > 0

describe("the fault matrix as a whole", () => {
  it("has every cell, sends no create twice, and does not hang", () => {
    const kinds = faultNames.filter(isFault).length
    const cells = entries.filter(({ fault }) => isFault(fault))
    const lines = everyClient.map(([client]) => {
      const over = cells.filter((cell) => cell.client === client)
      const requests = over.reduce((sum, { cell }) => sum + (cell?.seen.requests() ?? 0), 0)
      const operations = new Set(over.map(({ sample }) => sample.name)).size
      return `over ${client}: ${operations} operations, ${over.length} cells, in which the server saw ${requests} requests`
    })
    const counts = `creates sent twice: ${cells.filter(sendsTwice).length}, hangs: ${cells.filter(hangs).length}`
    console.log([`${kinds} fault kinds`, ...lines, `${cells.length} cells in all, ${counts}`].join("\n"))

    assert.isAtLeast(kinds, 25)
    assert.strictEqual(new Set(cells.map(({ fault }) => fault)).size, kinds)
    const met = new Set(cells.map(({ fault, sample }) => `${sample.name}: ${fault}`))
    const others = slice().filter(({ fault, sample }) => isFault(fault) && !inMatrix.has(sample))
    assert.strictEqual(met.size, kinds * inMatrix.size + others.length)
    assert.strictEqual(new Set(cells.map(({ sample }) => sample.name)).size, sampleCalls.length)
    assert.strictEqual(counts, "creates sent twice: 0, hangs: 0", "when the whole file is run")
  })

  it.live("would count a create that is sent twice", () =>
    Effect.gen(function* () {
      const fault = "a reset, then good"
      const cell = yield* meet(clientNamed("undici"), create, fault, { retryCreates: true })
      assert.isTrue(sendsTwice({ client: "undici", sample: create, fault, cell }))
    })
  )

  it.live("would count a call that hangs", () =>
    Effect.gen(function* () {
      const cell = yield* meet(clientNamed("undici"), create, "silence", { attemptTimeout: "Infinity" }, "1 second")
      assert.isTrue(hangs({ client: "undici", sample: create, fault: "silence", cell }))
    })
  )
})
