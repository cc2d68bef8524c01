// Sends canary secrets through every operation and failure, and searches everything that was put out for them.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
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
import { leakEverywhere } from "./secrets/leaks.ts"

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

const leakyServer = fileURLToPath(new URL("../test/broken/leaksSecrets.mjs", import.meta.url))

/**
 * Shows that the search finds what it looks for: a canary in every encoding, one in each surface of a server that leaks into all of
 * them, and none where there is none. Returns how many were leaked, and those that were not found.
 */
const control = async (seed: number, directory: string) => {
  const canaries = new Canaries(makeRandom(seed + 1))
  const canary = canaries.plant("control")
  const encoded = encodingsOf(canary).map(([encoding, bytes]) => {
    const output = `control, ${encoding}`
    canaries.add(output, Buffer.concat([Buffer.from("before "), bytes, Buffer.from(" behind")]))
    return { canary, output }
  })
  const nothing = { canary, output: "control, nothing" }
  canaries.add(nothing.output, "nothing at all")
  const leaks = [...encoded, ...(await leakEverywhere(new Capture(canaries, leakyServer, directory, 1)))]
  const { misplaced } = canaries.find()
  const isFound = ({ canary: { kind }, output }: typeof nothing) =>
    misplaced.some((text) => text.startsWith(`${kind} (`) && text.includes(`) in ${output}`))
  const wrong = isFound(nothing) ? [nothing] : []
  return { leaked: leaks.length, missed: [...leaks.filter((leak) => !isFound(leak)), ...wrong] }
}

const trial = async ({ count: programs, only, seed, server }: TrialOptions, directory: string) => {
  const verdict = new Verdict("secrets")
  const canaries = new Canaries(makeRandom(seed))
  const capture = new Capture(canaries, server, directory, programs)
  const isChosen = (name: string) => only === undefined || new RegExp(only).test(name)
  for (const [name, part] of Object.entries(parts)) {
    if (!isChosen(name)) continue
    const began = performance.now()
    await part(capture)
    say(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
  const findings = canaries.find()
  const { documented, misplaced, missing } = findings
  verdict.none(misplaced, "secrets where they must not be")
  verdict.none(missing, "secrets that are documented to be somewhere and are not: the search would not see them")
  if (isChosen("control")) {
    const { leaked, missed } = await control(seed, directory)
    verdict.none(
      missed.map(({ canary, output }) => `${canary.kind} in ${output}`),
      "secrets that were leaked on purpose and not found"
    )
    say(`control: ${leaked - missed.length} of ${leaked} secrets that were leaked on purpose were found`)
  }
  verdict.end(
    `${findings.outputs} outputs (${findings.bytes} bytes) searched for ${findings.canaries} secrets, ` +
      `${documented} found where documented, ${misplaced.length} where they must not be`
  )
}

await runTrial("secrets", { name: "programs", byDefault: 4 }, trial)
