/** What a word may be: one of some values, a path, one of the values that `headgate complete-values <list>` prints, or any text. */
export type Word =
  | ReadonlyArray<string>
  | "text"
  | "file"
  | "directory"
  | {
      readonly list: string
    }

/** A flag. Without `value` it stands alone. */
export interface TableFlag {
  /** `--yes` and `-y`. */
  readonly names: ReadonlyArray<string>
  readonly description: string
  readonly value?: Word
}

/** A command, with what may follow it. */
export interface TableCommand {
  readonly name: string
  readonly description: string
  readonly flags: ReadonlyArray<TableFlag>
  readonly arguments: ReadonlyArray<Word>
  readonly commands: ReadonlyArray<TableCommand>
}

/** All commands as plain data, which the build stores for `headgate complete`. */
export interface CommandTable {
  /** The flags that every command takes. */
  readonly flags: ReadonlyArray<TableFlag>
  readonly root: TableCommand
}
