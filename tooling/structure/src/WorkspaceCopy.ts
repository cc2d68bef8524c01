// A copy of this workspace with what was built of it, in which files are changed and the compiler and tests are run.
import { execFile } from "node:child_process"
import { cpSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join, relative, sep } from "node:path"

const skipped = new Set([".git", ".turbo", ".vite", "api-reference"])

// The compiler notes here by which path it found Effect, which is another one in the copy. With such notes it does not check again the
// files of the client that import types from a changed one.
const notesOfClient = join("packages", "client", "dist", "types", ".tsbuildinfo")

export class WorkspaceCopy {
  private readonly root: string
  private readonly copy: string
  /** Each copied file, with the time of its last change: the compiler changes many. */
  private readonly files = new Map<string, number>()
  private readonly unlinked: Array<string> = []

  constructor(root: string, copy: string) {
    this.root = root
    this.copy = copy
    const modules = join(root, "node_modules")
    cpSync(root, copy, {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      filter: (from) => {
        const name = from.split(sep).at(-1) ?? ""
        if (from === modules || skipped.has(name) || name.endsWith(".map") || from.endsWith(notesOfClient)) return false
        const status = lstatSync(from)
        if (status.isFile()) this.files.set(relative(root, from), status.mtimeMs)
        return true
      }
    })
    symlinkSync(modules, join(copy, "node_modules"))
  }

  /** Puts a text in place of what a pattern finds in a file. */
  cut(path: string, pattern: RegExp, before = ""): void {
    const file = join(this.copy, path)
    const text = readFileSync(file, "utf8")
    const rest = text.replace(pattern, before)
    if (rest === text) throw new Error(`${path} has nothing that matches ${pattern}`)
    writeFileSync(file, rest)
  }

  /** Removes a link to a package, as an installation does without its line in `package.json`. */
  unlink(path: string): void {
    const link = join(this.copy, path)
    renameSync(link, `${link}.unlinked`)
    this.unlinked.push(link)
  }

  /** What a program of `node_modules/.bin`, or a script, prints. */
  run([program = "", ...args]: ReadonlyArray<string>): Promise<string> {
    const isScript = program.endsWith(".ts")
    const file = isScript ? process.execPath : join(this.root, "node_modules/.bin", program)
    // What the tests that call this run with is not for the tests of the copy.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST") && name !== "HEADGATE_TESTS_TOGETHER")
    )
    return new Promise((resolve) => {
      execFile(
        file,
        isScript ? [program, ...args] : args,
        { cwd: this.copy, env, maxBuffer: 64 * 1024 * 1024 },
        (_, stdout, stderr) => resolve(stdout + stderr)
      )
    })
  }

  /** Puts back every file that was changed, with its time: nothing has to be compiled again. */
  restore(): void {
    for (const link of this.unlinked.splice(0)) renameSync(`${link}.unlinked`, link)
    for (const [path, changed] of this.files) {
      const to = join(this.copy, path)
      const now = lstatSync(to, { throwIfNoEntry: false })?.mtimeMs ?? 0
      // A copy has the time of its original, but for some microseconds.
      if (Math.abs(now - changed) >= 1) cpSync(join(this.root, path), to, { preserveTimestamps: true })
    }
  }

  remove(): void {
    rmSync(this.copy, { recursive: true })
  }
}
