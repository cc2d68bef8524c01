import { say, type Verdict } from "@headgate/harness/Verdict"
import { chmodSync, chownSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { type Container, type ContainerOptions, startContainer } from "./Container.ts"
import type { ImageConfig } from "./ImageStore.ts"
import { readDashboards, writeUntilGone } from "./dashboards.ts"

/** An image of which containers are started. */
export interface Image {
  readonly config: ImageConfig
  readonly rootfs: string
  readonly directory: string
}

export const start = ({ config, directory, rootfs }: Image, options: ContainerOptions): Container =>
  startContainer(directory, rootfs, config, options)

/** The folder of an empty volume. Docker gives a new one the owner and the mode of the folder in the image. */
export const makeVolume = ({ config, directory, rootfs }: Image, name: string): string => {
  const [path = "/data"] = Object.keys(config.Volumes ?? {})
  const { gid, mode, uid } = statSync(join(rootfs, path))
  const volume = join(directory, name)
  mkdirSync(volume)
  chownSync(volume, uid, gid)
  chmodSync(volume, mode & 0o7777)
  return volume
}

// What Docker waits for before it kills a container.
const longestStop = 10_000

/** Stops a container as Docker does, and returns how long it took in milliseconds. */
export const stop = async (container: Container, what: string, verdict: Verdict): Promise<number> => {
  const before = performance.now()
  container.signal("TERM")
  const overdue = setTimeout(() => container.signal("KILL"), longestStop)
  const { code } = await container.ended
  clearTimeout(overdue)
  verdict.hold(code === 0, `${what}: exit ${code} after SIGTERM, expected 0 within ${longestStop} ms`)
  return Math.round(performance.now() - before)
}

/** Waits until a container is healthy. Throws with what it said if it ends before. */
export const started = async (container: Container): Promise<Container> => {
  if (await container.healthy()) return container
  container.signal("KILL")
  const { code, stderr } = await container.ended
  throw new Error(`the container did not become healthy, and ended with ${code}: ${stderr}`)
}

const writes = 40

/** What the kernel says of the process that a container is. */
const checkProcess = async (container: Container, verdict: Verdict) => {
  const { stdout } = await container.execute("cat", "/proc/1/status", "/proc/1/cmdline")
  const lineOf = (name: string) => new RegExp(`^${name}:\\t(.*)$`, "m").exec(stdout)?.[1] ?? ""
  verdict.hold(lineOf("Uid").startsWith("10001\t10001\t"), `process 1 runs as the user ${lineOf("Uid")}`)
  verdict.hold(lineOf("Gid").startsWith("10001\t10001\t"), `process 1 runs as the group ${lineOf("Gid")}`)
  verdict.hold(/^node\0\S*headgate-server\0/m.test(stdout), `process 1 is not the server: ${stdout.split("\n").at(-1)}`)
  const { stderr } = await container.execute("sh", "-c", "echo > /opt/headgate/new")
  verdict.hold(stderr.includes("Read-only file system"), `the root can be written: ${stderr}`)
  const ids = `user ${lineOf("Uid")}, group ${lineOf("Gid")}`.replaceAll("\t", " ")
  say(`process 1: ${stdout.split("\n").at(-1)?.replaceAll("\0", " ").trim()}`)
  say(`${ids}, capabilities ${lineOf("CapEff")}; a write to /opt: ${stderr.trim()}`)
}

/** Starts the server of the image, kills and stops it while it takes writes, each time over the same volume. */
export const checkServer = async (image: Image, verdict: Verdict) => {
  const volume = makeVolume(image, "volume")
  const acknowledged: Array<string> = []
  const checkKept = async (container: Container, after: string) => {
    const there = await readDashboards(container)
    const lost = acknowledged.filter((id) => !there.has(id))
    verdict.none(lost, `dashboards lost by ${after}`)
    say(
      `started again after ${after}: ${there.size} dashboards, ${lost.length} of ${acknowledged.length} acknowledged lost`
    )
  }

  const first = await started(start(image, { volume }))
  await checkProcess(first, verdict)
  const { mode } = statSync(join(volume, "first-credentials.json"))
  verdict.hold((mode & 0o777) === 0o600, "others may read the first credentials")
  acknowledged.push(...(await writeUntilGone(first, writes, () => first.signal("KILL"))))
  say(`SIGKILL while it took writes: exit ${(await first.ended).code}`)

  const second = await started(start(image, { volume }))
  await checkKept(second, "SIGKILL")
  const stopping: Array<Promise<number>> = []
  const more = await writeUntilGone(second, writes, () => {
    stopping.push(stop(second, "a server that takes writes", verdict))
  })
  acknowledged.push(...more)
  say(
    `SIGTERM while it took writes: exit ${(await second.ended).code} after ${(await Promise.all(stopping)).join()} ms`
  )

  const third = await started(start(image, { volume }))
  await checkKept(third, "SIGTERM")
  const milliseconds = await stop(third, "a server at rest", verdict)
  say(`SIGTERM at rest: exit ${(await third.ended).code} after ${milliseconds} ms`)
  return { acknowledged: acknowledged.length, milliseconds }
}
