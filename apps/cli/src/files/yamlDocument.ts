import { type Document, isAlias, isSeq, stringify } from "yaml"
import * as Result from "effect/Result"
import { parseYaml } from "../settings/parseYaml.ts"
import { canonicalJson, isMembers, type Members } from "./members.ts"
import { pairElements } from "./pairElements.ts"

// Files are YAML 1.2, in which the key `y` of a tile needs no quotes. Long texts stay on one line, so that a change of one is a
// change of one line.
const style = { lineWidth: 0 }

export const yamlText = (value: unknown): string => stringify(value, style)

type Path = ReadonlyArray<string | number>

const changeMembers = (document: Document, path: Path, before: Members, after: Members): void => {
  // What a file says is null is absent in the service.
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name) && before[name] !== null) document.deleteIn([...path, name])
  }
  for (const [name, value] of Object.entries(after)) change(document, [...path, name], before[name], value)
}

const changeElements = (
  document: Document,
  path: Path,
  before: ReadonlyArray<unknown>,
  after: ReadonlyArray<unknown>
): void => {
  const list = document.getIn(path, true)
  if (!isSeq(list)) return
  const nodes = [...list.items]
  const pairs = pairElements(before, after)
  list.items = after.map((value, index) => nodes[pairs[index] ?? -1] ?? document.createNode(value))
  for (const [index, value] of after.entries()) {
    const pair = pairs[index]
    if (pair !== undefined) change(document, [...path, index], before[pair], value)
  }
}

/** Changes the nodes that differ, and leaves the others with their comments. */
const change = (document: Document, path: Path, before: unknown, after: unknown): void => {
  if (canonicalJson(before) === canonicalJson(after)) return
  const isAliased = isAlias(document.getIn(path, true))
  if (isMembers(before) && isMembers(after) && !isAliased) return changeMembers(document, path, before, after)
  if (Array.isArray(before) && Array.isArray(after) && !isAliased) return changeElements(document, path, before, after)
  const isScalar = typeof after !== "object"
  document.setIn(path, isScalar && !isAliased ? after : document.createNode(after))
}

/** The text of a YAML document with another value: comments, and what has not changed, stay. */
export const withYamlValue = (text: string, value: unknown): string => {
  const { document, value: before } = parseYaml(text)
  if (!isMembers(before)) return yamlText(value)
  const edited = Result.try(() => {
    change(document, [], before, value)
    return document.toString(style)
  })
  // An alias whose anchor is gone cannot be written.
  return Result.getOrElse(edited, () => yamlText(value))
}
