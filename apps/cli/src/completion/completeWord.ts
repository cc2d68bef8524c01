import type { CommandTable, TableCommand, TableFlag, Word } from "./CommandTable.ts"

/** What may be put in place of the word that is typed. */
export interface Completion {
  /** Whole words, paths, or the values of a list: `list pipe`. */
  readonly kind: "words" | "files" | "directories" | `list ${string}`
  /** What stands before a path or a value of a list in the same word: `--file=`. */
  readonly prefix: string
  readonly words: ReadonlyArray<readonly [word: string, description: string]>
}

/** Where a command line has come to: the command, the arguments that it has, and the flag that waits for its value. */
interface Position {
  readonly command: TableCommand
  readonly arguments: number
  readonly waiting: TableFlag | undefined
  readonly isAfterDashes: boolean
}

const flagNamed = (flags: ReadonlyArray<TableFlag>, word: string): TableFlag | undefined =>
  flags.find(({ names }) => names.includes(word))

const after = ({ flags }: CommandTable, at: Position, word: string): Position => {
  if (at.waiting !== undefined) return { ...at, waiting: undefined }
  if (word === "--" && !at.isAfterDashes) return { ...at, isAfterDashes: true }
  if (word.startsWith("-") && word !== "-" && !at.isAfterDashes) {
    const flag = flagNamed([...at.command.flags, ...flags], word)
    return { ...at, waiting: flag?.value === undefined ? undefined : flag }
  }
  const command = at.command.commands.find(({ name }) => name === word)
  return command === undefined ? { ...at, arguments: at.arguments + 1 } : { ...at, command, arguments: 0 }
}

const ofWord = (word: Word | undefined, prefix: string): Completion => {
  if (word === undefined || word === "text") return { kind: "words", prefix, words: [] }
  if (word === "file") return { kind: "files", prefix, words: [] }
  if (word === "directory") return { kind: "directories", prefix, words: [] }
  if ("list" in word) return { kind: `list ${word.list}`, prefix, words: [] }
  return { kind: "words", prefix, words: word.map((value) => [`${prefix}${value}`, ""] as const) }
}

const ofFlags = (flags: ReadonlyArray<TableFlag>): Completion => ({
  kind: "words",
  prefix: "",
  words: flags.flatMap(({ description, names }) => names.map((name) => [name, description] as const))
})

/** Completes the last of the words of a command line, which follow the name of the program. */
export const completeWord = (table: CommandTable, words: ReadonlyArray<string>): Completion => {
  const typed = words.at(-1) ?? ""
  const start: Position = { command: table.root, arguments: 0, waiting: undefined, isAfterDashes: false }
  const at = words.slice(0, -1).reduce((position, word) => after(table, position, word), start)
  if (at.waiting !== undefined) return ofWord(at.waiting.value, "")
  if (typed.startsWith("-") && !at.isAfterDashes) {
    const flags = [...at.command.flags, ...table.flags]
    const end = typed.indexOf("=")
    return end === -1 ? ofFlags(flags) : ofWord(flagNamed(flags, typed.slice(0, end))?.value, typed.slice(0, end + 1))
  }
  if (at.command.commands.length > 0 && at.arguments === 0) {
    const words = at.command.commands.map(({ description, name }) => [name, description] as const)
    return { kind: "words", prefix: "", words }
  }
  return ofWord(at.command.arguments[at.arguments], "")
}

/** The answer that the scripts read: what is completed, the prefix, and a line for each word that begins with what is typed. */
export const completionText = ({ kind, prefix, words }: Completion, typed: string): string =>
  [
    kind,
    prefix,
    ...words
      .filter(([word]) => word.startsWith(typed))
      .map(([word, description]) => (description === "" ? word : `${word}\t${description}`))
  ].join("\n")
