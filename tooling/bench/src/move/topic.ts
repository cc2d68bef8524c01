// What the messages of topics cost until they are in a table: beside a bare loop, beside the engine's own way, and with bad ones among them.
import { say } from "@headgate/harness/Verdict"
import { median, medianRatio } from "@headgate/harness/rounds"
import { targetTable } from "@headgate/harness/table"
import * as Effect from "effect/Effect"
import { bareLoop, engineTable, names, passedThrough } from "./contestants.ts"
import { type Costs, cpuOf, measure, rateTarget } from "./measure.ts"
import { idleCpu, memoryAtFullSpeed } from "./server.ts"
import { type Events, eventsOf, makeTopicEnvironment, produce, type Environment } from "./environment.ts"

const arrays = {
  columns: [{ name: "tags", type: "Array(UInt32)" }],
  fields: (id: number) => `,"tags":[${id % 7},${id % 1009},${id},40000]`
}

export const benchTopic = Effect.fnUntraced(function* (engineEnvironment: Environment, rounds: number, size: number) {
  const messages = Math.round(1_000_000 * size)
  const environment = yield* makeTopicEnvironment(engineEnvironment)
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

/** Who finds a bad row: the rules of the mover, or only the engine, which alone knows what a Variant takes. */
const finders = {
  "found by the rules": (topic: string, messages: number, every: number): Events => ({
    ...eventsOf(topic, messages),
    valueOf: (id) => {
      const value = eventsOf(topic, messages).valueOf(id)
      return (id + 1) % every === 0 ? value.replace(".25", ".255") : value
    }
  }),
  "found by the engine": (topic: string, messages: number, every: number): Events =>
    eventsOf(topic, messages, {
      columns: [{ name: "v", type: "Variant(UInt64, Date)" }],
      fields: (id) => `,"v":${(id + 1) % every === 0 ? -id : id}`
    })
}

export const benchBadRows = Effect.fnUntraced(function* (engineEnvironment: Environment, rounds: number, size: number) {
  const messages = Math.ceil((200_000 * size) / 100) * 100
  const environment = yield* makeTopicEnvironment(engineEnvironment)
  const groups = Object.entries(finders).map(([finder, make], group) => ({
    finder,
    topics: [Infinity, 100, 10].map((every) => {
      const bad = messages / every
      return { ...make(`bad-${group}-${bad}`, messages, every), bad }
    })
  }))
  for (const { topics } of groups) for (const events of topics) yield* produce(environment, events)
  const nameOf = (finder: string, { bad }: Events) =>
    bad === 0 ? `no bad row of those ${finder}` : `${(100 * bad) / messages} % bad, ${finder}`
  const contestants = groups.flatMap(({ finder, topics }) =>
    topics.map((events) => passedThrough(nameOf(finder, events), environment, events))
  )
  const costs = yield* measure(environment, `${messages} messages`, contestants, rounds)
  const targets = groups.flatMap(({ finder, topics: [none, few, many] }) => {
    if (none === undefined || few === undefined || many === undefined) return []
    const cpu = (round: Costs[number], events: Events) => round.get(nameOf(finder, events))?.cpu ?? Number.NaN
    // A good row costs what it costs where all are good; the rest is of the bad ones.
    const ofBad = (round: Costs[number], events: Events) => {
      const share = events.bad / messages
      return (cpu(round, events) - (1 - share) * cpu(round, none)) / share
    }
    return [
      {
        what: `${nameOf(finder, few)} / none`,
        atMost: 3,
        measured: medianRatio(costs, nameOf(finder, few), nameOf(finder, none), cpuOf)
      },
      {
        what: `cost of a bad row ${finder}, 10 % / 1 %`,
        atMost: 1.5,
        measured: median(costs.map((round) => ofBad(round, many) / ofBad(round, few)))
      }
    ]
  })
  for (const line of targetTable(targets)) say(line)
}, Effect.scoped)
