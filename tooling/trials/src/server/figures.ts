import { readdirSync, readFileSync, readlinkSync } from "node:fs"

const linkOf = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    // Closed since the directory was read.
    return ""
  }
}

/** How many sockets a process has open, its listening one among them; `undefined` where /proc does not tell. */
export const socketsOf = (pid: number): number | undefined => {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).filter((name) => linkOf(`${folder}/${name}`).startsWith("socket:")).length
  } catch {
    return undefined
  }
}

/** How much memory a process has in use, in MiB; `undefined` where /proc does not tell. */
export const memoryOf = (pid: number): number | undefined => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024)
  } catch {
    return undefined
  }
}
