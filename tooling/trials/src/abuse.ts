// Attacks a server. Other clients must still be answered, and the server must close the attacker's connections.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { startHelper } from "@headgate/harness/HelperProcess"
import { makeRandom } from "@headgate/harness/Random"
import { runServerCommand, serverScript, type ServerProcess, startProcess } from "@headgate/harness/ServerProcess"
import {
  authorizationOf,
  makeOrganization,
  organizationDocument,
  pipePath,
  plainPipe
} from "@headgate/harness/Snapshot"
import { say, Verdict } from "@headgate/harness/Verdict"
import { peakMebibytes, resetPeak, socketsOf } from "@headgate/harness/processUsage"
import { median } from "@headgate/harness/rounds"
import { table } from "@headgate/harness/table"
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { closeTimeout } from "./abuse/RawConnection.ts"
import { type Attack, connectionAttacks, type Target } from "./abuse/attacks.ts"
import type { ControlResult } from "./abuse/controlClient.main.ts"
import { memoryAttacks } from "./abuse/memoryAttacks.ts"
import { parserAttacks } from "./abuse/parserAttacks.ts"

const attacks = { ...connectionAttacks, ...memoryAttacks, ...parserAttacks }

// They wait for the timeouts of a server, for which it does nothing: they run at the same time.
const waiting: ReadonlySet<string> = new Set(["slow headers", "slow bodies", "clients that never read"])

// A short attack is repeated for so long, in milliseconds, so that the control client runs beside it.
const shortestAttack = 2_000

/** What all servers of the trial have in common. */
interface Stage extends Omit<Target, "url" | "pid"> {
  readonly directory: string
  readonly script: string
  /** The path of a pipe, which the control client reads. */
  readonly pipe: string
}

const noAttack: Attack = async () => {
  await sleep(shortestAttack)
  return "no attack"
}

const summaryOf = ({ times }: ControlResult): string =>
  `${times.length} requests of a control client, p50 ${median(times).toFixed(1)} ms, max ${Math.max(...times).toFixed(1)} ms`

/** Waits until the server has no more sockets than before; returns how many more it still has. */
const extraSockets = async ({ pid }: ServerProcess, before: number | undefined): Promise<number> => {
  const until = performance.now() + closeTimeout
  for (;;) {
    const now = socketsOf(pid)
    if (before === undefined || now === undefined || now <= before) return 0
    if (performance.now() > until) return now - before
    await sleep(100)
  }
}

/** What an attack cost the server. */
interface Cost {
  readonly name: string
  readonly control: ControlResult
  /** The most resident memory of the server's process, in MiB. */
  readonly peak: number | undefined
  /** The longest block of its event loop, in milliseconds. */
  readonly block: number
}

// The most memory that the process may take, in MiB.
const memoryLimit = 512
// The longest block of the event loop to aim for, beyond that of a server that is not attacked, in milliseconds.
const blockTarget = 200
// What fails the trial: the machine may be shared, and its noise is no fault of the server.
const blockLimit = 3_000

const readBlock = async ({ pid }: ServerProcess, file: string): Promise<number> => {
  rmSync(file, { force: true })
  process.kill(pid, "SIGUSR2")
  for (let waited = 0; waited < closeTimeout; waited += 20) {
    if (existsSync(file)) {
      const text = readFileSync(file, "utf8")
      if (text !== "") return Number(text)
    }
    await sleep(20)
  }
  throw new Error("the server did not tell how long its event loop was blocked")
}

const monitor = new URL("abuse/eventLoopMonitor.ts", import.meta.url).href

/** Attacks a fresh server. */
const run = async (name: string, attack: Attack, stage: Stage): Promise<Cost> => {
  const { directory, organization, pipe, script, verdict } = stage
  const file = join(directory, "event-loop")
  const env = { NODE_OPTIONS: `--import ${monitor}`, TRIAL_EVENT_LOOP: file }
  const server = await startProcess(script, ["--port", "0", "--data", join(directory, "data")], { env })
  const target: Target = { ...stage, url: server.url, pid: server.pid }
  const before = socketsOf(server.pid)
  const args = [server.url, pipe, authorizationOf(organization).management]
  const controlClient = startHelper(new URL("abuse/controlClient.main.ts", import.meta.url), args)
  await controlClient.next()
  await readBlock(server, file)
  resetPeak(server.pid)
  const until = performance.now() + shortestAttack
  let seen = await attack(target)
  let repeated = 1
  for (; performance.now() < until; repeated++) seen = await attack(target)
  const control = (await controlClient.ask("stop")) as ControlResult // its last message
  const hasEnded = server.endedAs() !== undefined
  const peak = peakMebibytes(server.pid)
  const block = hasEnded ? Infinity : await readBlock(server, file)
  const kept = await extraSockets(server, before)
  verdict.none(control.failures, `${name}: the control client was not answered`)
  verdict.hold(kept === 0, `${name}: the server kept ${kept} sockets`)
  verdict.hold(!hasEnded, `${name}: the server ended: ${JSON.stringify(server.endedAs())}`)
  verdict.hold(peak === undefined || peak <= memoryLimit, `${name}: the server took ${peak?.toFixed(0)} MiB`)
  if (!hasEnded) await verdict.cleanExit(server, `${name}: the server`)
  say(`${name}${repeated === 1 ? "" : `, ${repeated} times, the last one`}: ${seen}\n    ${summaryOf(control)}`)
  return { name, control, peak, block }
}

// 100 dashboards, together 20 MiB.
const crowdedDashboards = Array.from({ length: 100 }, (_, index) => ({
  id: `crowded-${index}`,
  name: "crowded",
  tiles: [{ id: "tile", x: 0, y: 0, w: 1, h: 1, text: "x".repeat(210_000) }],
  tags: []
}))

const trial = async ({ count: clients, only, seed, server: script }: TrialOptions, directory: string) => {
  const verdict = new Verdict("abuse")
  const random = makeRandom(seed)
  const organization = makeOrganization(random)
  const crowded = makeOrganization(random)
  const pipeId = random.uuid()
  const snapshot = join(directory, "snapshot.json")
  const organizations = [
    organizationDocument(organization, { pipes: [plainPipe(pipeId, organization.serviceId)] }),
    organizationDocument(crowded, { dashboards: crowdedDashboards })
  ]
  writeFileSync(snapshot, JSON.stringify({ organizations }))
  await runServerCommand(serverScript, "import", snapshot, "--data", join(directory, "data"))
  const pipe = pipePath(organization, pipeId)
  const stage = { directory, script, organization, crowded, random, clients, verdict, pipe }
  const chosen = Object.entries(attacks).filter(([name]) => only === undefined || new RegExp(only).test(name))
  const control = await run("no attack, for comparison", noAttack, stage)
  /** Attacks a server, and judges it by itself. */
  const judge = async (name: string, attack: Attack, stage: Stage) => {
    const own = new Verdict("abuse")
    const cost = await run(name, attack, { ...stage, verdict: own })
    const block = cost.block - control.block
    own.hold(block <= blockLimit, `${name}: the event loop was blocked for ${block.toFixed(0)} ms`)
    verdict.add(own)
    return { cost, isEndured: own.count === 0 }
  }
  const judged = await Promise.all(
    chosen
      .filter(([name]) => waiting.has(name))
      .map(([name, attack], index) => {
        const own = join(directory, `waiting-${index}`)
        cpSync(join(directory, "data"), join(own, "data"), { recursive: true })
        return judge(name, attack, { ...stage, directory: own })
      })
  )
  for (const [name, attack] of chosen) {
    if (!waiting.has(name)) judged.push(await judge(name, attack, stage))
  }
  const costs = judged.map(({ cost }) => cost)
  const endured = judged.filter(({ isEndured }) => isEndured).length
  const longest = ({ times }: ControlResult) => Math.max(...times).toFixed(0)
  say()
  for (const line of table([
    [
      "",
      "peak MiB",
      "longest wait of the control client ms",
      `event loop blocked ms, less ${control.block.toFixed(0)}`
    ],
    ...[control, ...costs].map((cost) => [
      cost.name,
      cost.peak?.toFixed(0) ?? "-",
      longest(cost.control),
      (cost.block - control.block).toFixed(0)
    ])
  ])) {
    say(line)
  }
  say()
  const above = costs.filter(({ block }) => block - control.block > blockTarget).length
  const times = costs.flatMap(({ control: { times } }) => times)
  const failures = costs.flatMap(({ control: { failures } }) => failures)
  verdict.end(
    `${endured} of ${chosen.length} attacks endured, ${above} blocked the event loop for more than ${blockTarget} ms, ` +
      `${summaryOf({ times, failures })}, ${failures.length} unanswered`
  )
}

await runTrial("abuse", { name: "clients", byDefault: 200 }, trial)
