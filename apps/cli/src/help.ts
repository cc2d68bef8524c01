// Answers `--version` and `--help` from the pages that the build has stored. bin/headgate.mjs loads this file for them:
// main.mjs, which can answer them too, takes four times as long to load.
import { type HelpPage, renderHelp, styleOf } from "@headgate/command-line/help"
import { readFileSync } from "node:fs"

// Defined by the build, from package.json.
declare const HEADGATE_VERSION: string

const readPages = (): Readonly<Record<string, HelpPage>> =>
  JSON.parse(readFileSync(new URL("help.json", import.meta.url), "utf8"))

const write = (text: string): void => {
  process.stdout.once("error", ({ code, message }: NodeJS.ErrnoException) => {
    // `head` has read what it wants.
    if (code === "EPIPE") return
    const { failure } = styleOf(process.stderr)
    process.stderr.write(`${failure("error:")} The output could not be written: ${message}.\n`)
    process.exitCode = 1
  })
  process.stdout.write(`${text}\n`)
}

/** Answers a command line that is the words of a command and `--help`, or `--version` alone. Returns whether it was one. */
export const answer = (args: ReadonlyArray<string>): boolean => {
  const flag = args.at(-1)
  if (args.length === 1 && (flag === "--version" || flag === "-v")) {
    write(`headgate ${HEADGATE_VERSION}`)
    return true
  }
  if (flag !== "--help" && flag !== "-h") return false
  const page = new Map(Object.entries(readPages())).get(args.slice(0, -1).join(" "))
  if (page === undefined) return false
  write(renderHelp(page, styleOf(process.stdout)))
  return true
}
