import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startServer } from "../server/ServerProcess.ts"
import { mintedIn } from "./markedServer.ts"
import { runAndKeep } from "./run.ts"
import type { Stage } from "./Stage.ts"
import { makeMarkedWorld } from "./world.ts"

/** The first start shows credentials, once; nothing that comes after does. */
export const firstStart = async (stage: Stage): Promise<void> => {
  const { directory, marks, search, server: script } = stage
  const home = directory()
  const data = join(home, "data")
  const file = join(home, "credentials.json")
  const flags = ["--data", data, "--credentials-file", file, "--log-level", "all"]
  const first = await (await startServer(script, ...flags)).stop()
  const minted = mintedIn(stage, "the first start", first.stdout)
  if (minted.length !== 2) throw new Error(`the first start has shown ${minted.length} credentials, not 2`)
  search.add("first start, stdout", first.stdout, minted)
  search.add("first start, stderr", first.stderr)
  search.add("credentials file", readFileSync(file), minted)
  const second = await (await startServer(script, ...flags)).stop()
  search.add("second start, stdout", second.stdout)
  search.add("second start, stderr", second.stderr)

  const operate = (...args: ReadonlyArray<string>) =>
    runAndKeep(stage, args.slice(0, 2).join(" "), script, { args: [...args, "--data", data], succeeds: true })
  await operate("export")
  await operate("key", "list")
  await operate("token", "list")
  for (const args of [
    ["key", "create", "--admin"],
    ["token", "create", "--name", "another"]
  ]) {
    await runAndKeep(stage, args.join(" "), script, {
      args: [...args, "--data", data],
      succeeds: true,
      shows: (printed) => mintedIn(stage, args.join(" "), printed)
    })
  }
  await operate("export")
  search.addDirectory("data directory after the first start", data)

  const world = makeMarkedWorld(marks)
  const snapshot = join(home, "snapshot.json")
  writeFileSync(snapshot, world.snapshot)
  const imported = await (await startServer(script, "--data", data, "--import", snapshot)).stop()
  search.add("import, stdout", imported.stdout, mintedIn(stage, "import", imported.stdout))
  await runAndKeep(stage, "export of pipes", script, {
    args: ["export", "--data", data],
    succeeds: true,
    shows: () => [world.connectionString]
  })
}
