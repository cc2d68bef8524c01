import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startServer } from "../server/ServerProcess.ts"
import { mintedIn } from "./markedServer.ts"
import { runAndKeep } from "./run.ts"
import type { Stage } from "./Stage.ts"
import { makeMarkedWorld } from "./world.ts"

interface Written {
  readonly keySecret: string
  readonly token: string
}

const writtenTo = ({ marks }: Stage, file: string) => {
  const written: ReadonlyArray<Written> = JSON.parse(readFileSync(file, "utf8"))
  if (written.length !== 1) throw new Error(`${file} holds ${written.length} organizations, not 1`)
  return written.flatMap(({ keySecret, token }) => [
    marks.know("key secret minted by the first start", keySecret),
    marks.know("bearer token minted by the first start", token)
  ])
}

/** The first start writes credentials to a file, once, and shows none; without a file it shows them. */
export const firstStart = async (stage: Stage): Promise<void> => {
  const { directory, marks, search, server: script } = stage
  const home = directory()
  const data = join(home, "data")
  const file = join(home, "credentials.json")
  const flags = ["--data", data, "--credentials-file", file, "--log-level", "all"]
  const first = await (await startServer(script, ...flags)).stop()
  const minted = writtenTo(stage, file)
  search.add("first start, stdout", first.stdout)
  search.add("first start, stderr", first.stderr)
  search.add("credentials file", readFileSync(file), minted)
  const second = await (await startServer(script, ...flags)).stop()
  search.add("second start, stdout", second.stdout)
  search.add("second start, stderr", second.stderr)

  const shown = await (await startServer(script, "--data", join(home, "shown"))).stop()
  const shownOnce = mintedIn(stage, "a first start without a file", shown.stderr)
  if (shownOnce.length !== 2) throw new Error(`the first start has shown ${shownOnce.length} credentials, not 2`)
  search.add("first start without a file, stdout", shown.stdout)
  search.add("first start without a file, stderr", shown.stderr, shownOnce)

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
  search.add("import, stdout", imported.stdout)
  search.add("import, stderr", imported.stderr, mintedIn(stage, "import", imported.stderr))
  await runAndKeep(stage, "export of pipes", script, {
    args: ["export", "--data", data],
    succeeds: true,
    shows: () => [world.connectionString]
  })
}
