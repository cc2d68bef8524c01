// A server that is treated badly: are the others still answered, and does it let go of those who treat it so?
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Abuse, Target } from "./abuse/Abuse.ts"
import { type Experience, median, startBystander } from "./abuse/Bystander.ts"
import { deafClients } from "./abuse/deafClients.ts"
import { deepJson } from "./abuse/deepJson.ts"
import { idleConnections } from "./abuse/idleConnections.ts"
import { notHttp } from "./abuse/notHttp.ts"
import { oversized } from "./abuse/oversized.ts"
import { patience } from "./abuse/RawConnection.ts"
import { slowClients } from "./abuse/slowClients.ts"
import { makeRandom } from "./load/Random.ts"
import { makeWorld, snapshotOf } from "./load/World.ts"
import { runTrial, type TrialOptions } from "./report/Trial.ts"
import { say, Verdict } from "./report/Verdict.ts"
import { memoryOf, socketsOf } from "./server/figures.ts"
import { type ServerProcess, startServer } from "./server/ServerProcess.ts"

// What is over in a moment is done again until this is over, so that the well-behaved client has something beside it.
const shortest = 2_000

const nothing: Abuse = {
  name: "nothing, for comparison",
  run: async () => {
    await sleep(shortest)
    return "no abuse"
  }
}

const abuses: ReadonlyArray<Abuse> = [
  nothing,
  ...deepJson,
  ...oversized,
  ...notHttp,
  ...idleConnections,
  ...slowClients,
  ...deafClients
]

const shown = (milliseconds: number): string => `${milliseconds.toFixed(1)} ms`

const times = ({ times: all }: Experience): string =>
  `${all.length} requests of a well-behaved client, p50 ${shown(median(all))}, max ${shown(Math.max(...all))}`

/** Waits until the server has no more sockets open than before; answers how many more it still has. */
const settled = async ({ pid }: ServerProcess, before: number | undefined): Promise<number> => {
  const until = performance.now() + patience
  for (;;) {
    const now = socketsOf(pid)
    if (before === undefined || now === undefined || now <= before) return 0
    if (performance.now() > until) return now - before
    await sleep(100)
  }
}

const repeat = async (run: () => Promise<string>) => {
  const until = performance.now() + shortest
  let seen = await run()
  let repeated = 1
  for (; performance.now() < until; repeated++) seen = await run()
  return { seen, repeated }
}

const endure = async (abuse: Abuse, server: ServerProcess, target: Target): Promise<Experience> => {
  const { verdict } = target
  const before = socketsOf(server.pid)
  const bystander = await startBystander(server.url, target.organization)
  const { repeated, seen } = await repeat(() => abuse.run(target))
  const experience = await bystander.stop()
  const kept = await settled(server, before)
  verdict.none(experience.failures, `${abuse.name}: a well-behaved client was not answered`)
  verdict.hold(kept === 0, `${abuse.name}: the server kept ${kept} sockets`)
  verdict.hold(server.endedAs() === undefined, `${abuse.name}: the server ended: ${JSON.stringify(server.endedAs())}`)
  say(`${abuse.name}${repeated === 1 ? "" : `, ${repeated} times over, at last`}: ${seen}\n    ${times(experience)}`)
  return experience
}

const trial = async ({ count: clients, seed, server: script }: TrialOptions, directory: string) => {
  const verdict = new Verdict("abuse")
  const random = makeRandom(seed)
  const world = makeWorld(random, 1)
  const [organization] = world
  if (organization === undefined) throw new Error("there is no organization")
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, snapshotOf(world))
  const server = await startServer(script, "--data", join(directory, "data"), "--import", snapshot)
  const target = { url: server.url, pid: server.pid, organization, random, clients, verdict }
  const memoryBefore = memoryOf(server.pid)
  const experiences: Array<Experience> = []
  let endured = 0
  for (const abuse of abuses) {
    const wrongBefore = verdict.found
    experiences.push(await endure(abuse, server, target))
    if (abuse !== nothing && verdict.found === wrongBefore) endured++
    if (server.endedAs() !== undefined) break
  }
  const all: Experience = {
    times: experiences.flatMap((experience) => experience.times),
    failures: experiences.flatMap(({ failures }) => failures)
  }
  const memoryAfter = memoryOf(server.pid)
  const { code, complaints } = server.endedAs() ?? (await server.stop())
  verdict.hold(code === 0, `the server, told to stop, ended with ${code}`)
  verdict.hold(complaints === "", `the server complained: ${complaints.slice(0, 500)}`)
  say(`server: one process from first to last, ${memoryBefore} MiB before, ${memoryAfter} MiB after`)
  verdict.end(`${endured} of ${abuses.length - 1} abuses endured, ${times(all)}, ${all.failures.length} unanswered`)
}

await runTrial("abuse", { name: "clients", usual: 200 }, trial)
