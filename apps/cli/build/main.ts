// Writes what is made from the help pages of all commands: dist/help.json has them by their words, for `--help`, which
// loads no commands; dist/completions.json the commands for `complete`, which loads none either; dist/headgate.1 is the man page, and dist/commands.md the reference that docs/commands.md must equal.
import { type HelpPage, plainStyle } from "@headgate/command-line"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import packageJson from "../package.json" with { type: "json" }
import { program } from "../src/program.ts"
import { commandReference } from "./commandReference.ts"
import { completionTable } from "./completionTable.ts"
import { manPage } from "./manPage.ts"

const pageOf = (words: ReadonlyArray<string>): Promise<HelpPage> =>
  new Promise((resolve, reject) => {
    const help = (page: HelpPage) => {
      resolve(page)
      return ""
    }
    const quiet = { ...globalThis.console, log: () => {}, error: (text: unknown) => reject(new Error(String(text))) }
    program({ args: [...words, "--help"], version: "", stdout: plainStyle, stderr: plainStyle, help })
      .pipe(Effect.provideService(Console.Console, quiet), Effect.provide(NodeStdio.layer), Effect.runPromise)
      .catch(reject)
  })

const pagesOf = async (words: ReadonlyArray<string>): Promise<ReadonlyArray<readonly [string, HelpPage]>> => {
  const page = await pageOf(words)
  const below: Array<readonly [string, HelpPage]> = []
  for (const [name = ""] of page.commands) below.push(...(await pagesOf([...words, name])))
  return [[words.join(" "), page], ...below]
}

const pages = await pagesOf([])
const json = JSON.stringify(Object.fromEntries(pages))
// The renderer counts characters, not the columns of a terminal.
const [other] = /[^\x20-\x7e]/.exec(json) ?? []
if (other !== undefined) throw new Error(`help pages are ASCII, and hold no ${JSON.stringify(other)}`)

const writeDist = (name: string, text: string) => writeFileSync(new URL(`../dist/${name}`, import.meta.url), text)
const all = pages.map(([, page]) => page)
writeDist("help.json", json)
writeDist("completions.json", JSON.stringify(await completionTable()))
writeDist("headgate.1", manPage(all, packageJson.version))
writeDist("commands.md", commandReference(all))
