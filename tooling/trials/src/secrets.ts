// Marked secrets through every operation and every failure: does one turn up where it must not?
import { fileURLToPath } from "node:url"
import { neutral } from "@headgate/http-contract"
import { operationsOf } from "./http/operations.ts"
import { makeRandom } from "./load/Random.ts"
import { runTrial, type TrialOptions } from "./report/Trial.ts"
import { say, Verdict } from "./report/Verdict.ts"
import { adapter } from "./secrets/adapter.ts"
import { badCommandLines } from "./secrets/badCommandLines.ts"
import { badImports } from "./secrets/badImports.ts"
import { badUrls } from "./secrets/badUrls.ts"
import { commandLine } from "./secrets/commandLine.ts"
import { control } from "./secrets/control.ts"
import { firstStart } from "./secrets/firstStart.ts"
import { Marks } from "./secrets/Marks.ts"
import { overAdmin } from "./secrets/overAdmin.ts"
import { overHttp } from "./secrets/overHttp.ts"
import { overTls } from "./secrets/overTls.ts"
import { operationsAsked } from "./secrets/questions.ts"
import { Search } from "./secrets/Search.ts"
import { directoriesUnder, type Stage } from "./secrets/Stage.ts"

const cli = fileURLToPath(new URL("../../../apps/cli/bin/headgate.mjs", import.meta.url))

const parts: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "the first start": firstStart,
  "files that cannot be read": badImports,
  "databases that cannot be opened": badUrls,
  "command lines of the server": badCommandLines,
  "requests over HTTP": overHttp,
  "connections over TLS": overTls,
  "the journal and the faults": overAdmin,
  "the command line": commandLine,
  "the HTTP adapter": adapter
}

const trial = async ({ count: programs, seed, server }: TrialOptions, directory: string) => {
  const verdict = new Verdict("secrets")
  const marks = new Marks(makeRandom(seed))
  const search = new Search()
  const stage: Stage = { marks, search, server, cli, programs, directory: directoriesUnder(directory) }
  for (const [name, part] of Object.entries(parts)) {
    const begun = performance.now()
    await part(stage)
    say(`${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  }
  const { bytes, documented, misplaced, missing, outputs } = search.find(marks.all)
  verdict.none(misplaced, "secrets where they must not be")
  verdict.none(missing, "secrets that are documented to be somewhere and are not: the search would not see them")
  const { found, leaked } = await control(stage, seed)
  verdict.hold(found === leaked, `control: ${leaked} secrets were leaked on purpose, ${found} were found`)
  say(`control: ${found} of ${leaked} secrets that were leaked on purpose were found`)
  const asked = operationsOf(neutral).map(({ name }) => name)
  verdict.hold(asked.toSorted().join() === operationsAsked.toSorted().join(), `the contract has ${asked.join(", ")}`)
  verdict.end(
    `${outputs} outputs (${bytes} bytes) searched for ${marks.all.length} secrets, ` +
      `${documented} found where documented, ${misplaced.length} where they must not be`
  )
}

await runTrial("secrets", { name: "programs", usual: 4 }, trial)
