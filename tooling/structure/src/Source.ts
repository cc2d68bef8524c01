import { parseSync, Visitor } from "oxc-parser"

/** A TypeScript file of the workspace; `path` is relative to the root and has forward slashes. */
export interface Source {
  readonly path: string
  readonly text: string
}

export interface Located {
  readonly line: number
  readonly name: string
}

/** A module that a file names. */
export interface Import extends Located {
  /** Whether nothing of it is left in JavaScript: `import type`, `export type`, `import("..")` as a type. */
  readonly isType: boolean
}

/** What the rules need to know of a file. */
export interface Outline {
  /** Every module it names: import, export from, import(), import("..") as a type, import x = require(). */
  readonly imports: ReadonlyArray<Import>
  /** Modules re-exported with `export *`. */
  readonly starExports: ReadonlyArray<Located>
  /** Where it starts a program: `Layer.launch`, `runMain`. */
  readonly launches: ReadonlyArray<Located>
}

/** The number of the line at an offset. */
export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split("\n").length

// With a `type` before each name, the import itself stays.
const ofTypes = /^(?:import|export)\s+type\b/u

// Only these are not in what the parser says of a module; a tree of each file would take seconds.
const needsTree = /\bimport\s*\(|\brequire\s*\(|\brunMain\b|\blaunch\b|\bexport\s*\{\s*\}/u

const known = new WeakMap<Source, Outline>()

/** The outline of a file, which is read once. */
export const outline = (source: Source): Outline => {
  const found = known.get(source) ?? read(source)
  known.set(source, found)
  return found
}

const read = (source: Source): Outline => {
  const parsed = parseSync(source.path, source.text)
  const { errors, module } = parsed
  if (errors[0] !== undefined) throw new SyntaxError(`${source.path}: ${errors[0].message}`)

  const at = (name: string, offset: number): Located => ({ line: lineOf(source.text, offset), name })
  const starExports: Array<Located> = []
  const launches: Array<Located> = []
  /** By place: an export names its module once for each name. */
  const imports = new Map<number, Import>()
  const imported = (name: string, offset: number, isType: boolean) =>
    imports.set(offset, { ...at(name, offset), isType })
  const isOfTypes = (start: number) => ofTypes.test(source.text.slice(start, start + 40))

  for (const { entries, moduleRequest, start } of module.staticImports) {
    imported(moduleRequest.value, moduleRequest.start, isOfTypes(start))
    for (const { importName } of entries) {
      const { name, start } = importName
      const launch = name === "launch" && moduleRequest.value === "effect/Layer"
      if (launch || name === "runMain") launches.push(at(name, start ?? moduleRequest.start))
    }
  }
  for (const { entries, start } of module.staticExports) {
    for (const { importName, moduleRequest } of entries) {
      if (moduleRequest === null) continue
      imported(moduleRequest.value, moduleRequest.start, isOfTypes(start))
      if (importName.kind.startsWith("All")) starExports.push(at(moduleRequest.value, start))
    }
  }
  if (!needsTree.test(source.text)) return { imports: [...imports.values()], launches, starExports }

  new Visitor({
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) imported(node.source.value, node.source.start, isOfTypes(node.start))
    },
    ImportExpression: (node) => {
      const { source: specifier, start } = node
      const isText = specifier.type === "Literal" && typeof specifier.value === "string"
      imported(isText ? String(specifier.value) : "import(...)", start, false)
    },
    TSImportType: (node) => {
      imported(node.source.value, node.start, true)
    },
    TSExternalModuleReference: (node) => {
      imported(node.expression.value, node.start, false)
    },
    MemberExpression: (node) => {
      if (node.computed || node.property.type !== "Identifier") return
      const onLayer = node.object.type === "Identifier" && node.object.name === "Layer"
      if (node.property.name === "runMain") launches.push(at("runMain", node.property.start))
      if (node.property.name === "launch" && onLayer) launches.push(at("Layer.launch", node.property.start))
    }
  }).visit(parsed.program)

  return { imports: [...imports.values()], launches, starExports }
}
