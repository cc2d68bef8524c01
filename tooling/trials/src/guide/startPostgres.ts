import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chownSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { getuid } from "node:process"

/** Postgres refuses to run as root: then it runs as Debian's user. */
const unprivileged = () => {
  if (getuid?.() !== 0) return {}
  const id = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout)
  return { uid: id("-u"), gid: id("-g") }
}

// Postgres ends with its standard input, and so with this process.
const untilInputEnds = `"$@" & pid=$!; read -r _; kill -INT "$pid"; wait "$pid"`

/**
 * Starts a Postgres as Debian sets it up, with the superuser `postgres`, but on a socket in `folder` alone and without
 * passwords. Returns a function that stops it.
 */
export const startPostgres = async (binaries: string, folder: string): Promise<() => Promise<void>> => {
  const user = unprivileged()
  const data = join(folder, "data")
  mkdirSync(folder, { recursive: true })
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const made = spawnSync(
    join(binaries, "initdb"),
    ["-D", data, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
    { ...user, cwd: folder, encoding: "utf8" }
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`].flatMap((setting) => ["-c", setting])
  const server = spawn("sh", ["-c", untilInputEnds, "sh", join(binaries, "postgres"), "-D", data, ...settings], {
    ...user,
    cwd: folder,
    stdio: ["pipe", "ignore", "ignore"]
  })
  const isReady = () => spawnSync(join(binaries, "pg_isready"), ["-h", folder]).status === 0
  while (!isReady()) {
    if (server.exitCode !== null) throw new Error("Postgres did not start")
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return async () => {
    server.stdin.end()
    if (server.exitCode === null) await once(server, "exit")
  }
}
