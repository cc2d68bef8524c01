import { readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { type Comment, type Expression, parseSync, type Statement } from "oxc-parser"

/** `called`: functions, services, layers and objects of them. `data`: schemas, errors (which are schemas) and lists. */
export type Kind = "called" | "data" | "type"

/** One declaration of an exported name. */
export interface Declaration {
  readonly file: string
  readonly line: number
  readonly kind: Kind
  /** The text of its doc block, if there is one. */
  readonly doc: string | undefined
}

interface Declared {
  readonly name: string
  readonly kind: Kind
}

const kindOfValue = (value: Expression | null, text: (node: Expression) => string): Kind => {
  switch (value?.type) {
    case "ArrowFunctionExpression":
    case "FunctionExpression":
    case "ObjectExpression":
      return "called"
    case "CallExpression":
      return /^(Effect\.fn|Layer\.|Context\.|dual\b)/.test(text(value.callee)) ? "called" : "data"
    default:
      return "data"
  }
}

const declaredIn = (node: Statement, text: (node: Expression) => string): ReadonlyArray<Declared> => {
  switch (node.type) {
    case "ExportNamedDeclaration":
      return node.declaration === null ? [] : declaredIn(node.declaration, text)
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id, init }) =>
        id.type === "Identifier" ? [{ name: id.name, kind: kindOfValue(init, text) }] : []
      )
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      return node.id === null ? [] : [{ name: node.id.name, kind: "called" }]
    case "ClassDeclaration": {
      if (node.id === null) return []
      const isSchema = node.superClass !== null && text(node.superClass).startsWith("Schema.")
      return [{ name: node.id.name, kind: isSchema ? "data" : "called" }]
    }
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return [{ name: node.id.name, kind: "type" }]
    default:
      return []
  }
}

const docBefore = (source: string, comments: ReadonlyArray<Comment>, start: number) =>
  comments.find(
    ({ end, type, value }) =>
      type === "Block" && value.startsWith("*") && end <= start && source.slice(end, start).trim() === ""
  )?.value

/** The exports of a source file by name with their declarations. Follows re-exports. */
export const findDeclarations = (root: string, file: string): ReadonlyMap<string, ReadonlyArray<Declaration>> => {
  const source = readFileSync(join(root, file), "utf8")
  const { comments, module, program } = parseSync(file, source)
  const imports = new Map(
    module.staticImports.flatMap(({ entries, moduleRequest }) =>
      entries.map(({ importName, localName }) => [
        localName.value,
        { from: moduleRequest.value, name: importName.name ?? localName.value }
      ])
    )
  )
  const all = (specifier: string) => {
    if (!specifier.startsWith(".")) throw new Error(`${file} exports names of another package, ${specifier}`)
    return findDeclarations(root, posix.join(posix.dirname(file), specifier))
  }
  const elsewhere = (specifier: string, name: string) => all(specifier).get(name) ?? []
  const text = (node: Expression) => source.slice(node.start, node.end)
  const here = (name: string) =>
    program.body.flatMap((node) =>
      declaredIn(node, text)
        .filter((declared) => declared.name === name)
        .map(({ kind }) => ({
          file,
          line: source.slice(0, node.start).split("\n").length,
          kind,
          doc: docBefore(source, comments, node.start)
        }))
    )
  return new Map(
    module.staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ exportName, importName, localName, moduleRequest }) => {
        const name = exportName.name
        if (name === null) return moduleRequest === null ? [] : [...all(moduleRequest.value)]
        if (moduleRequest !== null) return [[name, elsewhere(moduleRequest.value, importName.name ?? name)] as const]
        const local = localName.name ?? name
        const imported = imports.get(local)
        return [[name, imported === undefined ? here(local) : elsewhere(imported.from, imported.name)] as const]
      })
  )
}
