import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { operate, temporaryDirectory } from "./support/processes.ts"

/** What bash offers after these words, of which the last is not complete. */
const complete = (directory: string, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const program = `
    source ./script
    COMP_WORDS=(headgate-server "$@"); COMP_CWORD=$#; COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}
    \${f:=$(complete -p headgate-server | sed 's/.*-F \\([^ ]*\\).*/\\1/')} \\
      headgate-server "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync("bash", ["--norc", "-c", program, "bash", ...words], { cwd: directory, encoding: "utf8" })
  return output.split("\n").filter((line) => line !== "")
}

describe("headgate-server --completions", () => {
  it.live("bash: knows flags of every command, their values, files and directories", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      writeFileSync(join(directory, "script"), (yield* operate("--completions", "bash")).stdout)
      writeFileSync(join(directory, "state.json"), "{}")
      mkdirSync(join(directory, "store"))
      for (const [words, expected] of [
        [["key", "cr"], ["create"]],
        [["key", "list", "--log-l"], ["--log-level"]],
        [["--log-level", "deb"], ["debug"]],
        [
          ["--dialect", ""],
          ["neutral", "clickhouse"]
        ],
        [["key", "create", "--role", "dev"], ["developer"]],
        [["--import", "sta"], ["state.json"]],
        [["--data", "st"], ["store"]],
        [["key", "list", "--data", "st"], ["store"]],
        [["import", "sta"], ["state.json"]]
      ] as const) {
        assert.deepStrictEqual(complete(directory, words), [...expected], words.join(" "))
      }
    }).pipe(Effect.scoped)
  )

  it.live("offers paths for every flag that is a file or a directory", () =>
    Effect.gen(function* () {
      const help = (yield* operate("--help")).stdout
      const { stdout: fish } = yield* operate("--completions", "fish")
      const names = Array.from(help.matchAll(/--([a-z-]+) <?(?:file\.\w+|directory)/g), ([, name]) => name)
      assert.isAtLeast(names.length, 6)
      for (const name of names) assert.match(fish, new RegExp(`-l ${name} .*(-F|__fish_complete_directories)`))
    })
  )
})
