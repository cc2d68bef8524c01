// Attacks a server. Other clients must still be answered, and the server must close the attacker's connections.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { startHelper } from "@headgate/harness/HelperProcess"
import { makeRandom } from "@headgate/harness/Random"
import { type ServerProcess, startServer } from "@headgate/harness/ServerProcess"
import {
  authorizationOf,
  makeOrganization,
  organizationDocument,
  pipePath,
  plainPipe
} from "@headgate/harness/Snapshot"
import { say, Verdict } from "@headgate/harness/Verdict"
import { residentMebibytes, socketsOf } from "@headgate/harness/processUsage"
import { median } from "@headgate/harness/rounds"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { closeTimeout } from "./abuse/RawConnection.ts"
import { type Attack, attacks, type Target } from "./abuse/attacks.ts"
import type { ControlResult } from "./abuse/controlClient.main.ts"

// A short attack is repeated for so long, in milliseconds, so that the control client runs beside it.
const shortestAttack = 2_000

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

const run = async (name: string, attack: Attack, server: ServerProcess, target: Target, pipe: string) => {
  const { organization, verdict } = target
  const before = socketsOf(server.pid)
  const args = [server.url, pipe, authorizationOf(organization).management]
  const controlClient = startHelper(new URL("abuse/controlClient.main.ts", import.meta.url), args)
  await controlClient.next()
  const until = performance.now() + shortestAttack
  let seen = await attack(target)
  let repeated = 1
  for (; performance.now() < until; repeated++) seen = await attack(target)
  const control = (await controlClient.ask("stop")) as ControlResult // its last message
  const kept = await extraSockets(server, before)
  verdict.none(control.failures, `${name}: the control client was not answered`)
  verdict.hold(kept === 0, `${name}: the server kept ${kept} sockets`)
  verdict.hold(server.endedAs() === undefined, `${name}: the server ended: ${JSON.stringify(server.endedAs())}`)
  say(`${name}${repeated === 1 ? "" : `, ${repeated} times, the last one`}: ${seen}\n    ${summaryOf(control)}`)
  return control
}

const trial = async ({ count: clients, seed, server: script }: TrialOptions, directory: string) => {
  const verdict = new Verdict("abuse")
  const random = makeRandom(seed)
  const organization = makeOrganization(random)
  const pipeId = random.uuid()
  const snapshot = join(directory, "snapshot.json")
  const document = organizationDocument(organization, { pipes: [plainPipe(pipeId, organization.serviceId)] })
  writeFileSync(snapshot, JSON.stringify({ organizations: [document] }))
  const server = await startServer(script, "--data", join(directory, "data"), "--import", snapshot)
  const target = { url: server.url, pid: server.pid, organization, random, clients, verdict }
  const memory = () => residentMebibytes(server.pid)?.toFixed(0)
  const memoryBefore = memory()
  const results: Array<ControlResult> = []
  let endured = 0
  for (const [name, attack] of [["no attack, for comparison", noAttack] as const, ...Object.entries(attacks)]) {
    const faultsBefore = verdict.count
    results.push(await run(name, attack, server, target, pipePath(organization, pipeId)))
    if (attack !== noAttack && verdict.count === faultsBefore) endured++
    if (server.endedAs() !== undefined) break
  }
  say(`one server process for all: ${memoryBefore} MiB before, ${memory()} MiB after`)
  await verdict.cleanExit(server, "the server")
  const all = {
    times: results.flatMap(({ times }) => times),
    failures: results.flatMap(({ failures }) => failures)
  }
  verdict.end(
    `${endured} of ${Object.keys(attacks).length} attacks endured, ${summaryOf(all)}, ${all.failures.length} unanswered`
  )
}

await runTrial("abuse", { name: "clients", byDefault: 200 }, trial)
