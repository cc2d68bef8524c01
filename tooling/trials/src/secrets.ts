// Sends canary secrets through every operation and failure, and searches everything that was put out for them.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
import { startServer } from "@headgate/harness/ServerProcess"
import { basic } from "@headgate/harness/Snapshot"
import { say, Verdict } from "@headgate/harness/Verdict"
import { fileURLToPath } from "node:url"
import { Canaries, encodingsOf } from "./secrets/Canaries.ts"
import { Capture } from "./secrets/Capture.ts"
import { commandLine } from "./secrets/commandLine.ts"
import { operator } from "./secrets/operator.ts"
import { overAdmin, overHttp, overLimits, overTls } from "./secrets/requestsToServers.ts"
import { badCommandLines, badFiles, badUrls, firstStart } from "./secrets/serverPrograms.ts"
import { overPostgres } from "./secrets/storedSecrets.ts"
import { keptUnknown } from "./secrets/unknownFields.ts"
import { thePipe } from "./secrets/environment.ts"

const parts: Readonly<Record<string, (capture: Capture) => Promise<void>>> = {
  "the first start": firstStart,
  "files that cannot be read": badFiles,
  "databases that cannot be opened": badUrls,
  "command lines of the server": badCommandLines,
  "requests over HTTP": overHttp,
  "a store over Postgres": overPostgres,
  "unknown fields that are kept": keptUnknown,
  "requests over a limit": overLimits,
  "connections over TLS": overTls,
  "the journal and injected faults": overAdmin,
  "the command line": commandLine,
  "an operator: login, files, rotation, dry runs": operator
}

const leakyServer = fileURLToPath(new URL("../test/broken/logsAuthorization.mjs", import.meta.url))

/**
 * Shows that the search finds what it looks for: a canary in every encoding, one in the log of a server that logs the
 * Authorization header, and none where there is none. Returns how many were leaked and how many of them were found.
 */
const control = async (seed: number, directory: string) => {
  const canaries = new Canaries(makeRandom(seed + 1))
  const encodings = encodingsOf(canaries.plant("control"))
  for (const [encoding, bytes] of encodings) {
    canaries.add(`control, ${encoding}`, Buffer.concat([Buffer.from("before "), bytes, Buffer.from(" behind")]))
  }
  canaries.add("control, nothing", "nothing at all")
  const guess = canaries.plant("control, Authorization header")
  const server = await startServer(leakyServer, "--memory")
  const login = {
    name: "a login",
    method: "GET",
    path: thePipe,
    authorization: basic("nobody", guess.value),
    status: 401
  }
  await new Capture(canaries, leakyServer, directory, 1).send("control", server.url, login)
  canaries.add("control, stderr of a server that leaks", (await server.stop()).stderr)
  return { leaked: encodings.length + 1, found: canaries.find().misplaced.length }
}

const trial = async ({ count: programs, only, seed, server }: TrialOptions, directory: string) => {
  const verdict = new Verdict("secrets")
  const canaries = new Canaries(makeRandom(seed))
  const capture = new Capture(canaries, server, directory, programs)
  for (const [name, part] of Object.entries(parts)) {
    if (only !== undefined && !new RegExp(only).test(name)) continue
    const began = performance.now()
    await part(capture)
    say(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
  const findings = canaries.find()
  const { documented, misplaced, missing } = findings
  verdict.none(misplaced, "secrets where they must not be")
  verdict.none(missing, "secrets that are documented to be somewhere and are not: the search would not see them")
  const { found, leaked } = await control(seed, directory)
  verdict.hold(found === leaked, `control: ${leaked} secrets were leaked on purpose, ${found} were found`)
  say(`control: ${found} of ${leaked} secrets that were leaked on purpose were found`)
  verdict.end(
    `${findings.outputs} outputs (${findings.bytes} bytes) searched for ${findings.canaries} secrets, ` +
      `${documented} found where documented, ${misplaced.length} where they must not be`
  )
}

await runTrial("secrets", { name: "programs", byDefault: 4 }, trial)
