// Many pipes and several movers over one Postgres: movers are killed, frozen and added at random moments, and may be of an earlier version.
// Each row must be in the warehouse once.
import { countOf, readFlags, runCommand } from "@headgate/harness/Command"
import { filledPipeId, fillPipes } from "@headgate/harness/fillPipes"
import { postgresMissing } from "@headgate/harness/PostgresServer"
import { makeRandom, type Random } from "@headgate/harness/Random"
import { startProcess } from "@headgate/harness/ServerProcess"
import { say, Verdict } from "@headgate/harness/Verdict"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { randomInt } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { runScenario, type Scenario } from "./scenario/runScenario.ts"
import { Servers } from "./scenario/Servers.ts"
import { type Arrivals, settingsOf } from "./store/clockSource.ts"
import { CountedWarehouse } from "./store/CountedWarehouse.ts"
import { compareRows, expectedCount } from "./store/expectedRows.ts"
import { watchStore } from "./store/StoreWatch.ts"

const moverScript = fileURLToPath(new URL("./store/mover.main.ts", import.meta.url))

/** So long that the movers that take the pipes of a frozen one say something of them before it wakes, in milliseconds. */
const longFreeze = 30_000

/** No more movers than this are added. */
const mostMovers = 7

interface Options {
  readonly rounds: number
  readonly pipes: number
  readonly movers: number
  readonly seed: number
  /** How long nothing may arrive, in milliseconds. */
  readonly longestWait: number
  /** The script of a mover. */
  readonly mover: string
  /** The script of a mover of an earlier version: as many of them as of the others run first, and go on meanwhile. */
  readonly old: string | undefined
}

const trial = async (
  { longestWait, movers: count, mover, old, pipes, rounds, seed }: Options,
  directory: string,
  warehouse: CountedWarehouse,
  verdict: Verdict,
  store: ReadonlyArray<string>
): Promise<Scenario> => {
  const random = makeRandom(seed)
  const url = store[1] ?? ""
  // A twentieth of the pipes gets rows each second, and all of them some within a round.
  const arrivals: Arrivals = { begin: Date.now(), every: 20_000, rowsEach: 5 }
  const end = join(directory, "end")
  const args = [...store, "--warehouse", warehouse.url, "--arrivals", JSON.stringify(arrivals), "--end", end]
  const startMover = (script: string) => startProcess(script, args, { keepStdout: false })
  const scripts = { now: old ?? mover }
  const servers = new Servers(() => startMover(scripts.now))
  const figures = () => `${warehouse.rows} rows, ${servers.kills} kills, ${servers.freezes} freezes`

  /** Waits until a row of each pipe has arrived that is later than what was there. Returns the seconds, or the pipes that wait. */
  const untilAllMove = async (): Promise<number | ReadonlyArray<number>> => {
    const from = performance.now()
    const before = Array.from({ length: pipes }, (_, index) => warehouse.rowsOf(filledPipeId(index)).length)
    let waiting = before.map((_, index) => index)
    for (let until = from + longestWait; performance.now() < until; await sleep(200)) {
      const still = waiting.filter((index) => warehouse.rowsOf(filledPipeId(index)).length <= (before[index] ?? 0))
      if (still.length < waiting.length) until = performance.now() + longestWait
      waiting = still
      if (waiting.length === 0) return (performance.now() - from) / 1000
    }
    return waiting
  }
  const requireAllMove = async (when: string): Promise<string> => {
    const found = await untilAllMove()
    if (typeof found === "number") return `${found.toFixed(0)} s`
    verdict.hold(false, `${found.length} of ${pipes} pipes deliver nothing ${when}`)
    return "never"
  }

  // The first one makes the tables.
  await servers.open(1)
  await Effect.runPromise(fillPipes(Redacted.make(url), pipes, settingsOf(arrivals)))
  // One after the other: on a busy machine the start of several at once takes long.
  for (let more = 1; more < count; more += 1) await servers.open(1)
  say(`all ${pipes} pipes deliver ${await requireAllMove("after the start")} after the start`)
  if (old !== undefined) {
    scripts.now = mover
    for (let more = 0; more < count; more += 1) await servers.open(1)
    say(`the new movers run beside the old ones: all deliver within ${await requireAllMove("beside old movers")}`)
  }
  const scope = await Effect.runPromise(Scope.make())
  const watch = await Effect.runPromise(Scope.provide(watchStore(url, pipes, verdict), scope))
  const [began, before] = [performance.now(), await watch.seconds()]

  const disturb = async (randomly: Random): Promise<void> => {
    const index = randomly.between(0, servers.running.length - 1)
    const kind = randomly.pick(["kill", "kill", "freeze", servers.running.length < mostMovers ? "add" : "kill"])
    if (kind === "freeze") return servers.freeze(randomly, longFreeze)
    if (kind === "add") return servers.open(1)
    await servers.kill(index)
    await sleep(randomly.between(0, 3000))
    await servers.startAgain(index)
  }

  const round = async (number: number): Promise<string> => {
    // A round has a freeze at least: a mover that wakes with the pipes of others is the one that could do harm.
    await servers.freeze(random, longFreeze)
    for (let more = 0; more < 2; more += 1) await disturb(random)
    const seconds = await requireAllMove(`after round ${number}`)
    await watch.stopSlowly(random)
    return `${figures()}, ${servers.running.length} movers, all deliver after ${seconds}`
  }

  const finish = async (): Promise<void> => {
    if (old !== undefined) {
      // What the old ones have must be taken by the new ones.
      for (let index = 0; index < count; index += 1) await servers.kill(index)
      servers.running.splice(0, count)
      say(`after the end of the old movers: all deliver within ${await requireAllMove("after the old movers")}`)
    }
    // Movers read the file once a second: each knows the end before it comes.
    const last = Date.now() + 3000
    writeFileSync(end, String(last))
    const expected = Array.from({ length: pipes }, (_, index) => expectedCount(arrivals, index, last))
    const all = expected.reduce((sum, one) => sum + one, 0)
    let arrived = -1
    for (let until = performance.now() + longestWait; performance.now() < until; await sleep(500)) {
      if (warehouse.rows >= all) break
      if (warehouse.rows > arrived) until = performance.now() + longestWait
      arrived = warehouse.rows
    }
    // What would be doubled would come by now.
    await sleep(2000)
    const sums = { lost: 0, doubled: 0, changed: 0, strange: 0 }
    for (const [index, count] of expected.entries()) {
      const found = compareRows(index, count, warehouse.rowsOf(filledPipeId(index)))
      for (const kind of ["lost", "doubled", "changed", "strange"] as const) sums[kind] += found[kind]
    }
    const wrong = Object.entries(sums).flatMap(([kind, rows]) => (rows === 0 ? [] : [`${rows} ${kind}`]))
    verdict.none(wrong, `of ${all} rows of ${pipes} pipes (${await watch.states()})`)
  }

  let load = ""
  return {
    servers,
    round: async (number) => {
      const said = await round(number)
      if (number === rounds) {
        const seconds = (performance.now() - began) / 1000
        load = `Postgres took ${(((await watch.seconds()) - before) / seconds).toFixed(2)} cores for ${seconds.toFixed(0)} s`
        await finish()
        await watch.end()
      }
      return said
    },
    end: async () => {
      verdict.end(`${pipes} pipes, ${rounds} rounds, ${figures()}, ${load}, ${verdict.count} faults`)
      // Postgres and the connections to it end with this process.
      process.exit()
    }
  }
}

await runCommand("store", async (directory) => {
  const flags = readFlags({
    rounds: "text",
    pipes: "text",
    movers: "text",
    seed: "text",
    wait: "text",
    mover: "text",
    old: "text"
  })
  const seed = countOf("seed", flags.seed, randomInt(1, 1_000_000))
  const options: Options = {
    rounds: countOf("rounds", flags.rounds, 1),
    pipes: countOf("pipes", flags.pipes, 40),
    movers: countOf("movers", flags.movers, 5),
    seed,
    longestWait: countOf("wait", flags.wait, 120) * 1000,
    mover: String(flags.mover ?? moverScript),
    old: flags.old === undefined ? undefined : join(String(flags.old), "tooling/trials/src/store/mover.main.ts")
  }
  say(`store: seed ${seed} (repeat with --seed ${seed}), mover ${options.mover}`)
  const missing = postgresMissing()
  if (missing !== undefined) throw new Error(missing)
  const verdict = new Verdict("store")
  const warehouse = new CountedWarehouse()
  await warehouse.start()
  await runScenario({ name: "round", rounds: options.rounds, verdict, directory, isOverPostgres: true }, (store) =>
    trial(options, directory, warehouse, verdict, store)
  )
})
