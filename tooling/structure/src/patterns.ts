import { parseSync, Visitor } from "oxc-parser"
import { checkSync } from "recheck"
import { lineOf, type Source } from "./Source.ts"

/** A regular expression of a source file. */
export interface Pattern {
  readonly file: string
  readonly line: number
  readonly source: string
  readonly flags: string
}

/** Every literal of a regular expression, and each one that is made of a literal text. */
export const patternsIn = ({ path, text }: Source): ReadonlyArray<Pattern> => {
  const found: Array<Pattern> = []
  const add = (source: string, flags: string, offset: number) =>
    found.push({ file: path, line: lineOf(text, offset), source, flags })
  new Visitor({
    Literal: (node) => {
      if ("regex" in node) add(node.regex.pattern, node.regex.flags, node.start)
    },
    NewExpression: ({ arguments: [source, flags], callee, start }) => {
      const isPattern = callee.type === "Identifier" && callee.name === "RegExp"
      if (!isPattern || source?.type !== "Literal" || typeof source.value !== "string") return
      add(source.value, flags?.type === "Literal" ? String(flags.value) : "", start)
    }
  }).visit(parseSync(path, text).program)
  return found
}

/**
 * Patterns whose time grows faster than their input, and why that input is short. Any other must take linear time: one that does not keeps a
 * process from answering anybody, for hours if a caller chooses the text.
 */
export const shortInputs: ReadonlyArray<Pick<Pattern, "file" | "source"> & { readonly why: string }> = [
  {
    file: "apps/cli/src/settings/parseDocument.ts",
    source: /, (?:\.\.\.)?"[^]*"(?:\.\.\.)? is not valid JSON$/.source,
    why: "JSON.parse repeats at most 40 characters of what it was given"
  },
  {
    file: "apps/server/src/chart/queryGrants.ts",
    source: /\((?:`(?:\\.|[^`\\])*`|[^()`])*\)/.source,
    why: "a line of SHOW GRANTS, of the operator's own warehouse"
  },
  {
    file: "apps/server/src/chart/queryGrants.ts",
    source: /^GRANT (.+?)(?: ON (\S+|`.*`\S*))? TO (.*)$/.source,
    why: "a line of SHOW GRANTS, of the operator's own warehouse"
  },
  {
    file: "packages/http-adapter/src/BaseUrl.ts",
    source: /\/+$/.source,
    why: "the path of the URL that the program itself was given"
  },
  {
    file: "packages/http-adapter/src/ErrorAnswer.ts",
    source: /<(script|style)\b[^]*?<\/\1>/.source,
    why: "the first 4096 characters of a page"
  }
]

/** What takes more than linear time, without those of `shortInputs`. The same pattern is judged once. */
export const slowPatterns = (patterns: ReadonlyArray<Pattern>): ReadonlyArray<string> => {
  const judged = new Map<string, string | undefined>()
  const verdictOf = ({ flags, source }: Pattern): string | undefined => {
    const key = `/${source}/${flags}`
    if (!judged.has(key)) {
      const result = checkSync(source, flags, { timeout: 60_000 })
      judged.set(
        key,
        result.status === "vulnerable"
          ? `${result.complexity.summary}, for example of ${result.attack.pattern.slice(0, 80)}`
          : result.status === "unknown"
            ? "it could not be judged"
            : undefined
      )
    }
    return judged.get(key)
  }
  return patterns.flatMap((pattern) => {
    const { file, flags, line, source } = pattern
    if (shortInputs.some((short) => short.file === file && short.source === source)) return []
    const verdict = verdictOf(pattern)
    return verdict === undefined ? [] : [`${file}:${line} /${source}/${flags}: ${verdict}`]
  })
}
