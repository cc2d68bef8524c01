// Sends mutated requests. Every answer must be as documented, and nothing may be stored that was not acknowledged.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { startHelper } from "@headgate/harness/HelperProcess"
import { makeRandom } from "@headgate/harness/Random"
import { startServer } from "@headgate/harness/ServerProcess"
import { say, Verdict } from "@headgate/harness/Verdict"
import { WireConnection } from "@headgate/harness/WireConnection"
import { contractOperations } from "@headgate/harness/contractOperations"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ControlResult } from "./abuse/controlClient.main.ts"
import { Acknowledged, storedOf } from "./fuzz/Acknowledged.ts"
import { bytesOf, type Draft, shown } from "./fuzz/Draft.ts"
import { type Fault, type FaultKind, isOutsideContract, judge } from "./fuzz/judge.ts"
import { draftOf, makeTargets, makeValidRequests, mutationNames, Recipe, type Target } from "./fuzz/requests.ts"

const requestsInBatch = 200
const concurrency = 12
// A longer wait of another client counts as a stall, in milliseconds.
const stall = 200
const batchesBetweenReports = 20
// A shorter run looks into one thing, and need not have tried everything.
const enoughForEverything = 10_000

const trial = async ({ count: requests, seed, server: script }: TrialOptions, directory: string) => {
  const verdict = new Verdict("fuzz")
  const operations = contractOperations()
  const validRequest = makeValidRequests(seed)
  const batches = Math.ceil(requests / requestsInBatch)
  const targets = makeTargets(makeRandom(seed), batches)
  const data = join(directory, "data")
  const start = (name: string, held: ReadonlyArray<Target>, ...store: ReadonlyArray<string>) => {
    const snapshot = join(directory, `${name}.json`)
    writeFileSync(snapshot, JSON.stringify({ organizations: held.map(({ document }) => document) }))
    const limits = ["--login-limit", "off", "--max-dashboards", "0", "--max-documents", "0", "--max-others", "0"]
    return startServer(script, ...store, "--import", snapshot, ...limits)
  }
  const isInMemory = (batch: number) => batch % 2 === 0
  const memory = await start(
    "memory",
    targets.filter((_, batch) => isInMemory(batch)),
    "--memory"
  )
  const inSqlite = targets.filter((_, batch) => !isInMemory(batch))
  const sqlite = await start("sqlite", inSqlite, "--data", data)
  // Beside the fuzzer, a client of each server in a process of its own.
  const others = [memory, sqlite].map(({ url }) =>
    startHelper(new URL("abuse/controlClient.main.ts", import.meta.url), [url, "/healthz", ""])
  )
  await Promise.all(others.map(({ next }) => next()))

  const statuses = new Map<string, number>()
  const triedMutations = new Set<string>()
  const faults: Array<{ readonly kind: FaultKind; readonly text: string }> = []
  let sent = 0

  const send = async (url: string, draft: Draft, acknowledged: Acknowledged) => {
    // A mutated request may leave something on its connection, so each has one of its own.
    const connection = new WireConnection({ url })
    const outcome = await connection.exchange(bytesOf(draft), draft.method)
    connection.close()
    const status = "silence" in outcome ? "no answer" : String(outcome.status)
    sent++
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    for (const name of draft.mutations) triedMutations.add(name)
    if (!("silence" in outcome) && !isOutsideContract(draft)) acknowledged.add(draft, outcome)
    return judge(draft, outcome, operations)
  }
  const countOf = (kind: FaultKind) => faults.filter((fault) => fault.kind === kind).length

  const acknowledgedBy = new Map<Target, Acknowledged>()
  const stored = { memory: new Array<string>(), sqlite: new Array<string>() }
  const changed: Array<string> = []
  for (const [batch, target] of targets.entries()) {
    const { url } = isInMemory(batch) ? memory : sqlite
    const acknowledged = new Acknowledged(await storedOf(url, target))
    const faultOf = new Map<string, Fault>()
    const property = (recipe: typeof Recipe.Type) =>
      Effect.promise(async () => {
        const fault = await send(url, draftOf(recipe, target, validRequest), acknowledged)
        if (fault !== undefined) faultOf.set(JSON.stringify(recipe), fault)
        return fault === undefined
      })
    const runs = Math.min(requestsInBatch, requests - batch * requestsInBatch)
    const check = Arbitrary.checkEffect(Arbitrary.schema(Recipe), property, {
      runs,
      concurrency,
      seed: `${seed} ${batch}`
    })
    const result = await Effect.runPromise(check)
    if (result._tag === "Falsified") {
      const draft = draftOf(result.shrunkInput, target, validRequest)
      const { kind, text } = faultOf.get(JSON.stringify(result.shrunkInput)) ?? {
        kind: "shape",
        text: "not repeatable"
      }
      const fault = `${kind}: ${text} [${draft.mutations.join(", ")}] ${shown(draft)}`
      faults.push({ kind, text: fault })
      // At once: the rest of a long run may take an hour.
      say(`batch ${batch}: ${fault}`)
    }
    acknowledgedBy.set(target, acknowledged)
    changed.push(...acknowledged.differences.map((text) => `batch ${batch}: ${text}`))
    const differences = acknowledged.differencesFrom(await storedOf(url, target))
    const place = isInMemory(batch) ? stored.memory : stored.sqlite
    place.push(...differences.map((text) => `batch ${batch}: ${text}`))
    if ((batch + 1) % batchesBetweenReports === 0 || batch + 1 === batches) {
      say(
        `${sent} of ${requests} requests: ${countOf("5xx")} 5xx, ${countOf("shape")} wrong shapes, ` +
          `${countOf("silence")} unanswered, ${stored.memory.length + stored.sqlite.length} stored wrongly`
      )
    }
  }

  // Their last messages.
  const waits = (await Promise.all(others.map(({ ask }) => ask("stop")))) as ReadonlyArray<ControlResult>
  const times = waits.flatMap(({ times }) => times)
  const stalls = times.filter((time) => time > stall).length
  verdict.none(
    waits.flatMap(({ failures }) => failures),
    "another client was not answered"
  )
  for (const [name, server] of Object.entries({ memory, sqlite })) await verdict.cleanExit(server, `the ${name} server`)
  // The data outlive the server.
  const again = await startServer(script, "--data", data, "--login-limit", "off")
  for (const target of inSqlite) {
    const differences = acknowledgedBy.get(target)?.differencesFrom(await storedOf(again.url, target)) ?? []
    stored.sqlite.push(...differences.map((text) => `batch ${targets.indexOf(target)}, after a restart: ${text}`))
  }
  await verdict.cleanExit(again, "the SQLite server after a restart")

  verdict.none(
    faults.map(({ text }) => text),
    "answers that are not as documented"
  )
  verdict.none(stored.memory, "in memory, stored and not acknowledged, or the reverse")
  verdict.none(stored.sqlite, "in SQLite, stored and not acknowledged, or the reverse")
  verdict.none(changed, "acknowledged, but not as it was sent")
  const counts = new Map<string, number>()
  for (const acknowledged of acknowledgedBy.values()) {
    for (const [what, count] of acknowledged.counts) counts.set(what, (counts.get(what) ?? 0) + count)
  }
  if (requests >= enoughForEverything) {
    verdict.none(
      mutationNames.filter((name) => !triedMutations.has(name)),
      "mutations that were never tried"
    )
    verdict.none(
      "200 400 401 403 404 405 409 413 415".split(" ").filter((status) => !statuses.has(status)),
      "statuses that never came: nothing is proved about them"
    )
    const created = "key dashboard pipe role endpoint connection source".split(" ").map((kind) => `${kind} creations`)
    for (const what of [...created, "changes", "deletions"]) {
      verdict.hold(counts.has(what), `no ${what} were acknowledged: nothing is proved about them`)
    }
  }
  const byStatus = Array.from(statuses).toSorted(([a], [b]) => (a < b ? -1 : 1))
  say(`by status: ${byStatus.map(([status, count]) => `${count} x ${status}`).join(", ")}`)
  const done = Array.from(counts, ([what, count]) => `${count} ${what}`)
  say(`${mutationNames.length} mutations; acknowledged: ${done.join(", ")}`)
  // Not judged: the machine may be shared.
  say(
    `${times.length} requests of another client: ${stalls} waited more than ${stall} ms, ` +
      `the longest ${Math.max(...times).toFixed(0)} ms`
  )
  verdict.end(
    `${sent} requests, ${countOf("5xx")} 5xx, ${countOf("shape")} wrong shapes, ${countOf("silence")} unanswered, ` +
      `${stored.memory.length + stored.sqlite.length + changed.length} stored wrongly or by rejected requests`
  )
}

// CI sends as few as show a server that does not store what it acknowledges (test/red.test.ts), others each time.
await runTrial("fuzz", { name: "requests", byDefault: 800 }, trial)
