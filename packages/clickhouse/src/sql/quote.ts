// In back-quoted identifiers and in strings the engine reads a backslash as the start of an escape.

/** A name as an identifier of SQL, whatever characters it holds. */
export const quoteIdentifier = (name: string): string => `\`${name.replace(/[\\`]/g, "\\$&")}\``

/** A text as a string literal of SQL. The embedded engine takes a statement only up to a NUL. */
export const quoteString = (text: string): string => `'${text.replace(/[\\']/g, "\\$&").replaceAll("\0", "\\0")}'`

/** A table as statements name it. */
export const quoteTable = (database: string, table: string): string =>
  `${quoteIdentifier(database)}.${quoteIdentifier(table)}`
