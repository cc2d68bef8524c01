import { LineCounter, parseDocument } from "yaml"

// An alias repeats a part of the document: many of them would make it huge.
const maxAliases = 100

/** A YAML document and its value. Throws an error whose message says what is wrong with the text. */
export const parseYaml = (text: string) => {
  const lines = new LineCounter()
  // Without an excerpt of the text, in which a secret may be.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem !== undefined) {
    const { col, line } = lines.linePos(problem.pos[0])
    // The message of the parser names a function of its own.
    const message =
      problem.code === "MULTIPLE_DOCS" ? "it holds several documents, and one is expected" : problem.message
    throw new Error(`${message} at line ${line}, column ${col}`)
  }
  const value: unknown = document.toJS({ maxAliasCount: maxAliases })
  return { document, value }
}
