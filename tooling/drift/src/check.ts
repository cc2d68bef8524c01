import * as RegExp from "effect/RegExp"
import { differences } from "./differences.ts"
import type { Fact } from "./facts.ts"
import type { KnownDifferences } from "./knownDifferences.ts"
import { type OpenApi, unnamed } from "./OpenApi.ts"
import type { UnservedPath } from "./unserved.ts"

/** A text of which `*` stands for any other, as an expression. */
const expression = (pattern: string) =>
  new globalThis.RegExp(`^${pattern.split("*").map(RegExp.escape).join(".*")}$`, "u")

/** Whether a path is another or below it. */
const isBelow = (path: string, above: string) => `${unnamed(path)}/`.startsWith(`${unnamed(above)}/`)

/** What is wrong with the list of paths that are not served. */
export const unservedFaults = (
  published: ReadonlyArray<OpenApi>,
  ours: OpenApi,
  list: ReadonlyArray<UnservedPath>
): ReadonlyArray<string> => {
  const others = published.flatMap((document) => document["x-other-paths"] ?? [])
  const served = Object.keys(ours.paths)
  const isServed = (path: string) => served.some((one) => unnamed(one) === unnamed(path))
  const missing = others.filter((path) => !isServed(path) && !list.some((unserved) => isBelow(path, unserved.path)))
  return [
    ...missing.map((path) => `published, not served and not listed in unserved.ts: ${path}`),
    ...list.flatMap(({ isUnpublished = false, path }) => [
      ...(others.some((other) => isBelow(other, path)) === isUnpublished
        ? [`listed in unserved.ts as ${isUnpublished ? "unpublished, but published" : "published, but not"}: ${path}`]
        : []),
      ...served.filter((one) => isBelow(one, path)).map((one) => `listed in unserved.ts, but served: ${one}`)
    ])
  ]
}

/** The differences that are not known, and the known ones that are none. */
export const differenceFaults = (
  published: ReadonlyArray<OpenApi>,
  ours: OpenApi,
  known: ReadonlyArray<KnownDifferences>,
  ruled?: (operation: string, facts: ReadonlyArray<Fact>) => ReadonlyArray<Fact>
): ReadonlyArray<string> => {
  const found = published.flatMap((document) => differences(document, ours, ruled))
  const patterns = known.flatMap((group) => group.differences.map((text) => ({ text, matches: expression(text) })))
  return [
    ...found
      .filter((difference) => !patterns.some(({ matches }) => matches.test(difference)))
      .map((difference) => `differs: ${difference}`),
    ...patterns
      .filter(({ matches }) => !found.some((difference) => matches.test(difference)))
      .map(({ text }) => `listed in knownDifferences.ts, but no difference: ${text}`)
  ]
}
