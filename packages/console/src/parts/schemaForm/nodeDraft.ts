import { isFields } from "../../format/fields.ts"
import { inputNumber, parseNumber } from "../../format/parseNumber.ts"
import type { FormNode, UnionNode, ValueNode } from "./schemaNode.ts"

/** What stands in the controls of a form: texts, in the shape of the value. What is absent is empty. */
export type NodeDraft = string | ReadonlyArray<NodeDraft> | { readonly [name: string]: NodeDraft } | undefined

/** The drafts of the members of an object. */
export const draftMembers = (draft: NodeDraft): { readonly [name: string]: NodeDraft } =>
  typeof draft === "object" && !Array.isArray(draft) ? (draft as { readonly [name: string]: NodeDraft }) : {}

/** The drafts of the items of a list. */
export const draftItems = (draft: NodeDraft): ReadonlyArray<NodeDraft> => (Array.isArray(draft) ? draft : [])

/** The text of a control. */
export const draftText = (draft: NodeDraft): string => (typeof draft === "string" ? draft : "")

/** The variant that a draft has chosen; `undefined` if none is. */
export const variantIn = ({ variants }: UnionNode, draft: NodeDraft) => {
  const text = draftText(draftMembers(draft)["variant"])
  return text === "" ? undefined : variants[Number(text)]
}

/** The draft of a present value. */
export const draftOfValue = (node: FormNode, value: unknown, language: string): NodeDraft => {
  if (value === undefined || value === null) return undefined
  switch (node.kind) {
    case "value":
      return typeof value === "number" ? inputNumber(value, language) : String(value)
    case "json":
      return JSON.stringify(value, undefined, 2)
    case "list":
      return Array.isArray(value) ? value.map((item) => draftOfValue(node.item, item, language)) : undefined
    case "object": {
      const fields = isFields(value) ? value : {}
      return Object.fromEntries(
        node.members.map((member) => [member.name, draftOfValue(member.node, fields[member.name], language)])
      )
    }
    case "union": {
      const fields = isFields(value) ? value : {}
      const index = node.variants.findIndex(({ constants }) =>
        Object.entries(constants).every(([name, constant]) => fields[name] === constant)
      )
      const variant = node.variants[index]
      return variant === undefined
        ? undefined
        : { variant: String(index), value: draftOfValue(variant.node, value, language) }
    }
  }
}

/** A value that was typed, and what is wrong with it, by the path of each field. */
export interface ReadNode {
  readonly value: unknown
  readonly errors: Readonly<Record<string, string>>
}

/** Reads one value; the draft is not empty. */
export const readText = (
  node: Pick<ValueNode, "type"> & { readonly least?: number | undefined; readonly most?: number | undefined },
  text: string,
  language: string
): { readonly value: unknown } | { readonly error: string } => {
  if (node.type === "boolean") return { value: text === "true" }
  if (node.type === "choice" || node.type === "text") return { value: text }
  const value = parseNumber(text, language)
  if (value === undefined) return { error: "Enter a number." }
  if (node.type === "integer" && !Number.isSafeInteger(value)) return { error: "Enter a whole number." }
  const { least = -Infinity, most = Infinity } = node
  if (value < least || value > most) return { error: "The number is out of bounds." }
  return { value }
}

const readJson = (text: string): { readonly value: unknown } | { readonly error: string } => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { error: "Enter JSON." }
  }
}

/** The path of a field below another. */
export const below = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`)

const isEmpty = (draft: NodeDraft): boolean => {
  if (Array.isArray(draft)) return draft.length === 0
  return typeof draft === "object" ? Object.values(draft).every(isEmpty) : draftText(draft).trim() === ""
}

const merged = (parts: ReadonlyArray<ReadNode>): ReadNode["errors"] =>
  Object.assign({}, ...parts.map(({ errors }) => errors))

const readMembers = (
  members: ReadonlyArray<{ readonly name: string; readonly node: FormNode; readonly isRequired: boolean }>,
  draft: NodeDraft,
  path: string,
  language: string
): ReadNode => {
  const drafts = draftMembers(draft)
  const parts = members.map(({ isRequired, name, node }) => ({
    name,
    ...readNode(node, drafts[name], below(path, name), isRequired, language)
  }))
  return {
    value: Object.fromEntries(parts.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value])),
    errors: merged(parts)
  }
}

/**
 * Reads what was typed. What is empty is left out, and wrong if it is required; an empty item of a list is no value either. `path` is that
 * of the node, as a message of the server has it: `source.postgres.tableMappings[0].targetTable`.
 */
export const readNode = (
  node: FormNode,
  draft: NodeDraft,
  path: string,
  isRequired: boolean,
  language: string
): ReadNode => {
  if (isEmpty(draft) && !(isRequired && node.kind === "object"))
    return { value: undefined, errors: isRequired ? { [path]: "Enter a value." } : {} }
  switch (node.kind) {
    case "value":
    case "json": {
      // A secret may begin or end with a space.
      const text = node.kind === "value" && node.isSecret ? draftText(draft) : draftText(draft).trim()
      const read = node.kind === "json" ? readJson(text) : readText(node, text, language)
      return "error" in read ? { value: undefined, errors: { [path]: read.error } } : { value: read.value, errors: {} }
    }
    case "list": {
      const items = draftItems(draft).map((item, index) =>
        readNode(node.item, item, `${path}[${index}]`, true, language)
      )
      return { value: items.map(({ value }) => value), errors: merged(items) }
    }
    case "object":
      return readMembers(node.members, draft, path, language)
    case "union": {
      const variant = variantIn(node, draft)
      if (variant === undefined) return { value: undefined, errors: { [path]: "Choose one." } }
      const read = readMembers(variant.node.members, draftMembers(draft)["value"], path, language)
      return { value: { ...variant.constants, ...Object(read.value) }, errors: read.errors }
    }
  }
}

/** The nodes directly below a node, by the next part of a path. */
const childOf = (node: FormNode, draft: NodeDraft, part: string): { node: FormNode; draft: NodeDraft } | undefined => {
  if (node.kind === "list") {
    const items = draftItems(draft)
    return Number(part) < items.length ? { node: node.item, draft: items[Number(part)] } : undefined
  }
  const inside = node.kind === "union" ? variantIn(node, draft)?.node : node
  if (inside?.kind !== "object") return undefined
  const member = inside.members.find(({ name }) => name === part)
  const drafts = draftMembers(node.kind === "union" ? draftMembers(draft)["value"] : draft)
  return member === undefined ? undefined : { node: member.node, draft: drafts[part] }
}

/** The path of the field that shows an error: that of the error, or of what is nearest above it. `undefined` if it is outside of the form. */
export const shownPath = (root: FormNode, draft: NodeDraft, rootPath: string, path: string): string | undefined => {
  const parts = path.replaceAll(/\[(\w+)\]/g, ".$1").split(".")
  const start = rootPath === "" ? [] : rootPath.split(".")
  if (start.some((part, index) => parts[index] !== part)) return undefined
  let at: { node: FormNode; draft: NodeDraft } = { node: root, draft }
  let shown = rootPath
  for (const part of parts.slice(start.length)) {
    const child = childOf(at.node, at.draft, part)
    if (child === undefined) break
    shown = at.node.kind === "list" ? `${shown}[${part}]` : below(shown, part)
    at = child
  }
  return shown
}

/** The errors of a server at the fields that show them; those outside of the form are left out. */
export const shownErrors = (
  root: FormNode,
  draft: NodeDraft,
  rootPath: string,
  errors: Readonly<Record<string, string>>
): Readonly<Record<string, string>> => {
  const shown: Record<string, string> = {}
  for (const [path, message] of Object.entries(errors)) {
    const at = shownPath(root, draft, rootPath, path)
    if (at !== undefined) shown[at] = shown[at] === undefined ? message : `${shown[at]}; ${message}`
  }
  return shown
}

/** The items of a list with one of them moved to another place. */
export const movedItem = (items: ReadonlyArray<NodeDraft>, from: number, to: number): ReadonlyArray<NodeDraft> => {
  const rest = items.toSpliced(from, 1)
  return rest.toSpliced(to, 0, items[from])
}

const isSame = (one: NodeDraft, other: NodeDraft): boolean => JSON.stringify(one ?? "") === JSON.stringify(other ?? "")

/** What was typed into a form of `before`, with the value of `after` in each field that was not touched. */
export const mergedDraft = (before: NodeDraft, typed: NodeDraft, after: NodeDraft): NodeDraft => {
  const [old, own] = [draftMembers(before), draftMembers(typed)]
  const untouched = Object.entries(draftMembers(after)).filter(([name]) => isSame(old[name], own[name]))
  return { ...own, ...Object.fromEntries(untouched) }
}
