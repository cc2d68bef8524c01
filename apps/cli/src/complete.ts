// Answers `complete`, which the completion scripts run at each Tab, and `completion`, which prints them. bin/headgate.mjs loads
// this file for them: it reads the commands from a file that the build has stored, and loads none of them.
import { readFileSync } from "node:fs"
import type { CommandTable } from "./completion/CommandTable.ts"
import { completeWord, completionText } from "./completion/completeWord.ts"
import { scripts, shells } from "./completion/scripts.ts"
import { printText } from "./output/printText.ts"

const readTable = (): CommandTable => JSON.parse(readFileSync(new URL("completions.json", import.meta.url), "utf8"))

/** The words of stdin, a line each. The last is completed. */
const readWords = (): ReadonlyArray<string> =>
  readFileSync(0, "utf8")
    .replace(/\r?\n$/, "")
    .split(/\r?\n/)

/** Answers `complete`, and `completion` with a shell. Returns whether it was one of them. */
export const answer = (args: ReadonlyArray<string>): boolean => {
  const [command, word, ...more] = args
  if (command === "complete" && word === undefined) {
    const words = readWords()
    printText(completionText(completeWord(readTable(), words), words.at(-1) ?? ""))
    return true
  }
  const shell = shells.find((shell) => shell === word)
  if (command !== "completion" || shell === undefined || more.length > 0) return false
  printText(scripts[shell])
  return true
}
