import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** The content of a `config.json`. */
export interface ConfigDocument {
  readonly current?: string
  readonly profiles: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Writes a `config.json` with a mode, whatever the umask is, and returns its path. */
const write = (directory: string, document: unknown, mode: number): string => {
  mkdirSync(directory, { recursive: true })
  const file = join(directory, "config.json")
  rmSync(file, { force: true })
  writeFileSync(file, typeof document === "string" ? document : JSON.stringify(document), { mode })
  return file
}

/** A new directory for a user's and a project's configuration, removed after the tests of its file. */
export const configHome = () => {
  const root = mkdtempSync(join(tmpdir(), "headgate-config-"))
  afterAll(() => rmSync(root, { recursive: true }))
  const file = join(root, "headgate", "config.json")
  return {
    file,
    /** The environment that makes `headgate` use it. */
    env: { XDG_CONFIG_HOME: root },
    /** The directory of a project, without a profile until it is written. */
    project: join(root, "project"),
    projectFile: join(root, "project", ".headgate", "config.json"),
    write: (document: unknown, mode = 0o600) => write(join(root, "headgate"), document, mode),
    writeProject: (document: unknown, mode = 0o600) => write(join(root, "project", ".headgate"), document, mode),
    clear: () => {
      rmSync(join(root, "headgate"), { recursive: true, force: true })
      rmSync(join(root, "project"), { recursive: true, force: true })
    },
    read: (): ConfigDocument => JSON.parse(readFileSync(file, "utf8")),
    mode: (path: string): string => (statSync(path).mode & 0o777).toString(8)
  }
}
