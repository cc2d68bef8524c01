import * as Effect from "effect/Effect"
import type { ChangeSourceUnderTest, LawChange } from "../src/laws/index.ts"
import { type MemoryChange, MemoryChangeSource } from "../src/memory/index.ts"

const table = "users"

const escapes: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" }

/** A text as a field of TSV. */
const field = (text: string | null): string =>
  text === null ? String.raw`\N` : text.replaceAll(/[\t\n\r\\]/g, (each) => escapes[each] ?? each)

const changesOf = (change: LawChange): ReadonlyArray<MemoryChange> => {
  switch (change[0]) {
    case "put":
      return [{ table, put: `${change[1]}\t${field(change[2])}` }]
    case "move":
      return [
        { table, remove: String(change[1]) },
        { table, put: `${change[2]}\t${field(change[3])}` }
      ]
    case "remove":
      return [{ table, remove: String(change[1]) }]
    case "truncate":
      return [{ table, truncate: true }]
    case "rejected":
      return [{ table, rejected: String(change[1]), row: { content: new Uint8Array([1]), reason: "it is too large" } }]
  }
}

/** The source in memory, as its laws need it. */
export const memoryChangeSource: Effect.Effect<ChangeSourceUnderTest> = Effect.sync(() => {
  const columns = [
    { name: "id", type: "Int32" },
    { name: "text", type: "Nullable(String)" }
  ]
  const memory = MemoryChangeSource.make({
    tables: [{ name: table, target: table, columns, key: ["id"] }],
    rowsPerPart: 10
  })
  return {
    source: memory.source,
    commit: (...changes) => memory.commit(...changes.flatMap(changesOf)),
    remake: memory.remake(table),
    otherIdentity: MemoryChangeSource.make({ tables: [], identity: "another" }).source.identity
  }
})
