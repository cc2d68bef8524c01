import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describeShells } from "../../../packages/command-line/test/support/shells.ts"
import { operate } from "./support/processes.ts"

const script = (shell: string) => Effect.runPromise(Effect.map(operate("--completions", shell), ({ stdout }) => stdout))

describeShells({ name: "headgate-server", script }, (complete) => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["verbs", ["key", "cr"], ["create"]],
    ["flags of a command", ["key", "list", "--dat"], ["--data", "--database-url"]],
    ["global flags of a command", ["key", "list", "--log-l"], ["--log-level"]],
    ["values of a global flag", ["--log-level", "deb"], ["debug"]],
    ["values of a flag", ["--dialect", ""], ["clickhouse", "neutral"]],
    ["values of a flag of a command", ["key", "create", "--role", "dev"], ["developer"]],
    ["files of a flag for a file", ["--import", "err"], ["errors.json"]],
    ["files of an argument", ["import", "err"], ["errors.json"]],
    ["directories of a flag for a directory", ["key", "list", "--data", "st"], ["store"]]
  ])("know %s", async (_, words, expected) => {
    assert.deepStrictEqual(await complete(...words), expected)
  })
})

describe("headgate-server --completions", () => {
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
