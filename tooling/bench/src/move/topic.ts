// What the messages of topics cost until they are in a table: beside a bare loop, and beside the engine's own way.
import { say } from "@headgate/harness/Verdict"
import { targetTable } from "@headgate/harness/table"
import * as Effect from "effect/Effect"
import { bareLoop, engineTable, names, passedThrough } from "./contestants.ts"
import { measure, rateTarget } from "./measure.ts"
import { idleCpu, memoryAtFullSpeed } from "./server.ts"
import { eventsOf, makeEnvironment, produce } from "./environment.ts"

const arrays = {
  columns: [{ name: "tags", type: "Array(UInt32)" }],
  fields: (id: number) => `,"tags":[${id % 7},${id % 1009},${id},40000]`
}

export const benchTopic = Effect.fnUntraced(function* (rounds: number, size: number) {
  const messages = Math.round(1_000_000 * size)
  const environment = yield* makeEnvironment
  const [flat, nested] = [eventsOf("events", messages), eventsOf("arrays", messages, arrays)]
  for (const events of [flat, nested]) yield* produce(environment, events)
  const contestants = [
    passedThrough(names.passedThrough, environment, flat),
    bareLoop(names.bareLoop, environment, flat),
    passedThrough(names.passedArrays, environment, nested),
    bareLoop(names.bareArrays, environment, nested),
    passedThrough(names.mapped, environment, flat, true),
    engineTable(names.engineTable, environment, flat)
  ]
  const costs = yield* measure(environment, `${messages} messages`, contestants, rounds)
  for (const line of targetTable([
    rateTarget(costs, names.passedThrough, names.bareLoop, 0.95, "CPU"),
    rateTarget(costs, names.passedArrays, names.bareArrays, 0.85, "CPU"),
    rateTarget(costs, names.passedThrough, names.engineTable, 2, "time"),
    rateTarget(costs, names.mapped, names.engineTable, 1, "time"),
    {
      what: "memory of a server that moves the topic, in MiB",
      atMost: 450,
      measured: yield* memoryAtFullSpeed(environment, flat)
    },
    { what: "CPU of a server with 100 idle pipes, in %", atMost: 2, measured: yield* idleCpu(environment, flat) }
  ]))
    say(line)
}, Effect.scoped)
