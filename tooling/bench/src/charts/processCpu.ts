import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }))

/** User and system time of a process with all threads that it has had, in seconds. */
export const processCpu = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  // The name of the program, in brackets, may hold spaces.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(") ") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number)
  return (user + system) / ticksPerSecond
}
