import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type ServerProcess, startServer } from "../server/ServerProcess.ts"
import type { Mark } from "./Marks.ts"
import type { Stage } from "./Stage.ts"
import { makeMarkedWorld, type MarkedWorld } from "./world.ts"

/** A server that holds a marked world, and where it keeps it. */
export interface MarkedServer {
  readonly where: string
  readonly server: ServerProcess
  readonly world: MarkedWorld
  readonly data: string
}

const printedAs = (label: string, printed: string): ReadonlyArray<string> =>
  Array.from(printed.matchAll(new RegExp(`^ *${label} +(\\S+)$`, "gm")), ([, value = ""]) => value)

/** The credentials that a program shows as it mints them. */
export const mintedIn = ({ marks }: Stage, where: string, printed: string): ReadonlyArray<Mark> =>
  ["key secret", "bearer token"].flatMap((label) =>
    printedAs(label, printed).map((value) => marks.know(`${label} minted by ${where}`, value))
  )

/** Starts a server over SQLite with a marked world. */
export const startMarked = async (
  { directory, marks, server: script }: Stage,
  where: string,
  ...flags: ReadonlyArray<string>
): Promise<MarkedServer> => {
  const world = makeMarkedWorld(marks)
  const home = directory()
  const data = join(home, "data")
  const snapshot = join(home, "snapshot.json")
  writeFileSync(snapshot, world.snapshot)
  return { where, world, data, server: await startServer(script, "--data", data, "--import", snapshot, ...flags) }
}

/** Ends a server and keeps all that it printed, and every file that it leaves. Answers what it printed. */
export const endMarked = async (stage: Stage, { data, server, where, world }: MarkedServer): Promise<string> => {
  const { stderr, stdout } = await server.stop()
  // One organization of the world comes without a token: the server mints one, and shows it.
  stage.search.add(`${where}, stdout of the server`, stdout)
  stage.search.add(`${where}, stderr of the server`, stderr, mintedIn(stage, where, stderr))
  stage.search.addDirectory(`${where}, data directory`, data, { "headgate.sqlite": [world.connectionString] })
  return `${stdout}\n${stderr}`
}
