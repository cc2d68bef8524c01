// `npm run bench:move`: how fast the messages of a topic, the objects of a storage and the rows of a database get into a table,
// beside a bare loop and the engine's own ways.
import { say } from "@headgate/harness/Verdict"
import { medianOf, medianRatio, runRounds } from "@headgate/harness/rounds"
import { table, targetTable } from "@headgate/harness/table"
import * as Effect from "effect/Effect"
import { contestants, names } from "./move/contestants.ts"
import { benchObjects } from "./move/objects.ts"
import { idleCpu, memoryAtFullSpeed } from "./move/server.ts"
import { benchSnapshot } from "./move/snapshot.ts"
import { makeTopicWorld, makeWorld, type World } from "./move/world.ts"
import { runWorkBenchmark } from "./work/runWorkBenchmark.ts"

const mostRounds = 3

/** Measures the ways from a topic in turn, and the server, and prints their table and the targets. */
const benchTopic = Effect.fnUntraced(function* (engineWorld: World, rounds: number, isQuick: boolean) {
  const messages = isQuick ? 20_000 : 1_000_000
  const world = yield* makeTopicWorld(engineWorld, messages)
  let tables = 0
  const measured = yield* Effect.promise(() =>
    runRounds(contestants, rounds, async ({ move, name }) => {
      tables += 1
      const to = `t${tables}`
      const start = performance.now()
      await Effect.runPromise(move(world, to))
      const seconds = (performance.now() - start) / 1000
      const [found = ""] = (
        await Effect.runPromise(world.engine.run(`SELECT count(), uniqExact(id) FROM ${to} FORMAT TSV`))
      ).split("\n")
      if (found !== `${messages}\t${messages}`) say(`${name}: ${found} rows and ids, in place of ${messages}`)
      await Effect.runPromise(world.engine.run(`DROP TABLE ${to} SYNC`))
      return messages / seconds
    })
  )
  const rate = (rows: number) => rows
  say()
  for (const line of table([
    [`${messages} messages, ${measured.length} rounds`, "rows/s", `/ ${names.bareLoop}`, `/ ${names.engineTable}`],
    ...contestants.map(({ name }) => [
      name,
      medianOf(measured, name, rate).toFixed(0),
      medianRatio(measured, name, names.bareLoop, rate).toFixed(2),
      medianRatio(measured, name, names.engineTable, rate).toFixed(2)
    ])
  ]))
    say(line)
  say()
  const target = (name: string, to: string, atLeast: number) => ({
    what: `${name} / ${to}`,
    atLeast,
    measured: medianRatio(measured, name, to, rate)
  })
  for (const line of targetTable([
    target(names.passedThrough, names.engineTable, 2),
    target(names.passedThrough, names.bareLoop, 0.85),
    target(names.mapped, names.engineTable, 1),
    {
      what: "memory of a server that moves the topic, in MiB",
      atMost: 450,
      measured: yield* memoryAtFullSpeed(world)
    },
    { what: "CPU of a server with 100 idle pipes, in %", atMost: 2, measured: yield* idleCpu(world) }
  ]))
    say(line)
}, Effect.scoped)

const parts = { topic: benchTopic, objects: benchObjects, postgres: benchSnapshot }

await runWorkBenchmark(
  "move",
  ["@platformatic/kafka"],
  ({ isQuick, rounds, runs }) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const world = yield* makeWorld
          for (const [name, bench] of Object.entries(parts)) {
            if (runs(name)) yield* bench(world, Math.min(rounds, mostRounds), isQuick)
          }
        })
      )
    ),
  Object.keys(parts)
)
