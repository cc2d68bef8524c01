import { existsSync, readdirSync } from "node:fs"
import { delimiter, join } from "node:path"
import { env } from "node:process"

const debian = "/usr/lib/postgresql"

/** Debian's are not on the PATH: a folder a version, the newest first. */
const debianFolders = (): ReadonlyArray<string> =>
  existsSync(debian)
    ? readdirSync(debian)
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => join(debian, version, "bin"))
    : []

/** The folder of Postgres's `initdb` and `postgres` on this machine; `undefined` where there is none. */
export const postgresBinaries = (): string | undefined =>
  [...debianFolders(), ...(env["PATH"] ?? "").split(delimiter)].find((folder) =>
    ["initdb", "postgres"].every((name) => existsSync(join(folder, name)))
  )
