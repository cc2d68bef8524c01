import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"

const attempt = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    // The process, the thread or the descriptor is gone, or this system has no /proc.
    return undefined
  }
}

/** CPU time of a process and its threads, user and system, in microseconds. */
export const cpuMicroseconds = (pid: number): number => {
  const tasks = `/proc/${pid}/task`
  // In nanoseconds for each thread; /proc/<pid>/stat counts in steps of 10 ms.
  return readdirSync(tasks).reduce((sum, task) => {
    const [nanoseconds = "0"] = (attempt(() => readFileSync(`${tasks}/${task}/schedstat`, "utf8")) ?? "0").split(" ")
    return sum + Number(nanoseconds) / 1000
  }, 0)
}

const memory = (pid: number, field: "VmRSS" | "VmHWM"): number | undefined =>
  attempt(
    () =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024
  )

/** Resident memory of a process in MiB; `undefined` without /proc. */
export const residentMebibytes = (pid: number): number | undefined => memory(pid, "VmRSS")

/** The most resident memory that a process ever had, or had since {@link resetPeak}, in MiB. */
export const peakMebibytes = (pid: number): number | undefined => memory(pid, "VmHWM")

/** Begins a new measurement of {@link peakMebibytes}. */
export const resetPeak = (pid: number): void => {
  attempt(() => writeFileSync(`/proc/${pid}/clear_refs`, "5"))
}

/** Open sockets of a process, the listening one included; `undefined` without /proc. */
export const socketsOf = (pid: number): number | undefined =>
  attempt(() => {
    const folder = `/proc/${pid}/fd`
    return readdirSync(folder).filter((name) => attempt(() => readlinkSync(`${folder}/${name}`))?.startsWith("socket:"))
      .length
  })

/** CPU time of all child processes that have ended, and theirs, in microseconds, in steps of 10 ms. */
export const cpuOfEndedChildren = (): number => {
  const stat = readFileSync("/proc/self/stat", "utf8")
  // The name of the program, in parentheses, may hold anything.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(") ") + 2)
    .split(" ")
    .slice(13, 15)
    .map(Number)
  return (user + system) * 10_000
}
