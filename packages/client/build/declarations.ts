import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Node, parseSync, Visitor } from "oxc-parser"
import type { DataTypes } from "./DataTypes.ts"

/** A declaration of a file: its text without `export`, and the names in it. */
interface Declaration {
  readonly doc: string
  readonly text: string
  readonly names: ReadonlySet<string>
  /** Whether it declares a type, which may have the name of a value: that of its schema. */
  readonly isType: boolean
}

/** A declaration file of the compiler. */
interface DeclarationFile {
  /** Where each imported name comes from. */
  readonly imports: ReadonlyMap<string, { readonly from: string; readonly name: string }>
  /** Overloads are declared several times. */
  readonly declarations: ReadonlyMap<string, ReadonlyArray<Declaration>>
  /** The exported names: those that are types alone, too. */
  readonly exports: ReadonlyMap<string, { readonly isType: boolean }>
}

/** The names that a declaration refers to: of types, of base classes, and of values whose type it has. */
const namesIn = (node: Node): ReadonlySet<string> => {
  const names = new Set<string>()
  const add = (reference: Node | null) => {
    if (reference === null) return
    if (reference.type === "Identifier") names.add(reference.name)
    if (reference.type === "TSQualifiedName") add(reference.left)
  }
  const visitor = new Visitor({
    TSTypeReference: ({ typeName }) => add(typeName),
    TSTypeQuery: ({ exprName }) => add(exprName),
    TSInterfaceHeritage: ({ expression }) => add(expression),
    ClassDeclaration: ({ superClass }) => add(superClass),
    TSPropertySignature: ({ computed, key }) => (computed ? add(key) : undefined)
  })
  // A visitor starts at a program.
  visitor.visit({ type: "Program", body: [node], sourceType: "module", hashbang: null, start: 0, end: 0 } as never)
  return names
}

/** The declarations of the module that a file names. */
const declarationsOf = (specifier: string, path: string) => join(dirname(path), specifier.replace(/\.ts$/, ".d.ts"))

const readDeclarations = (path: string): DeclarationFile => {
  const source = readFileSync(path, "utf8")
  const { comments, errors, module, program } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const imports = new Map<string, { readonly from: string; readonly name: string }>()
  const exports = new Map<string, { readonly isType: boolean }>()
  for (const { entries, moduleRequest } of module.staticImports) {
    for (const { importName, localName } of entries) {
      imports.set(localName.value, { from: moduleRequest.value, name: importName.name ?? "*" })
    }
  }
  for (const { entries } of module.staticExports) {
    for (const { exportName, importName, isType, moduleRequest } of entries) {
      if (exportName.name === null) {
        // `export *`: the names of that file.
        const from = moduleRequest?.value ?? ""
        for (const [name, exported] of readDeclarations(declarationsOf(from, path)).exports) {
          exports.set(name, exported)
          imports.set(name, { from, name })
        }
        continue
      }
      exports.set(exportName.name, { isType })
      if (moduleRequest !== null) {
        imports.set(exportName.name, { from: moduleRequest.value, name: importName.name ?? exportName.name })
      }
    }
  }
  const declarations = new Map<string, Array<Declaration>>()
  for (const statement of program.body) {
    const node =
      statement.type === "ExportNamedDeclaration" && statement.declaration !== null ? statement.declaration : statement
    const name =
      node.type === "VariableDeclaration"
        ? node.declarations[0]?.id
        : "id" in node && node.id !== null && "name" in node.id
          ? node.id
          : undefined
    if (name === undefined || name.type !== "Identifier") continue
    const comment = comments.findLast(
      ({ end, value }) =>
        value.startsWith("*") && end <= statement.start && source.slice(end, statement.start).trim() === ""
    )
    const declaration = {
      doc: comment === undefined ? "" : `${source.slice(comment.start, comment.end)}\n`,
      text: source.slice(node.start, node.end),
      names: namesIn(node),
      isType: node.type === "TSTypeAliasDeclaration" || node.type === "TSInterfaceDeclaration"
    }
    declarations.set(name.name, [...(declarations.get(name.name) ?? []), declaration])
  }
  return { imports, declarations, exports }
}

/** An entry point whose declarations others import. */
export interface Shared {
  /** The specifier that they import it by. */
  readonly specifier: string
  /** The file that declares each exported name. */
  readonly exports: ReadonlyMap<string, string>
}

/** The declarations of an entry point in one file. */
export interface EntryDeclarations {
  readonly text: string
  /** The names that are types alone, and those of values. */
  readonly types: ReadonlyArray<string>
  readonly values: ReadonlyArray<string>
  readonly exports: ReadonlyMap<string, string>
}

/**
 * Collects the declarations that an entry point of the compiler's output needs into one file without imports of other
 * packages. A name that `types` knows is declared from its schema.
 */
export const collectDeclarations = (entry: string, types: DataTypes, shared?: Shared): EntryDeclarations => {
  const files = new Map<string, DeclarationFile>()
  const fileAt = (path: string) => {
    const known = files.get(path) ?? readDeclarations(path)
    files.set(path, known)
    return known
  }
  const written = new Map<string, { readonly from: string; readonly text: string }>()
  const imported = new Set<string>()
  /** The file that declares a name that a file has. */
  const originOf = (name: string, path: string): string => {
    const from = fileAt(path).imports.get(name)?.from
    return from === undefined ? path : originOf(name, declarationsOf(from, path))
  }

  /** Declares the interfaces that a text names. */
  const addTypesIn = (text: string) => {
    for (const [name] of text.replaceAll(/\/\*\*[^]*?\*\/|"[^"]*"/g, "").matchAll(/\b[A-Z]\w*/g)) {
      if (written.has(name) || imported.has(name)) continue
      if (shared?.exports.has(name)) {
        imported.add(name)
        continue
      }
      const declaration = types.declare(name)
      if (declaration === undefined) continue
      written.set(name, { from: "schemas", text: declaration })
      addTypesIn(declaration)
    }
  }

  const add = (name: string, path: string): void => {
    const { declarations, imports } = fileAt(path)
    const source = imports.get(name)
    if (source !== undefined) {
      if (!source.from.startsWith(".")) throw new Error(`${path} names ${name} of ${source.from}, which no user has`)
      if (source.name !== name) throw new Error(`${path} imports ${source.name} by another name, ${name}`)
      add(name, declarationsOf(source.from, path))
      return
    }
    const found = declarations.get(name)
    if (found === undefined) return
    if (shared?.exports.get(name) === path) {
      imported.add(name)
      return
    }
    const known = written.get(name)
    if (known !== undefined && known.from !== "schemas") {
      if (known.from !== path) throw new Error(`${path} and ${known.from} both declare ${name}`)
      return
    }
    // Another type may have named it before, without its doc comment.
    const schema = types.declare(name, found.find(({ isType }) => isType)?.doc)
    if (schema !== undefined) {
      written.set(name, { from: "schemas", text: schema })
      addTypesIn(schema)
      return
    }
    // An overload without a doc comment has that of the first: an editor shows each by itself.
    const text = found.map(
      ({ doc, text }) =>
        (doc === "" ? (found[0]?.doc ?? "") : doc) +
        text.replace(/^(declare )?(?=const|let|function|class|abstract)/, "declare ")
    )
    written.set(name, { from: path, text: text.join("\n") })
    for (const one of found) for (const used of one.names) if (used !== name) add(used, path)
  }

  const exports = new Map([...fileAt(entry).exports.keys()].map((name) => [name, originOf(name, entry)]))
  const isPassedOn = (name: string) => shared?.exports.get(name) === exports.get(name)
  const own = [...exports.keys()].filter((name) => !isPassedOn(name))
  const passedOn = [...exports.keys()].filter(isPassedOn)
  for (const name of own) add(name, entry)
  const isType = (name: string) => fileAt(entry).exports.get(name)?.isType === true
  const clause = (names: ReadonlyArray<string>) =>
    names.map((name) => `  ${isType(name) ? "type " : ""}${name}`).join(",\n")
  const used =
    imported.size === 0 ? "" : `import type { ${[...imported].toSorted().join(", ")} } from "${shared?.specifier}"\n\n`
  const others = passedOn.length === 0 ? "" : `\nexport {\n${clause(passedOn)}\n} from "${shared?.specifier}"\n`
  const names = [...exports.keys()]
  return {
    types: names.filter(isType),
    values: names.filter((name) => !isType(name)),
    text: `${used}${[...written.values()].map(({ text }) => text).join("\n\n")}\n\nexport {\n${clause(own)}\n}\n${others}`,
    exports
  }
}

/**
 * Writes the declarations of an entry point for a program of CommonJS, which gets the same module by `require`: TypeScript refuses
 * those of an ES module there. `file` has the declarations for ES modules, `client` the text of all classes.
 */
export const forRequire = (file: string, { types, values }: EntryDeclarations, client: string): string => {
  const mode = `with { "resolution-mode": "import" }`
  const isClass = (name: string) => new RegExp(`^declare (?:abstract )?class ${name}\\b`, "m").test(client)
  return [
    `import type * as module from "./${file}.js" ${mode}`,
    "",
    ...values.flatMap((name) => [
      `export declare const ${name}: typeof module.${name}`,
      ...(isClass(name) ? [`export type ${name} = module.${name}`] : [])
    ]),
    `export type { ${types.join(", ")} } from "./${file}.js" ${mode}`,
    ""
  ].join("\n")
}
