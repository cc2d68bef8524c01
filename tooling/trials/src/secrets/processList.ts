import { existsSync, readdirSync, readFileSync } from "node:fs"

// Often enough to see every program that this trial starts.
const interval = 5

const commandLineOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")
  } catch {
    // It has ended.
    return ""
  }
}

/** Whether this machine shows the command lines of processes as files. */
export const hasProcessList = existsSync("/proc/self/cmdline")

/** Reads the command lines of all processes again and again, as `ps` does, until it is stopped. */
export const watchProcesses = () => {
  const seen = new Set<string>()
  const look = () => {
    for (const pid of readdirSync("/proc")) if (/^\d+$/.test(pid)) seen.add(commandLineOf(pid))
  }
  const timer = setInterval(look, interval)
  return {
    /** The command lines, one a line. */
    stop: () => {
      clearInterval(timer)
      return Array.from(seen).join("\n")
    }
  }
}
