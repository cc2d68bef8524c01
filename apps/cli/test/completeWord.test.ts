import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import type { CommandTable } from "../src/completion/CommandTable.ts"
import { completeWord, completionText } from "../src/completion/completeWord.ts"
import { headgateProcess } from "./headgate.ts"

const table: CommandTable = {
  flags: [{ names: ["--json"], description: "Print JSON" }],
  root: {
    name: "program",
    description: "",
    flags: [],
    arguments: [],
    commands: [
      {
        name: "pipe",
        description: "Pipes",
        flags: [],
        arguments: [],
        commands: [
          {
            name: "get",
            description: "Show a pipe",
            flags: [
              { names: ["--file", "-f"], description: "A file", value: "file" },
              { names: ["--role"], description: "A role", value: ["admin", "developer"] },
              { names: ["--name"], description: "A name", value: "text" }
            ],
            arguments: [{ list: "pipe" }, ["one", "two"], "directory"],
            commands: []
          }
        ]
      }
    ]
  }
}

const flags = ["--file", "-f", "--role", "--name", "--json"]

describe("the word after", () => {
  it.each<[string, ReadonlyArray<string>, string, string, ReadonlyArray<string>]>([
    ["nothing", [""], "words", "", ["pipe"]],
    ["a noun", ["pipe", ""], "words", "", ["get"]],
    ["a global flag and a noun", ["--json", "pipe", "--json", ""], "words", "", ["get"]],
    ["a verb", ["pipe", "get", ""], "list pipe", "", []],
    ["an argument", ["pipe", "get", "x", ""], "words", "", ["one", "two"]],
    ["two arguments", ["pipe", "get", "x", "one", ""], "directories", "", []],
    ["all arguments", ["pipe", "get", "x", "one", "d", ""], "words", "", []],
    ["a flag with a value, and the value", ["pipe", "get", "--name", "x", ""], "list pipe", "", []],
    ["a flag with a value in its word", ["pipe", "get", "--name=x", ""], "list pipe", "", []],
    ["a flag that waits for a text", ["pipe", "get", "--name", ""], "words", "", []],
    ["a flag that waits for a file", ["pipe", "get", "-f", ""], "files", "", []],
    [
      "a flag that waits, which begins with a dash",
      ["pipe", "get", "--role", "-"],
      "words",
      "",
      ["admin", "developer"]
    ],
    ["a flag and =", ["pipe", "get", "--role=d"], "words", "--role=", ["--role=admin", "--role=developer"]],
    ["a flag for a file and =", ["pipe", "get", "--file=d"], "files", "--file=", []],
    ["a flag that takes no value and =", ["pipe", "get", "--json="], "words", "--json=", []],
    ["a dash", ["pipe", "get", "-"], "words", "", flags],
    ["--", ["pipe", "get", "--", "-"], "list pipe", "", []],
    ["an unknown noun", ["pip", ""], "words", "", []],
    ["an unknown flag", ["pipe", "get", "--nope", ""], "list pipe", "", []]
  ])("%s", (_, words, kind, prefix, expected) => {
    const completion = completeWord(table, words)
    assert.deepStrictEqual([completion.kind, completion.prefix], [kind, prefix])
    assert.deepStrictEqual(
      completion.words.map(([word]) => word),
      expected
    )
  })
})

it("only what begins with what is typed is printed, with its description", () => {
  assert.strictEqual(completionText(completeWord(table, ["pipe", "get", "--j"]), "--j"), "words\n\n--json\tPrint JSON")
  assert.strictEqual(
    completionText(completeWord(table, ["pipe", "get", "--role=a"]), "--role=a"),
    "words\n--role=\n--role=admin"
  )
})

describe("headgate complete", () => {
  const run = (stdin: string) => headgateProcess(["complete"], { stdin })

  it("knows the commands and their flags", async () => {
    assert.match((await run("pipe\nrena\n")).stdout, /^words\n\nrename\tGive a pipe another name/)
    assert.match((await run("--url\nx\nkey\ncreate\n--rol\n")).stdout, /^words\n\n--role\t/)
    assert.strictEqual((await run("pipe\nrename\n\n")).stdout, "list pipe\n\n")
    assert.strictEqual((await run("pipe\ncreate\n--file=o\n")).stdout, "files\n--file=\n")
  })

  it("offers no command that is not for users", () => {
    const stored = readFileSync(join(import.meta.dirname, "../dist/completions.json"), "utf8")
    assert.include(stored, '"name":"completion"')
    assert.notMatch(stored, /"name":"complete(-values)?"/)
  })
})
