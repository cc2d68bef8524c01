import type { HelpPage } from "@headgate/command-line"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { commandReference } from "../build/commandReference.ts"
import { manPage } from "../build/manPage.ts"

const dist = join(import.meta.dirname, "../dist")
const pages: Readonly<Record<string, HelpPage>> = JSON.parse(readFileSync(join(dist, "help.json"), "utf8"))

const isInstalled = spawnSync("groff", ["--version"]).status === 0
if (!isInstalled) console.error("\nSKIPPED: groff is not installed (apt-get install groff-base)\n")

/** What `man` shows, with any warning of groff as an error. */
const rendered = (page: string): string => {
  const { stderr, stdout } = spawnSync("groff", ["-man", "-ww", "-Tascii", "-P-cbou", "-rLL=200n"], {
    input: page,
    encoding: "utf8"
  })
  assert.strictEqual(stderr, "")
  return stdout
}

const empty = { commands: [], arguments: [], flags: [], globalFlags: [], sections: [], examples: [], closing: "" }

describe.skipIf(!isInstalled)("the man page", () => {
  it("has every command with its flags, and what all commands share", () => {
    const words = rendered(readFileSync(join(dist, "headgate.1"), "utf8"))
      .split(/\s+/)
      .join(" ")
    for (const page of Object.values(pages).filter(({ commands }) => commands.length === 0)) {
      assert.include(words, `${page.path.join(" ")} ${page.description}`)
      for (const [flag = "", description = ""] of page.flags) assert.include(words, `${flag} ${description}`)
      for (const { command } of page.examples) assert.include(words, command)
    }
    for (const part of ["GLOBAL FLAGS --json", "ENVIRONMENT", "HEADGATE_URL --url", "EXIT CODES 0 Done"]) {
      assert.include(words, part)
    }
  })

  it("shows any text as it is", () => {
    const text = ".so \\fB `x` 'y' \"z\" ^ ~ --flag"
    const root = { ...empty, path: ["p"], description: "A program", usage: "p" }
    const verb = { ...empty, path: ["p", "v"], description: text, usage: text, flags: [[text, text]] }
    const shown = rendered(manPage([root, { ...verb, examples: [{ command: text }] }], "1"))
    assert.strictEqual(shown.split(text).length - 1, 5)
  })
})

describe("the command reference", () => {
  it("shows any text as it is, in tables, too", () => {
    const root = { ...empty, path: ["p"], description: "A program", usage: "p" }
    const flags = [["--file text|-", "<file> or *|*"]]
    const lines = commandReference([root, { ...empty, path: ["p", "v"], description: "Verb", usage: "p v", flags }])
    assert.include(lines, "| `--file text\\|-` | \\<file\\> or \\*\\|\\* |")
  })
})

describe("npm", () => {
  it("packs the man page that package.json names", () => {
    const folder = join(import.meta.dirname, "..")
    const { files, man } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    assert.include(files, man.replace("./", ""))
    assert.match(readFileSync(join(folder, man), "utf8"), /^\.TH "HEADGATE" "1"/)
  })
})
