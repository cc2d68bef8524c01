import { assert, describe, it } from "vitest"
import { describeShells } from "../../../packages/command-line/test/support/shells.ts"
import { headgateProcess } from "./headgate.ts"

const script = async (shell: string) => (await headgateProcess(["--completions", shell])).stdout

describeShells("headgate", script, (complete) => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["verbs", ["key", "c"], ["create"]],
    ["global flags of a command", ["dashboard", "list", "--dia"], ["--dialect"]],
    ["global flags before a command", ["--org"], ["--organization"]],
    ["values of a global flag", ["pipe", "list", "--dialect", ""], ["clickhouse", "neutral"]],
    ["verbs after a global flag with its value", ["--dialect", "neutral", "key", "c"], ["create"]],
    ["values of a flag", ["key", "create", "--role", "dev"], ["developer"]],
    ["values of --log-level", ["pipe", "list", "--log-level", "deb"], ["debug"]],
    ["files of a flag for a file", ["dashboard", "create", "--file", "err"], ["errors.json"]]
  ])("know %s", (_, words, expected) => {
    assert.deepStrictEqual(complete(...words), expected)
  })
})

describe("completions for PowerShell", () => {
  it("know global flags and their values", async () => {
    const powershell = await script("powershell")
    for (const pattern of [/--dialect/, /clickhouse/]) assert.match(powershell, pattern)
  })
})
