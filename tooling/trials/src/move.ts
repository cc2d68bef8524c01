// Kills servers that move rows, at random moments, again and again, freezes them, and restores backups. Each row must be in the warehouse
// once.
import { countOf, readFlags, runCommand, UsageError } from "@headgate/harness/Command"
import { callJson } from "@headgate/harness/JsonClient"
import { kafkaMissing } from "@headgate/harness/KafkaBroker"
import { postgresMissing } from "@headgate/harness/PostgresServer"
import { makeRandom } from "@headgate/harness/Random"
import { serverScript, startProcess } from "@headgate/harness/ServerProcess"
import {
  authorizationOf,
  makeOrganization,
  organizationDocument,
  pipePath,
  pipesPath
} from "@headgate/harness/Snapshot"
import { say, Verdict } from "@headgate/harness/Verdict"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomInt } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { engineMissing } from "../../../packages/mover-clickhouse/test/support/engine.ts"
import { frontUser } from "../../../packages/mover-clickhouse/test/support/httpFront.ts"
import { kafka } from "./move/kafka.ts"
import { objectStorage } from "./move/objectStorage.ts"
import { postgres } from "./move/postgres.ts"
import type { MovedSource } from "./move/MovedSource.ts"
import { type Restored, restoreBackup, type Restoring } from "./move/restoreBackup.ts"
import { readStatus, resolve, watchPipe } from "./move/watchPipe.ts"
import { WarehouseProcess } from "./move/WarehouseProcess.ts"
import { dataOf, runScenario, type Scenario } from "./scenario/runScenario.ts"
import { Servers } from "./scenario/Servers.ts"

/** The kinds of sources, and why one cannot be started on this machine. */
const sources: Readonly<
  Record<
    string,
    { readonly start: Effect.Effect<MovedSource, unknown, Scope.Scope>; readonly missing: () => string | undefined }
  >
> = {
  kafka: { start: kafka, missing: kafkaMissing },
  "object-storage": { start: objectStorage, missing: () => undefined },
  postgres: { start: postgres, missing: postgresMissing }
}

// In milliseconds.
const shortestPause = 100
const longestPause = 600

interface Options {
  readonly source: string
  readonly rounds: number
  readonly movers: number
  /** In each round. */
  readonly kills: number
  readonly seed: number
  readonly server: string
  /** What each round restores from a backup, "none", or by turns if it is absent. */
  readonly restore: Restored | "none" | undefined
  /** How long nothing may arrive, in milliseconds. */
  readonly longestWait: number
}

/** What each round restores, one after the other. A database of servers that share it is not restored. */
const restoredIn = (round: number, { movers, restore }: Options): Restored | undefined => {
  if (restore === "none") return undefined
  if (restore !== undefined) return restore
  return movers === 1 && round % 2 === 1 ? "ledger" : "warehouse"
}

const trial = async (
  options: Options,
  directory: string,
  source: MovedSource,
  warehouse: WarehouseProcess,
  verdict: Verdict,
  store: ReadonlyArray<string>
): Promise<Scenario> => {
  const { longestWait, movers: count, rounds, seed, server: script } = options
  const { query } = warehouse
  const random = makeRandom(seed)
  const organization = makeOrganization(random)
  const { management: authorization } = authorizationOf(organization)
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, JSON.stringify({ organizations: [organizationDocument(organization)] }))
  const args = ["--port", "0", ...store, "--import", snapshot, "--warehouse", warehouse.url]
  const env = { HEADGATE_WAREHOUSE_USER: frontUser.name, HEADGATE_WAREHOUSE_PASSWORD: frontUser.password }
  const movers = new Servers(() => startProcess(script, args, { env, keepStdout: false }))
  await movers.open(count)
  let rows = 0
  const figures = () => `${rows} rows, ${movers.kills} kills, ${movers.freezes} freezes`

  const move = async (round: number): Promise<string> => {
    const database = `round_${round}`
    await query(`CREATE DATABASE ${database}`)
    const reading = await source.begin(random, round)
    const body = { ...reading.request(database), name: database }
    const { json, status } = await callJson(movers.url, {
      method: "POST",
      path: pipesPath(organization),
      authorization,
      body
    })
    if (status !== 200) throw new Error(`the pipe cannot be created: ${JSON.stringify(json)}`)
    const path = pipePath(organization, String(json.result.id))
    const address = { url: () => movers.url, path, authorization }
    const pipeStatus = () => readStatus(address)
    const { remedy } = reading
    const watched = remedy && watchPipe(address, (status) => remedy(status, query, database))
    const arrived = () => reading.arrived(query, database).catch(() => 0)
    const disturbing = { isOver: false }
    const untilRowsArrive = async () => {
      const before = await arrived()
      for (const until = performance.now() + longestWait; performance.now() < until; await sleep(20)) {
        if ((await arrived()) > before) return true
      }
      verdict.hold(false, `round ${round}: no rows arrive`)
      return false
    }
    let part = 0
    const produce = async () => {
      // A frozen server must have rows on their way.
      for (; part < reading.parts || !disturbing.isOver; part++) {
        await reading.produce(part)
        await sleep(random.between(shortestPause, longestPause))
      }
    }
    const disturb = async () => {
      for (let kill = 0; kill < options.kills; kill++) {
        // A server that does not move yet proves nothing by its end.
        if (!(await untilRowsArrive())) return
        await sleep(random.between(0, longestPause))
        const index = random.between(0, count - 1)
        await movers.kill(index)
        await movers.startAgain(index)
      }
      // A frozen server has somebody who takes over only where there are several.
      if ((await untilRowsArrive()) && count > 1) await movers.freeze(random)
    }
    const disturbed = disturb().finally(() => {
      disturbing.isOver = true
    })
    /** A busy machine takes long for what was produced meanwhile. What is lost does not arrive. */
    const untilComplete = async (): Promise<boolean> => {
      let before = -1
      for (let until = performance.now() + longestWait; performance.now() < until; await sleep(200)) {
        if (await reading.isComplete(query, database, pipeStatus).catch(() => false)) return true
        const now = await reading.arrived(query, database).catch(() => before)
        if (now > before) until = performance.now() + longestWait
        before = Math.max(before, now)
      }
      return false
    }
    await Promise.all([produce(), disturbed])
    await reading.calm?.(query, database, longestWait)
    const restored = restoredIn(round, options)
    if (restored !== undefined && (await untilComplete())) {
      await watched?.stop()
      const restoring: Restoring = {
        data: options.movers === 1 ? dataOf(directory) : undefined,
        longestWait,
        movers,
        verdict,
        warehouse,
        produce: async () => reading.produce(part++),
        untilComplete,
        status: pipeStatus,
        send: (resolution) => resolve(address, resolution),
        resolution: reading.afterRestore
      }
      await restoreBackup(restoring, restored, `round ${round}`)
    }
    await untilComplete()
    // What would be doubled would come by now.
    await sleep(1_000)
    await watched?.stop()
    const faults = await reading.faults(query, database)
    const { message = "", state } = (await pipeStatus()) ?? {}
    verdict.none(faults, `round ${round}, the pipe is ${state}${message === "" ? "" : `: ${message}`}`)
    rows += reading.rows()
    const deleted = await callJson(movers.url, { method: "DELETE", path, authorization })
    verdict.hold(deleted.status === 200, `round ${round}: the deletion of the pipe answered ${deleted.status}`)
    await sleep(1_000)
    await query(`DROP DATABASE ${database}`)
    return `${figures()}, ${restored === undefined ? "nothing" : `the ${restored}`} restored, ${verdict.count} faults`
  }

  const end = async () => {
    await warehouse.stop()
    return (
      `${options.source}, ${count} ${count === 1 ? "mover" : "movers"}, ${rounds} rounds, ${figures()}, ` +
      `${verdict.count} faults`
    )
  }
  return { servers: movers, round: move, end }
}

const restoreOf = (text: string | boolean | undefined): Options["restore"] => {
  const known = (["ledger", "warehouse", "none"] as const).find((one) => one === text)
  if (text === undefined || known !== undefined) return known
  throw new UsageError(`--restore ${text}: expected ledger, warehouse or none`)
}

/** How long a round may take on a busy machine. */
const minutesEach = 10

const optionsOf = (): Options => {
  const flags = readFlags({
    rounds: "text",
    source: "text",
    movers: "text",
    kills: "text",
    seed: "text",
    server: "text",
    restore: "text",
    wait: "text"
  })
  const source = String(flags.source ?? "kafka")
  if (sources[source] === undefined) {
    throw new UsageError(`--source ${source}: expected one of ${Object.keys(sources).join(", ")}`)
  }
  const movers = countOf("movers", flags.movers, 1)
  const restore = restoreOf(flags.restore)
  if (movers > 1 && restore === "ledger") throw new UsageError("--restore ledger: only with one mover, over SQLite")
  return {
    source,
    rounds: countOf("rounds", flags.rounds, 3),
    movers,
    kills: flags.kills === "0" ? 0 : countOf("kills", flags.kills, 4),
    seed: countOf("seed", flags.seed, randomInt(1, 1_000_000)),
    server: String(flags.server ?? serverScript),
    restore,
    longestWait: countOf("wait", flags.wait, 180) * 1000
  }
}

await runCommand("move", async (directory) => {
  const options = optionsOf()
  const { seed, server, source } = options
  say(`move: seed ${seed} (repeat with --seed ${seed}), server ${server}`)
  const missing = engineMissing() ?? sources[source]?.missing()
  if (missing !== undefined) {
    if (process.env["HEADGATE_REQUIRE_MOVE"] === "1") throw new Error(missing)
    say(`move: 1 skipped: ${missing}`)
    return
  }
  const warehouse = new WarehouseProcess(directory)
  await warehouse.start()
  const verdict = new Verdict("move")
  const isOverPostgres = options.movers > 1
  // Each wait of a round ends; a library that never answers must not stop what runs after this trial.
  const bound = setTimeout(
    () => {
      say(`move: not done after ${options.rounds * minutesEach} minutes`)
      process.exit(1)
    },
    options.rounds * minutesEach * 60_000
  )
  bound.unref()
  const run = Effect.gen(function* () {
    const started = yield* sources[source]?.start ?? Effect.die("no such source")
    return yield* Effect.promise(() =>
      runScenario({ name: "round", rounds: options.rounds, verdict, directory, isOverPostgres }, (store) =>
        trial(options, directory, started, warehouse, verdict, store)
      )
    )
  })
  verdict.end(await Effect.runPromise(Effect.scoped(run)))
  process.exit()
})
