import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { headgate } from "./headgate.ts"

const directory = mkdtempSync(join(tmpdir(), "headgate-"))
const script = join(directory, "headgate.bash")
beforeAll(async () => {
  writeFileSync(script, (await headgate(["--completions", "bash"])).stdout)
  writeFileSync(join(directory, "errors.json"), "{}")
})
afterAll(() => rmSync(directory, { recursive: true }))

/** What bash offers after these words, of which the last is not complete. */
const complete = (...words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const program = `
    source "$0"
    COMP_WORDS=(headgate "$@"); COMP_CWORD=$#; COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}
    _headgate headgate "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync("bash", ["--norc", "-c", program, script, ...words], { cwd: directory, encoding: "utf8" })
  return output.split("\n").filter((line) => line !== "")
}

describe("completions in bash", () => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["verbs", ["key", "c"], ["create"]],
    ["global flags of a command", ["dashboard", "list", "--dia"], ["--dialect"]],
    ["global flags before a command", ["--org"], ["--organization"]],
    ["values of a global flag", ["pipe", "list", "--dialect", ""], ["neutral", "clickhouse"]],
    ["verbs after a global flag with its value", ["--dialect", "neutral", "key", "c"], ["create"]],
    ["values of a flag", ["key", "create", "--role", "dev"], ["developer"]],
    ["values of --log-level", ["pipe", "list", "--log-level", "deb"], ["debug"]],
    ["files of a flag for a file", ["dashboard", "create", "--file", "err"], ["errors.json"]]
  ])("know %s", (_, words, expected) => {
    assert.deepStrictEqual(complete(...words), expected)
  })
})

describe("completions for other shells", () => {
  it.each([
    ["zsh", [/--dialect.*\(neutral clickhouse\)/, /--file.*_files/]],
    ["fish", [/-l dialect .*neutral clickhouse/, /-l file .*-F/]],
    ["powershell", [/--dialect/, /clickhouse/]]
  ] as const)("%s: know global flags, their values and files", async (shell, patterns) => {
    const { stdout } = await headgate(["--completions", shell])
    for (const pattern of patterns) assert.match(stdout, pattern)
  })
})
