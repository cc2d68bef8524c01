import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { accessSync, constants, statSync, type Stats } from "node:fs"
import { dirname, resolve } from "node:path"

/** `undefined` if there is nothing, or if it is in a folder that may not be searched. */
const statOf = (path: string): Stats | undefined =>
  Result.getOrUndefined(Result.try(() => statSync(path, { throwIfNoEntry: false })))

/** The folder of a path if it can be seen, else the nearest one above it. */
const nearestFolder = (path: string): string => {
  const folder = dirname(path)
  return statOf(folder) !== undefined || folder === dirname(folder) ? folder : nearestFolder(folder)
}

/** How a process uses a file. */
export type FileUse = "reads" | "writes"

// Others are created beside a file that is written, so its folder comes first.
const neededFor = (path: string, use: FileUse) =>
  use === "reads"
    ? [{ path, mode: constants.R_OK }]
    : [
        { path: nearestFolder(path), mode: constants.W_OK | constants.X_OK },
        { path, mode: constants.R_OK | constants.W_OK }
      ]

/** The code of what the system says, such as `EACCES`; `undefined` if it allows the access. */
const refusalOf = (access: typeof accessSync, path: string, mode: number): string | undefined =>
  Result.match(
    Result.try(() => access(path, mode)),
    {
      onFailure: (cause) => (Predicate.hasProperty(cause, "code") ? String(cause.code) : undefined),
      onSuccess: () => undefined
    }
  )

/** What root runs, so that this process may write a file. A folder above that of the file stays as it is. */
const remedyOf = (file: string, path: string, stats: Stats, user: number, group: number): string => {
  if (path !== file && path !== dirname(file)) return `install -d -m 0700 -o ${user} -g ${group} ${dirname(file)}`
  const isFolder = stats.isDirectory()
  return stats.uid === user
    ? `chmod ${isFolder ? "u+rwx" : "u+rw"} ${path}`
    : `chown ${isFolder ? "-R " : ""}${user}:${group} ${path}`
}

const explain = (file: string, path: string, stats: Stats, user: number, group: number): string => {
  const { gid, mode, uid } = stats
  const permissions = (mode & 0o7777).toString(8).padStart(4, "0")
  // No message says to run the server as root.
  const other =
    uid === user || uid === 0 ? "" : `, or run the server as that user (in a container: --user ${uid}:${gid})`
  return (
    `${path} belongs to the user ${uid} and the group ${gid} (mode ${permissions}), and this process, which runs as ` +
    `${user}:${group}, may not use it. Run \`${remedyOf(file, path, stats, user, group)}\` as root${other}`
  )
}

/**
 * Why this process may not use a file: names the first path that it may not use, which is the file or its folder, with the
 * owner and what to do. `undefined` if it may use both, or if the system has no users as Linux has them.
 */
export const accessProblem = (
  given: string,
  use: FileUse,
  access: typeof accessSync = accessSync
): string | undefined => {
  const file = resolve(given)
  const user = process.geteuid?.()
  const group = process.getegid?.()
  if (user === undefined || group === undefined) return undefined
  for (const { mode, path } of neededFor(file, use)) {
    const stats = statOf(path)
    const refusal = stats === undefined ? undefined : refusalOf(access, path, mode)
    if (stats === undefined || refusal === undefined) continue
    return refusal === "EROFS"
      ? `${path} is on a read-only file system: name a folder that can be written, in a container one of a volume`
      : explain(file, path, stats, user, group)
  }
  return undefined
}
