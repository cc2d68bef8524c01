// Runs the completion scripts of both programs in real shells. The tests of the apps import this by its relative path.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe } from "vitest"

// The options without which a shell reads the files of its user.
const shells = { bash: "--norc", zsh: "-f", fish: "--no-config" }

export type Shell = keyof typeof shells

const isRequired = process.env["HEADGATE_REQUIRE_SHELLS"] === "1"

/**
 * A suite for each of the shells. `script` is what the program prints with `--completions`. `complete` returns what the
 * shell offers for the last of the words, in a directory with a file `errors.json` and a directory `store`. A shell that
 * is not installed is skipped with a message on stderr; with HEADGATE_REQUIRE_SHELLS=1 it fails.
 */
export const describeShells = (
  program: string,
  script: (shell: Shell) => Promise<string>,
  body: (complete: (...words: ReadonlyArray<string>) => ReadonlyArray<string>) => void
): void => {
  for (const shell of ["bash", "zsh", "fish"] as const) {
    const isInstalled = spawnSync(shell, ["--version"]).status === 0
    if (!isInstalled && !isRequired) console.error(`\nSKIPPED: ${shell} is not installed (apt-get install ${shell})\n`)

    describe.skipIf(!isInstalled && !isRequired)(`the completions of ${program} in ${shell}`, () => {
      let directory = ""
      beforeAll(async () => {
        directory = mkdtempSync(join(tmpdir(), "headgate-"))
        writeFileSync(join(directory, "script"), await script(shell))
        writeFileSync(join(directory, "errors.json"), "{}")
        mkdirSync(join(directory, "store"))
      })
      afterAll(() => rmSync(directory, { recursive: true }))
      body((...words) => {
        const file = join(import.meta.dirname, `complete.${shell}`)
        const options = { cwd: directory, encoding: "utf8", timeout: 30_000 } as const
        const output = execFileSync(shell, [shells[shell], file, program, ...words], options)
        // fish ends a directory with a slash, zsh names a path once for each way to complete it.
        const candidates = output.split("\n").map((line) => line.replace(/(\/|\t.*)$/, ""))
        return Array.from(new Set(candidates.filter((line) => line !== ""))).toSorted()
      })
    })
  }
}
