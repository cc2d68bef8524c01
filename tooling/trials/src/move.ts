// Kills servers that move rows, at random moments, again and again, and freezes them. Each row must be in the warehouse once.
import { countOf, readFlags, runCommand, UsageError } from "@headgate/harness/Command"
import { callJson } from "@headgate/harness/JsonClient"
import { kafkaMissing } from "@headgate/harness/KafkaBroker"
import { storageMissing } from "@headgate/harness/ObjectStorage"
import { postgresMissing } from "@headgate/harness/PostgresServer"
import { makeRandom, type Random } from "@headgate/harness/Random"
import { type ServerProcess, serverScript, startProcess } from "@headgate/harness/ServerProcess"
import {
  authorizationOf,
  makeOrganization,
  organizationDocument,
  pipePath,
  pipesPath
} from "@headgate/harness/Snapshot"
import { say, Verdict } from "@headgate/harness/Verdict"
import { withPostgres } from "@headgate/harness/withPostgres"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomInt } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { engineMissing, startServer as startWarehouse } from "../../../packages/mover-clickhouse/test/support/engine.ts"
import { type Front, frontUser } from "../../../packages/mover-clickhouse/test/support/httpFront.ts"
import { kafka } from "./move/kafka.ts"
import { objectStorage } from "./move/objectStorage.ts"
import { postgres } from "./move/postgres.ts"
import type { MovedSource, Query } from "./move/MovedSource.ts"
import { watchPipe } from "./move/watchPipe.ts"

/** The kinds of sources, and why one cannot be started on this machine. */
const sources: Readonly<
  Record<
    string,
    { readonly start: Effect.Effect<MovedSource, unknown, Scope.Scope>; readonly missing: () => string | undefined }
  >
> = {
  kafka: { start: kafka, missing: kafkaMissing },
  "object-storage": { start: objectStorage, missing: storageMissing },
  postgres: { start: postgres, missing: postgresMissing }
}

// In milliseconds.
const shortestPause = 100
const longestPause = 600
const freeze = 20_000
const longestWait = 180_000
const killsPerRound = 4

interface Options {
  readonly source: string
  readonly rounds: number
  readonly movers: number
  readonly seed: number
  readonly server: string
}

const queryOf =
  ({ url }: Front): Query =>
  async (sql) => {
    const credentials = Buffer.from(`${frontUser.name}:${frontUser.password}`).toString("base64")
    const response = await fetch(url, { method: "POST", headers: { authorization: `Basic ${credentials}` }, body: sql })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  }

/** The servers, each of which can be killed, and is then started again on the same data. */
class Movers {
  private readonly running: Array<ServerProcess> = []
  kills = 0
  freezes = 0
  private readonly start: () => Promise<ServerProcess>

  constructor(start: () => Promise<ServerProcess>) {
    this.start = start
  }

  async open(count: number): Promise<void> {
    for (let index = 0; index < count; index++) this.running.push(await this.start())
  }

  get url(): string {
    const [first] = this.running
    if (first === undefined) throw new Error("no server runs")
    return first.url
  }

  async kill(random: Random): Promise<void> {
    const index = random.between(0, this.running.length - 1)
    await this.running[index]?.kill()
    this.kills++
    this.running[index] = await this.start()
  }

  /** Freezes a server for so long that others take its pipes. It wakes with rows on their way. */
  async freeze(random: Random): Promise<void> {
    const { pid } = random.pick(this.running)
    process.kill(pid, "SIGSTOP")
    await sleep(freeze)
    process.kill(pid, "SIGCONT")
    this.freezes++
  }

  async close(verdict: Verdict): Promise<void> {
    for (const server of this.running) {
      const { code } = await server.stop()
      verdict.hold(code === 0, `a server exited with ${code} after SIGTERM`)
    }
  }
}

const trial = async (
  options: Options,
  directory: string,
  source: MovedSource,
  front: Front,
  store: ReadonlyArray<string>
) => {
  const { movers: count, rounds, seed, server: script } = options
  const verdict = new Verdict("move")
  const query = queryOf(front)
  const random = makeRandom(seed)
  const organization = makeOrganization(random)
  const { management: authorization } = authorizationOf(organization)
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, JSON.stringify({ organizations: [organizationDocument(organization)] }))
  const args = ["--port", "0", ...store, "--import", snapshot, "--warehouse", front.url]
  const env = { HEADGATE_WAREHOUSE_USER: frontUser.name, HEADGATE_WAREHOUSE_PASSWORD: frontUser.password }
  const movers = new Movers(() => startProcess(script, args, { env, keepStdout: false }))
  await movers.open(count)
  let rows = 0

  for (let round = 1; round <= rounds; round++) {
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
    const pipeId = String(json.result.id)
    const path = pipePath(organization, pipeId)
    const { remedy } = reading
    const watched =
      remedy && watchPipe({ url: () => movers.url, path, authorization }, (status) => remedy(status, query, database))
    const disturbing = { isOver: false }
    const untilRowsArrive = async () => {
      const arrived = () => reading.arrived(query, database).catch(() => 0)
      const before = await arrived()
      for (const until = performance.now() + longestWait; performance.now() < until; await sleep(20)) {
        if ((await arrived()) > before) return
      }
      verdict.hold(false, `round ${round}: no rows arrive`)
    }
    const produce = async () => {
      // A frozen server must have rows on their way.
      for (let part = 0; part < reading.parts || !disturbing.isOver; part++) {
        await reading.produce(part)
        await sleep(random.between(shortestPause, longestPause))
      }
    }
    const disturb = async () => {
      for (let kill = 0; kill < killsPerRound; kill++) {
        // A server that does not move yet proves nothing by its end.
        await untilRowsArrive()
        await sleep(random.between(0, longestPause))
        await movers.kill(random)
      }
      await untilRowsArrive()
      // A frozen server has somebody who takes over only where there are several.
      if (count > 1) await movers.freeze(random)
      disturbing.isOver = true
    }
    await Promise.all([produce(), disturb()])

    // A busy machine takes long for what was produced meanwhile. What is lost does not arrive.
    let before = -1
    for (let until = performance.now() + longestWait; performance.now() < until; await sleep(200)) {
      if (await reading.isComplete(query, database).catch(() => false)) break
      const arrived = await reading.arrived(query, database).catch(() => before)
      if (arrived > before) until = performance.now() + longestWait
      before = Math.max(before, arrived)
    }
    // What would be doubled would come by now.
    await sleep(1_000)
    await watched?.stop()
    const faults = await reading.faults(query, database)
    const answer = await callJson(movers.url, { path: `${path}/status`, authorization })
    const { message, state } = answer.json?.result ?? {}
    verdict.none(faults, `round ${round}, the pipe is ${state}${message == null ? "" : `: ${message}`}`)
    rows += reading.rows()
    const deleted = await callJson(movers.url, {
      method: "DELETE",
      path,
      authorization
    })
    verdict.hold(deleted.status === 200, `round ${round}: the deletion of the pipe answered ${deleted.status}`)
    await sleep(1_000)
    await query(`DROP DATABASE ${database}`)
    say(
      `round ${round} of ${rounds}: ${rows} rows, ${movers.kills} kills, ${movers.freezes} freezes, ${verdict.count} faults`
    )
  }

  await movers.close(verdict)
  verdict.end(
    `${options.source}, ${count} ${count === 1 ? "mover" : "movers"}, ${rounds} rounds, ${rows} rows, ${movers.kills} kills, ` +
      `${movers.freezes} freezes, ${verdict.count} faults`
  )
  // The engine may close only minutes after the statements of servers that were killed. What else runs ends with this process.
  process.exit()
}

const optionsOf = (): Options => {
  const flags = readFlags({ rounds: "text", source: "text", movers: "text", seed: "text", server: "text" })
  const source = String(flags.source ?? "kafka")
  if (sources[source] === undefined) {
    throw new UsageError(`--source ${source}: expected one of ${Object.keys(sources).join(", ")}`)
  }
  return {
    source,
    rounds: countOf("rounds", flags.rounds, 3),
    movers: countOf("movers", flags.movers, 1),
    seed: countOf("seed", flags.seed, randomInt(1, 1_000_000)),
    server: String(flags.server ?? serverScript)
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
  const run = (...store: ReadonlyArray<string>) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const front = yield* startWarehouse()
          const started = yield* sources[source]?.start ?? Effect.die("no such source")
          yield* Effect.promise(() => trial(options, directory, started, front, store))
        })
      )
    )
  await (options.movers === 1
    ? run("--data", join(directory, "data"))
    : withPostgres((url) => run("--database-url", url)))
})
