import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { ImageConfig } from "./ImageStore.ts"

/** How a process in a container ended. */
export interface Ended {
  /** 128 and the number of the signal that ended it. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface ContainerOptions {
  /** In place of the user of the image: numbers of a user and a group. */
  readonly user?: string
  /** In place of the command of the image. */
  readonly command?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** The folder of this machine for the volume of the image. */
  readonly volume: string
  /** Further folders, by where they are in the container. */
  readonly folders?: Readonly<Record<string, string>>
}

/** A container that runs. */
export interface Container {
  readonly ended: Promise<Ended>
  /** Runs a program in it, as its user and in its environment. */
  readonly execute: (...command: ReadonlyArray<string>) => Promise<Ended>
  /** Starts one, and hands out what it prints while it runs. */
  readonly start: (...command: ReadonlyArray<string>) => ChildProcess
  /** Runs the health check of the image until it succeeds, or the container has ended. */
  readonly healthy: () => Promise<boolean>
  readonly signal: (name: "TERM" | "KILL") => void
}

const longestStart = 120_000

const collect = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const printed = { stdout: "", stderr: "" }
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text))
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text))
    child.once("error", reject)
    child.once("close", (code) => resolve({ code: code ?? -1, ...printed }))
  })

/** What the runtime is told: what Docker makes of the image with `--read-only --cap-drop ALL --security-opt no-new-privileges`. */
const specificationOf = (rootfs: string, config: ImageConfig, options: ContainerOptions) => {
  const [uid, gid] = (options.user ?? config.User ?? "0:0").split(":").map(Number)
  const [volume = "/data"] = Object.keys(config.Volumes ?? {})
  const folders = Object.entries({ [volume]: options.volume, ...options.folders })
  const environment = Object.entries(options.env ?? {}).map(([name, value]) => `${name}=${value}`)
  const none: ReadonlyArray<string> = []
  return {
    ociVersion: "1.0.2",
    process: {
      user: { uid, gid: gid ?? 0 },
      args: [...(config.Entrypoint ?? []), ...(options.command ?? config.Cmd ?? [])],
      env: [...(config.Env ?? []), ...environment],
      cwd: config.WorkingDir ?? "/",
      noNewPrivileges: true,
      capabilities: { bounding: none, effective: none, inheritable: none, permitted: none }
    },
    root: { path: rootfs, readonly: true },
    mounts: [
      { destination: "/proc", type: "proc", source: "proc" },
      { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "mode=755"] },
      ...folders.map(([destination, source]) => ({ destination, type: "bind", source, options: ["rbind"] }))
    ],
    linux: { namespaces: ["pid", "mount", "ipc", "uts", "network"].map((type) => ({ type })) }
  }
}

let started = 0

/** Starts a container of an image whose files are in `rootfs`. It has a network of its own, with nothing but loopback. */
export const startContainer = (
  directory: string,
  rootfs: string,
  config: ImageConfig,
  options: ContainerOptions
): Container => {
  started++
  const id = `headgate-${process.pid}-${started}`
  const bundle = join(directory, id)
  mkdirSync(bundle)
  writeFileSync(join(bundle, "config.json"), JSON.stringify(specificationOf(rootfs, config, options)))
  const runtime = ["--root", join(directory, "runc")]
  const child = spawn("runc", [...runtime, "run", "--bundle", bundle, id], { stdio: ["ignore", "pipe", "pipe"] })
  const remove = () => spawnSync("runc", [...runtime, "delete", "--force", id])
  // Before the folder of its state is removed.
  process.prependOnceListener("exit", remove)
  const state = { hasEnded: false }
  const ended = collect(child).then((result) => {
    state.hasEnded = true
    process.off("exit", remove)
    return result
  })
  const start = (...command: ReadonlyArray<string>) =>
    spawn("runc", [...runtime, "exec", id, ...command], { stdio: ["ignore", "pipe", "pipe"] })
  const execute = (...command: ReadonlyArray<string>) => collect(start(...command))
  return {
    ended,
    execute,
    start,
    healthy: async () => {
      const [, ...check] = config.Healthcheck?.Test ?? []
      const until = performance.now() + longestStart
      while (!state.hasEnded && performance.now() < until) {
        if ((await execute(...check)).code === 0) return true
        await sleep(100)
      }
      return false
    },
    signal: (name) => void spawnSync("runc", [...runtime, "kill", id, name])
  }
}
