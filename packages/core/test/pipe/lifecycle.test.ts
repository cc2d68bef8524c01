import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import { type Pipe, pipeStates } from "../../src/pipe/Pipe.ts"
import { PipeId } from "../../src/id/pipe.ts"
import { ServiceId } from "../../src/id/service.ts"
import {
  act,
  advance,
  dueOf,
  pipeActions,
  type PipeKind,
  pipeKindOf,
  pipeKinds,
  stateSequences,
  resume,
  transition
} from "../../src/pipe/lifecycle.ts"

// The contract's table, written out: what each action does in each state. `=` stays as it is, `run`, `done` and `edit` are
// the 400s with the words that clients look for, `400` and `409` the others, anything else the path.
const streaming = `
state         | start                | stop             | resync | edit | resume | accept
Unknown       | run                  | Stopping Stopped | 400    | 400 | 409 | Provisioning Running
Provisioning  | run                  | Stopping Stopped | 400    | 400 | 409 | 409
Running       | run                  | Stopping Stopped | 400    | 400 | 409 | Provisioning Running
Degraded      | run                  | Stopping Stopped | 400    | 400 | 409 | Provisioning Running
Stopping      | 409                  | =                | 400    | 400 | 409 | 409
Stopped       | Provisioning Running | =                | 400    | 400 | Provisioning Running | Provisioning Running
Failed        | Provisioning Running | =                | 400    | 400 | Provisioning Running | Provisioning Running
Completed     | done                 | =                | 400    | 400 | 400 | Provisioning Running
InternalError | Provisioning Running | Stopping Stopped | 400    | 400 | Provisioning Running | Provisioning Running
Setup         | run                  | Stopping Stopped | 400    | 400 | 409 | 409
Snapshot      | run                  | Stopping Stopped | 400    | 400 | 409 | 409
Paused        | Provisioning Running | =                | 400    | 400 | Provisioning Running | Provisioning Running
Pausing       | 409                  | =                | 400    | 400 | 409 | 409
Modifying     | run                  | Stopping Stopped | 400    | 400 | 409 | 409
Resync        | run                  | Stopping Stopped | 400    | 400 | 409 | 409
Hibernating   | run                  | Stopping Stopped | 400    | 400 | 409 | Provisioning Running`

const cdc = `
state         | start         | stop           | resync         | edit | resume | accept
Unknown       | run           | Pausing Paused | Resync Running | edit | 400 | Setup Running
Provisioning  | run           | Pausing Paused | 409            | edit | 400 | 409
Running       | run           | Pausing Paused | Resync Running | edit | 400 | Setup Running
Degraded      | run           | Pausing Paused | Resync Running | edit | 400 | Setup Running
Stopping      | 409           | =              | 409            | edit | 400 | 409
Stopped       | Setup Running | =              | Resync Running | Modifying Running | 400 | Setup Running
Failed        | Setup Running | =              | Resync Running | edit | 400 | Setup Running
Completed     | done          | =              | Resync Running | edit | 400 | Setup Running
InternalError | Setup Running | Pausing Paused | Resync Running | edit | 400 | Setup Running
Setup         | run           | Pausing Paused | 409            | edit | 400 | 409
Snapshot      | run           | Pausing Paused | Resync Running | edit | 400 | 409
Paused        | Setup Running | =              | Resync Running | Modifying Running | 400 | Setup Running
Pausing       | 409           | =              | 409            | edit | 400 | 409
Modifying     | run           | Pausing Paused | Resync Running | edit | 400 | 409
Resync        | run           | Pausing Paused | =              | edit | 400 | 409
Hibernating   | run           | Pausing Paused | Resync Running | edit | 400 | Setup Running`

const tables: { readonly [Kind in PipeKind]: string } = {
  streaming,
  oneShot: streaming.replaceAll("Provisioning Running", "Provisioning Completed"),
  cdc,
  snapshot: cdc
    .replaceAll("Setup Running", "Setup Snapshot Completed")
    .replaceAll("Resync Running", "Resync Completed")
    .replaceAll("Modifying Running", "Modifying Completed")
}

/** What is the same in every state. */
const always: { readonly [Kind in PipeKind]: { readonly create: string; readonly createPaused: string } } = {
  streaming: { create: "Provisioning Running", createPaused: "Provisioning Stopped" },
  oneShot: { create: "Provisioning Completed", createPaused: "Provisioning Stopped" },
  cdc: { create: "Provisioning Setup Snapshot Running", createPaused: "Provisioning Paused" },
  snapshot: { create: "Provisioning Setup Snapshot Completed", createPaused: "Provisioning Paused" }
}

const words = new Map([
  ["command: pipe is already running", "run"],
  ["command: pipe is completed", "done"],
  ["pipe must be paused to edit", "edit"]
])

/** The outcome of an action, as the table writes it. */
const outcomeOf = (...parameters: Parameters<typeof transition>): string =>
  Result.match(transition(...parameters), {
    onFailure: (error) => words.get(error.message) ?? (error._tag === "Conflict" ? "409" : "400"),
    onSuccess: (path) => (path.length === 0 ? "=" : path.join(" "))
  })

const rowsOf = (table: string) => {
  const [head = [], ...rows] = table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
  return rows.map(([state = "", ...cells]) => ({
    state,
    cells: cells.map((expected, index) => ({ action: head[index + 1] ?? "", expected }))
  }))
}

const stepLength = Duration.millis(500)
const start = { now: 10_000, stepLength }

const pipeOf = (state: string, source: Pipe["source"] = null): Pipe => ({
  id: PipeId.make("6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f"),
  serviceId: ServiceId.make("0b9a8c7d-1e2f-4a3b-9c4d-5e6f7a8b9c0d"),
  name: "orders",
  state,
  source
})

const created = (source: Pipe["source"]) => Result.getOrThrow(act({ pipe: pipeOf("", source) }, "create", start))

describe("transition", () => {
  for (const kind of pipeKinds) {
    const rows = rowsOf(tables[kind])

    it(`${kind}: the table has every state, and every action stands in it or is the same in every state`, () => {
      assert.sameMembers(
        rows.map(({ state }) => state),
        [...pipeStates, "Hibernating"]
      )
      const actions = rows[0]?.cells.map(({ action }) => action) ?? []
      assert.sameMembers([...actions, "create", "createPaused", "delete"], [...pipeActions])
    })

    for (const { cells, state } of rows) {
      it(`${kind} in ${state}: ${cells.map(({ action, expected }) => `${action} ${expected}`).join(", ")}`, () => {
        for (const action of pipeActions) {
          const listed = cells.find((cell) => cell.action === action)?.expected
          const { create, createPaused } = always[kind]
          const expected = listed ?? { create, createPaused, delete: "=" }[action as "create"]
          assert.strictEqual(outcomeOf(kind, state, action), expected, action)
        }
      })
    }
  }

  it("a path never passes a state twice", () => {
    for (const kind of pipeKinds) {
      for (const path of Object.values(stateSequences[kind])) assert.strictEqual(new Set(path).size, path.length)
    }
  })
})

describe("pipeKindOf", () => {
  const cases: ReadonlyArray<readonly [PipeKind, Pipe["source"]]> = [
    ["streaming", { kafka: { topics: "orders" } }],
    ["streaming", { kinesis: {} }],
    ["streaming", { pubsub: {} }],
    ["streaming", { objectStorage: { isContinuous: true } }],
    ["oneShot", { objectStorage: { isContinuous: false } }],
    ["oneShot", { objectStorage: {} }],
    ["cdc", { postgres: { settings: { replicationMode: "cdc" } } }],
    ["cdc", { postgres: { settings: { replicationMode: "cdc_only" } } }],
    ["cdc", { postgres: {} }],
    ["cdc", { mysql: { settings: null } }],
    ["cdc", { mongodb: {} }],
    ["snapshot", { postgres: { settings: { replicationMode: "snapshot" } } }],
    ["snapshot", { mysql: { settings: { replicationMode: "snapshot" } } }],
    ["snapshot", { mongodb: { settings: { replicationMode: "snapshot" } } }],
    ["snapshot", { bigquery: {} }],
    ["streaming", { kafka: null, postgres: null }],
    ["streaming", {}],
    ["streaming", null],
    ["streaming", undefined]
  ]
  for (const [kind, source] of cases) {
    it(`${JSON.stringify(source)} is ${kind}`, () => assert.strictEqual(pipeKindOf(source), kind))
  }
})

describe("act and advance", () => {
  it("a created pipe passes each state for one step and then stays", () => {
    const pipe = created({ postgres: {} })
    const states = [0, 499, 500, 999, 1000, 1499, 1500, 1_000_000].map((ms) => {
      const { pipe: now, progress } = advance(pipe, start.now + ms)
      return `${now.state} since ${(progress?.since ?? 0) - start.now}`
    })
    assert.deepStrictEqual(states, [
      "Provisioning since 0",
      "Provisioning since 0",
      "Setup since 500",
      "Setup since 500",
      "Snapshot since 1000",
      "Snapshot since 1000",
      "Running since 1500",
      "Running since 1500"
    ])
    assert.deepStrictEqual([dueOf(pipe), dueOf(advance(pipe, start.now + 600))], [10_500, 11_000])
    assert.isUndefined(dueOf(advance(pipe, start.now + 1500)))
  })

  it("applied one after another or all at once, the steps lead to the same", () => {
    const pipe = created({ mysql: {} })
    const slowly = [500, 700, 1000, 1600].reduce((held, ms) => advance(held, start.now + ms), pipe)
    assert.deepStrictEqual(slowly, advance(pipe, start.now + 1600))
  })

  it("a clock that goes back moves no state back", () => {
    const later = advance(created({ mysql: {} }), start.now + 1000)
    assert.strictEqual(advance(later, start.now), later)
  })

  it("a clock that is set back by a day holds no passing state for a day", () => {
    const now = start.now - 86_400_000
    const passed = advance(created({ mysql: {} }), now)
    assert.deepStrictEqual([passed.pipe.state, passed.progress], ["Running", { since: now, steps: [] }])
    assert.strictEqual(advance(passed, start.now + 1000), passed)
  })

  it("an action that changes nothing, and an advance with nothing due, return the same value", () => {
    const pipe = created({ kafka: {} })
    const stopped = advance(Result.getOrThrow(act(pipe, "stop", start)), start.now + 500)
    assert.strictEqual(stopped.pipe.state, "Stopped")
    assert.strictEqual(Result.getOrThrow(act(stopped, "stop", start)), stopped)
    assert.strictEqual(advance(stopped, start.now + 9000), stopped)
  })

  it("a stop abandons the steps of a passing state", () => {
    const stopping = Result.getOrThrow(act(created({ postgres: {} }), "stop", start))
    assert.strictEqual(stopping.pipe.state, "Pausing")
    assert.strictEqual(advance(stopping, start.now + 60_000).pipe.state, "Paused")
  })

  it("a step changes the state and nothing else of the pipe", () => {
    const source = { kafka: { topics: "orders" } }
    assert.deepStrictEqual(advance(created(source), start.now + 500).pipe, pipeOf("Running", source))
  })
})

describe("resume", () => {
  const endOf = (state: string, source: Pipe["source"]) => {
    const resumed = resume(pipeOf(state, source), start)
    const states = [resumed.pipe.state, ...(resumed.progress?.steps.map(({ next }) => next) ?? [])]
    return states.join(" ")
  }

  it("a pipe in a passing state goes on; in any other it stays", () => {
    const sources = {
      streaming: { kafka: {} },
      oneShot: { objectStorage: {} },
      cdc: { mysql: {} },
      snapshot: { bigquery: {} }
    }
    const goingOn: { readonly [Kind in PipeKind]: ReadonlyArray<string> } = {
      streaming: ["Provisioning Running", "Stopping Stopped"],
      oneShot: ["Provisioning Completed", "Stopping Stopped"],
      cdc: [
        "Provisioning Setup Snapshot Running",
        "Setup Snapshot Running",
        "Snapshot Running",
        "Pausing Paused",
        "Resync Running",
        "Modifying Running"
      ],
      snapshot: [
        "Provisioning Setup Snapshot Completed",
        "Setup Snapshot Completed",
        "Snapshot Completed",
        "Pausing Paused",
        "Resync Completed",
        "Modifying Completed"
      ]
    }
    for (const kind of pipeKinds) {
      for (const state of [...pipeStates, "Hibernating"]) {
        const path = goingOn[kind].find((path) => path.startsWith(`${state} `)) ?? state
        assert.strictEqual(endOf(state, sources[kind]), path, kind)
      }
    }
  })
})
