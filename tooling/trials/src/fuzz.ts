// Requests that are nearly right and requests that are nothing at all: is every answer as documented, and is nothing
// stored but what was acknowledged?
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { neutral } from "@headgate/http-contract"
import type { Acknowledged } from "./fuzz/Acknowledged.ts"
import { Figures, sendBatch } from "./fuzz/Batch.ts"
import { makeDraft, makePools, mutationNames } from "./fuzz/makeDraft.ts"
import { unaccountedInExport, unaccountedOverHttp } from "./fuzz/stored.ts"
import { requestOf } from "./fuzz/wireRequest.ts"
import { makeTargets, snapshotOf, type Target } from "./fuzz/world.ts"
import { operationsOf } from "./http/operations.ts"
import { makeRandom } from "./load/Random.ts"
import { runTrial, type TrialOptions } from "./report/Trial.ts"
import { say, Verdict } from "./report/Verdict.ts"
import { runServerCommand, type ServerProcess, startServer } from "./server/ServerProcess.ts"

const requestsInBatch = 200
const batchesBetweenLooks = 20
// Below this many requests a run is for looking into one thing, and need not have met everything.
const enoughForEverything = 10_000

const trial = async ({ count: requests, seed, server: script }: TrialOptions, directory: string) => {
  const verdict = new Verdict("fuzz")
  const operations = operationsOf(neutral)
  const pools = makePools(seed)
  const batches = Math.ceil(requests / requestsInBatch)
  const targets = makeTargets(makeRandom(seed), batches)
  const inMemory = targets.filter((_, index) => index % 2 === 0)
  const inSqlite = targets.filter((_, index) => index % 2 === 1)
  const data = join(directory, "data")
  const start = (name: string, held: ReadonlyArray<Target>, ...store: ReadonlyArray<string>) => {
    const snapshot = join(directory, `${name}.json`)
    writeFileSync(snapshot, snapshotOf(held))
    return startServer(script, ...store, "--import", snapshot, "--login-limit", "off")
  }
  const servers = {
    memory: await start("memory", inMemory, "--memory"),
    sqlite: await start("sqlite", inSqlite, "--data", data)
  }

  const figures = new Figures()
  const acknowledged = new Map<Target, Acknowledged>()
  const unaccounted = { memory: new Array<string>(), sqlite: new Array<string>() }
  const unfaithful: Array<string> = []
  for (const [batch, target] of targets.entries()) {
    const { url }: ServerProcess = batch % 2 === 0 ? servers.memory : servers.sqlite
    const from = batch * requestsInBatch
    const made = Array.from({ length: Math.min(requestsInBatch, requests - from) }, (_, index) =>
      requestOf(makeDraft(seed, from + index, target, pools))
    )
    const done = await sendBatch({ url, target, operations }, made, figures)
    acknowledged.set(target, done)
    unfaithful.push(...done.unfaithful.map((text) => `batch ${batch}: ${text}`))
    if (batch % 2 === 0) {
      unaccounted.memory.push(
        ...(await unaccountedOverHttp(url, target, done)).map((text) => `batch ${batch}: ${text}`)
      )
    }
    if ((batch + 1) % batchesBetweenLooks === 0 || batch + 1 === batches) {
      say(
        `${figures.requests} of ${requests} requests: ${figures.count("5xx")} 5xx, ${figures.count("shape")} wrong shapes, ` +
          `${figures.count("silence")} unanswered, ${unaccounted.memory.length} stored wrongly`
      )
    }
  }

  for (const [store, server] of Object.entries(servers)) {
    const { code, complaints } = await server.stop()
    verdict.hold(code === 0, `the server over ${store}, told to stop, ended with ${code}`)
    verdict.hold(complaints === "", `the server over ${store} complained: ${complaints.slice(0, 1000)}`)
  }
  const { stdout } = await runServerCommand(script, "export", "--data", data)
  const exported = new Map<string, Parameters<typeof unaccountedInExport>[0]>(
    JSON.parse(stdout).organizations.map((organization: { id: string }) => [organization.id, organization])
  )
  for (const target of inSqlite) {
    const organization = exported.get(target.id)
    const done = acknowledged.get(target)
    if (organization === undefined || done === undefined) throw new Error(`the export lacks organization ${target.id}`)
    unaccounted.sqlite.push(
      ...unaccountedInExport(organization, target, done).map((text) => `batch ${targets.indexOf(target)}: ${text}`)
    )
  }

  verdict.none(
    figures.faults.map(({ text }) => text),
    "answers that are not as documented"
  )
  verdict.none(unaccounted.memory, "in memory, stored and not acknowledged, or the other way about")
  verdict.none(unaccounted.sqlite, "in SQLite, stored and not acknowledged, or the other way about")
  verdict.none(unfaithful, "acknowledged, but not as it was sent")
  const sum = (of: (done: Acknowledged) => number) =>
    Array.from(acknowledged.values()).reduce((total, done) => total + of(done), 0)
  const [keys, dashboards, deletions] = [
    sum((done) => done.keys.size),
    sum((done) => done.dashboards.size),
    sum((done) => done.deletedPipes.size)
  ]
  if (requests >= enoughForEverything) {
    verdict.none(
      mutationNames.filter((name) => !figures.recipes.has(name)),
      "mutations that were never tried"
    )
    verdict.none(
      ["200", "400", "401", "403", "404", "405", "409", "413", "415"].filter((status) => !figures.statuses.has(status)),
      "answers that never came: nothing is proved about them"
    )
    verdict.hold(Math.min(keys, dashboards, deletions) > 0, "nothing was ever acknowledged of some kind")
  }
  const statuses = Array.from(figures.statuses).toSorted()
  say(`by status: ${statuses.map(([status, count]) => `${count} x ${status}`).join(", ")}`)
  say(`${mutationNames.length} mutations; acknowledged: ${keys} keys, ${dashboards} dashboards, ${deletions} deletions`)
  verdict.end(
    `${figures.requests} requests, ${figures.count("5xx")} 5xx, ${figures.count("shape")} wrong shapes, ` +
      `${figures.count("silence")} unanswered, ${unaccounted.memory.length + unaccounted.sqlite.length + unfaithful.length} stored wrongly or by refused`
  )
}

await runTrial("fuzz", { name: "requests", usual: 20_000 }, trial)
