import { assert, describe, it } from "@effect/vitest"
import { OrganizationId, Pipe, PipeId, type PipeState, ServiceId } from "@headgate/core"
import type { PipeAssignment, PipeRecord } from "@headgate/core/adapter"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { beginsAnew, keepsMoving, type Observed, reconcilePipe, type Step } from "../src/loop/reconcilePipe.ts"

const address = {
  organizationId: OrganizationId.make("0a0b0c0d-0000-4000-8000-0000000000aa"),
  serviceId: ServiceId.make("5e000000-0000-4000-8000-0000000000aa"),
  pipeId: PipeId.make("b1be0000-0000-4000-8000-000000000001")
}
const listed = (state: PipeState, goal?: PipeState): PipeAssignment => ({
  address,
  warehouse: "*",
  state,
  goal,
  version: 3
})
const moves: Observed = { version: 3, isSuperseded: false, report: undefined, reported: undefined }
const running = { state: "Running" } as const
const degraded = { state: "Degraded", message: "no broker answers" } as const

const nothing: Step = { _tag: "Nothing" }
const read: Step = { _tag: "Read" }

const table: ReadonlyArray<readonly [string, PipeAssignment, boolean, Observed | undefined, Step]> = [
  ["one that was created is started", listed("Provisioning"), true, undefined, read],
  ["one of another warehouse waits", listed("Provisioning"), false, undefined, nothing],
  ["one that begins to move has nothing to report", listed("Setup"), true, moves, nothing],
  [
    "one that has begun to move is Running",
    listed("Setup"),
    true,
    { ...moves, report: running },
    { _tag: "Report", report: running }
  ],
  ["one whose state is stored is left alone", listed("Running"), true, { ...moves, report: running }, nothing],
  [
    "one whose reason is stored is left alone",
    listed("Degraded"),
    true,
    { ...moves, report: degraded, reported: degraded },
    nothing
  ],
  [
    "one with another reason is stored again",
    listed("Degraded"),
    true,
    { ...moves, report: degraded, reported: { state: "Degraded", message: "another" } },
    { _tag: "Report", report: degraded }
  ],
  ["one that a user has changed is read", listed("Running"), true, { ...moves, version: 2, report: running }, read],
  [
    "one that another process took and gave back is read",
    listed("Running"),
    true,
    { ...moves, isSuperseded: true },
    read
  ],
  [
    "one that is to stop rests",
    listed("Stopping"),
    true,
    { ...moves, report: running },
    { _tag: "Rest", state: "Stopped" }
  ],
  ["one that is to pause rests", listed("Pausing"), true, undefined, { _tag: "Rest", state: "Paused" }],
  [
    "one that is to stop after it is set up rests",
    listed("Setup", "Stopped"),
    true,
    undefined,
    { _tag: "Rest", state: "Stopped" }
  ],
  [
    "one that is to rest does so wherever it is",
    listed("Stopping"),
    false,
    undefined,
    { _tag: "Rest", state: "Stopped" }
  ]
]

describe("a pipe", () => {
  for (const [title, pipe, isServed, observed, step] of table) {
    it(`${title}`, () => assert.deepStrictEqual(reconcilePipe(pipe, isServed, observed), step))
  }
})

const decode = Schema.decodeUnknownSync(Pipe)
const recordOf = (change: object = {}, more: Omit<PipeRecord, "pipe"> = {}): PipeRecord => ({
  pipe: decode({
    id: address.pipeId,
    serviceId: address.serviceId,
    name: "orders",
    state: "Running",
    source: { kinesis: { streamName: "orders" } },
    ...change
  }),
  ...more
})
const progress = { since: 0, steps: [] }

describe("a mover goes on with a later version of its pipe", () => {
  const cases: ReadonlyArray<readonly [string, boolean, PipeRecord, boolean]> = [
    ["of another name", false, recordOf({ name: "renamed" }), true],
    ["of another source: no", false, recordOf({ source: { kinesis: { streamName: "clicks" } } }), false],
    ["with other settings: no", false, recordOf({ settings: { streaming_max_insert_wait_ms: 1 } }), false],
    ["with other credentials: no", false, recordOf({}, { credentials: { a: Redacted.make("b") } }), false],
    ["that is to be read again: no", false, recordOf({ state: "Resync" }), false],
    [
      "that a user has decided on: no",
      false,
      recordOf({}, { progress: { ...progress, decision: { pending: "skip" } } }),
      false
    ],
    ["after its end: no", true, recordOf(), false]
  ]
  for (const [title, isOver, next, expected] of cases) {
    it(`${title}`, () => assert.strictEqual(keepsMoving(recordOf(), isOver, next), expected))
  }
})

it("a pipe begins anew after a resync, and after the decision to read it from its start", () => {
  assert.isFalse(beginsAnew(recordOf()))
  assert.isTrue(beginsAnew(recordOf({ state: "Resync" })))
  assert.isTrue(beginsAnew(recordOf({}, { progress: { ...progress, decision: { from: "start" } } })))
  assert.isFalse(beginsAnew(recordOf({}, { progress: { ...progress, decision: { from: "ledger" } } })))
})
