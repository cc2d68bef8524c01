import type { DatabaseSync, StatementSync } from "node:sqlite"

/** Prepared statements by their text; the least recently used one goes when there are more than `capacity`. */
export const makeStatementCache = (db: DatabaseSync, capacity: number): ((text: string) => StatementSync) => {
  // A map remembers the order of insertion: the first is the least recently used.
  const statements = new Map<string, StatementSync>()
  return (text) => {
    const held = statements.get(text)
    const statement = held ?? db.prepare(text)
    statements.delete(text)
    statements.set(text, statement)
    if (statements.size > capacity) {
      for (const oldest of statements.keys()) {
        statements.delete(oldest)
        break
      }
    }
    return statement
  }
}
