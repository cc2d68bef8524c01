import { escapeIdentifier } from "pg"

/** A name as an identifier of SQL, whatever characters it holds. */
export const quoteIdentifier = (name: string): string => escapeIdentifier(name)

/** A text as a string literal of SQL, in a session with `standard_conforming_strings`. */
export const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A table as statements and messages name it. */
export const quoteTable = ({ schema, table }: { readonly schema: string; readonly table: string }): string =>
  `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`
