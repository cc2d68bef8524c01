// Answers `--version` and `--help` from the pages that the build has stored. bin/headgate.mjs loads this file for them:
// main.mjs, which can answer them too, takes four times as long to load.
import { type HelpPage, renderHelp, styleOf } from "@headgate/command-line/help"
import { readFileSync } from "node:fs"
import { printText } from "./output/printText.ts"

// Defined by the build, from package.json.
declare const HEADGATE_VERSION: string

const readPages = (): Readonly<Record<string, HelpPage>> =>
  JSON.parse(readFileSync(new URL("help.json", import.meta.url), "utf8"))

/** Answers a command line that is the words of a command and `--help`, or `--version` alone. Returns whether it was one. */
export const answer = (args: ReadonlyArray<string>): boolean => {
  const flag = args.at(-1)
  if (args.length === 1 && (flag === "--version" || flag === "-v")) {
    printText(`headgate ${HEADGATE_VERSION}`)
    return true
  }
  if (flag !== "--help" && flag !== "-h") return false
  const page = new Map(Object.entries(readPages())).get(args.slice(0, -1).join(" "))
  if (page === undefined) return false
  printText(renderHelp(page, styleOf(process.stdout)))
  return true
}
