import { availableParallelism, cpus, release, totalmem, type } from "node:os"

/** What this is measured on, in one line. */
export const describeMachine = (): string => {
  const [cpu] = cpus()
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  return `${cpu?.model.trim() ?? "unknown CPU"}, ${availableParallelism()} cores, ${gibibytes} GiB, ${type()} ${release()}, Node ${process.versions.node}`
}
