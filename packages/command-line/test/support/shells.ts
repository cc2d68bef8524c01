// Runs the completion scripts of both programs in real shells. The tests of the apps import this by its relative path.
import { execFile, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe } from "vitest"

// The options without which a shell reads the files of its user.
const shells = { bash: "--norc", zsh: "-f", fish: "--no-config" }

export type Shell = keyof typeof shells

const isRequired = process.env["HEADGATE_REQUIRE_SHELLS"] === "1"

/** A program that shells complete. */
export interface CompletedProgram {
  readonly name: string
  /** Its completion script. */
  readonly script: (shell: Shell) => Promise<string>
  /** Its file, if the scripts run it, and its environment then. */
  readonly bin?: string
  readonly env?: () => Readonly<Record<string, string>>
}

/**
 * A suite for each of the shells. `complete` returns what the shell offers for the last of the words, in a directory with a
 * file `errors.json` and a directory `store`, in which no completion may write a file. A shell that is not installed is
 * skipped with a message on stderr; with HEADGATE_REQUIRE_SHELLS=1 it fails.
 */
export const describeShells = (
  { bin, env, name, script }: CompletedProgram,
  body: (complete: (...words: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>, shell: Shell) => void
): void => {
  for (const shell of ["bash", "zsh", "fish"] as const) {
    const isInstalled = spawnSync(shell, ["--version"]).status === 0
    if (!isInstalled && !isRequired) console.error(`\nSKIPPED: ${shell} is not installed (apt-get install ${shell})\n`)

    describe.skipIf(!isInstalled && !isRequired)(`the completions of ${name} in ${shell}`, () => {
      let directory = ""
      let programs = ""
      const files = ["errors.json", "script", "store"]
      beforeAll(async () => {
        directory = mkdtempSync(join(tmpdir(), "headgate-"))
        programs = mkdtempSync(join(tmpdir(), "headgate-"))
        writeFileSync(join(directory, "script"), await script(shell))
        writeFileSync(join(directory, "errors.json"), "{}")
        mkdirSync(join(directory, "store"))
        if (bin !== undefined) symlinkSync(bin, join(programs, name))
      })
      afterAll(() => {
        for (const one of [directory, programs]) rmSync(one, { recursive: true })
      })
      body(async (...words) => {
        const file = join(import.meta.dirname, `complete.${shell}`)
        const path = [programs, dirname(process.execPath), process.env["PATH"]].join(delimiter)
        const { stdout } = await promisify(execFile)(shell, [shells[shell], file, name, ...words], {
          cwd: directory,
          encoding: "utf8",
          timeout: 60_000,
          env: { ...process.env, ...env?.(), PATH: path }
        })
        assert.deepStrictEqual(readdirSync(directory).toSorted(), files)
        // fish ends a directory with a slash, zsh names a path once for each way to complete it.
        const candidates = stdout.split("\n").map((line) => line.replace(/(\/|\t.*)$/, ""))
        return Array.from(new Set(candidates.filter((line) => line !== ""))).toSorted()
      }, shell)
    })
  }
}
