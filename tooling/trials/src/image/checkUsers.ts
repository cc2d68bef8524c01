import { say, type Verdict } from "@headgate/harness/Verdict"
import { execFileSync } from "node:child_process"
import { chmodSync, chownSync } from "node:fs"
import { type Image, makeVolume, start, started, stop } from "./checkServer.ts"

interface Volume {
  readonly what: string
  /** Makes the folder of the volume as somebody left it. */
  readonly prepare: (image: Image, name: string, verdict: Verdict) => Promise<string> | string
  /** As whom the server is started on it, if it is not the user of the image. */
  readonly user?: string
  /** What the error says. */
  readonly said: string
}

// Whom Docker makes of `--user 12345`, and a cluster that chooses the user: the group is 0.
const otherInGroup = "12345:0"

const volumes: ReadonlyArray<Volume> = [
  {
    what: "a folder of root",
    prepare: (image, name) => {
      const volume = makeVolume(image, name)
      chownSync(volume, 0, 0)
      chmodSync(volume, 0o755)
      return volume
    },
    said: "/data belongs to the user 0 and the group 0 (mode 0755), and this process, which runs as 10001:10001, may not"
  },
  {
    what: "a volume of the image, for a user outside its group",
    prepare: makeVolume,
    user: "12345:12345",
    said: "/data belongs to the user 10001 and the group 0 (mode 0770), and this process, which runs as 12345:12345, may"
  },
  {
    what: "a store of another user",
    prepare: async (image, name, verdict) => {
      const volume = makeVolume(image, name)
      const container = await started(start(image, { volume, user: otherInGroup }))
      await stop(container, "a server of another user", verdict)
      return volume
    },
    user: "10001:0",
    said: "/data/headgate.sqlite belongs to the user 12345 and the group 0 (mode 0600), and this process, which runs as"
  }
]

/** The command that an error tells root to run, on the folder of this machine in place of the volume. */
const remedyIn = (text: string, volume: string): ReadonlyArray<string> =>
  (/Run `([^`]+)` as root/.exec(text)?.[1] ?? "false").split(" ").map((word) => word.replace(/^\/data/, volume))

// The database and its sealing key.
const mostRemedies = 2

/** Starts the server until it is healthy, each time after what its error says was done. Returns the errors. */
const startWithRemedies = async (image: Image, volume: string, user: string | undefined, verdict: Verdict) => {
  const errors: Array<string> = []
  for (;;) {
    const container = start(image, { volume, ...(user === undefined ? {} : { user }) })
    if (await container.healthy()) {
      await stop(container, "a server on a volume of another user", verdict)
      return errors
    }
    const { code, stderr } = await container.ended
    errors.push(`exit ${code}: ${stderr.trim()}`)
    const [program = "false", ...args] = remedyIn(stderr, volume)
    if (errors.length > mostRemedies || program === "false") return errors
    execFileSync(program, args)
  }
}

/**
 * Starts the server on volumes that it may not use: it must say whose they are, and start once what it says was done. Returns
 * how many errors there were.
 */
export const checkUsers = async (image: Image, verdict: Verdict): Promise<number> => {
  let count = 0
  for (const [index, { prepare, said, user, what }] of volumes.entries()) {
    const volume = await prepare(image, `volume-${index}`, verdict)
    const errors = await startWithRemedies(image, volume, user, verdict)
    const [first = "it starts"] = errors
    verdict.hold(first.startsWith("exit 1: ") && first.includes(said), `${what}: "${first}", expected "${said}"`)
    verdict.hold(errors.length <= mostRemedies, `${what}: what the error says does not help: ${errors.at(-1)}`)
    say(`${what}, as ${user ?? image.config.User}:`)
    for (const error of errors) say(`  ${error}`)
    say(`  then it ${errors.length <= mostRemedies ? "starts" : "does not start"}`)
    count += errors.length
  }
  return count
}
