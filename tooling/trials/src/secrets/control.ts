import { fileURLToPath } from "node:url"
import { makeRandom } from "../load/Random.ts"
import { basic } from "../load/World.ts"
import { startServer } from "../server/ServerProcess.ts"
import { ask } from "./ask.ts"
import { Marks, needlesOf } from "./Marks.ts"
import { Search } from "./Search.ts"
import type { Stage } from "./Stage.ts"
import { pipePath } from "./world.ts"

const leakyServer = fileURLToPath(new URL("../../test/broken/leaky.mjs", import.meta.url))

/** What the control came to: as many must be found as were leaked. */
export interface Control {
  readonly leaked: number
  readonly found: number
}

/**
 * Shows that the search finds what it looks for: a secret in every spelling within other text, one in what a program
 * printed that logs the Authorization header, and nothing where nothing is.
 */
export const control = async (stage: Stage, seed: number): Promise<Control> => {
  const marks = new Marks(makeRandom(seed + 1))
  const search = new Search()
  const planted = marks.plant("control")
  const spellings = needlesOf(planted)
  for (const { bytes, spelling } of spellings) {
    search.add(`control, ${spelling}`, Buffer.concat([Buffer.from("before "), bytes, Buffer.from(" behind")]))
  }
  search.add("control, nothing", "nothing at all")

  const guess = marks.plant("control, Authorization header")
  const server = await startServer(leakyServer, "--memory")
  const controlStage = { ...stage, marks, search }
  await ask(controlStage, "control", server.url, {
    name: "a login",
    method: "GET",
    path: pipePath(),
    authorization: basic("nobody", guess.value),
    status: 401
  })
  search.add("control, stderr of a server that leaks", (await server.stop()).stderr)
  return { leaked: spellings.length + 1, found: search.find(marks.all).misplaced.length }
}
