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

/** What the rules need to know of a file. */
export interface Outline {
  /** Every module it names: import, export from, import(), import("..") as a type, import x = require(). */
  readonly imports: ReadonlyArray<Located>
  /** Modules re-exported with `export *`. */
  readonly starExports: ReadonlyArray<Located>
  /** Where it starts a program: `Layer.launch`, `runMain`. */
  readonly launches: ReadonlyArray<Located>
}

const lineOf = (text: string, offset: number) => text.slice(0, offset).split("\n").length

export const outline = (source: Source): Outline => {
  const { errors, module, program } = parseSync(source.path, source.text)
  if (errors[0] !== undefined) throw new SyntaxError(`${source.path}: ${errors[0].message}`)

  const at = (name: string, offset: number): Located => ({ line: lineOf(source.text, offset), name })
  const imports: Array<Located> = []
  const starExports: Array<Located> = []
  const launches: Array<Located> = []

  for (const { entries, moduleRequest } of module.staticImports) {
    imports.push(at(moduleRequest.value, moduleRequest.start))
    for (const { importName } of entries) {
      const { name, start } = importName
      const launch = name === "launch" && moduleRequest.value === "effect/Layer"
      if (launch || name === "runMain") launches.push(at(name, start ?? moduleRequest.start))
    }
  }
  new Visitor({
    ExportAllDeclaration: (node) => {
      imports.push(at(node.source.value, node.source.start))
      starExports.push(at(node.source.value, node.start))
    },
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) imports.push(at(node.source.value, node.source.start))
    },
    ImportExpression: (node) => {
      const { source: specifier, start } = node
      const known = specifier.type === "Literal" && typeof specifier.value === "string"
      imports.push(at(known ? String(specifier.value) : "import(...)", start))
    },
    TSImportType: (node) => {
      imports.push(at(node.source.value, node.start))
    },
    TSExternalModuleReference: (node) => {
      imports.push(at(node.expression.value, node.start))
    },
    MemberExpression: (node) => {
      if (node.computed || node.property.type !== "Identifier") return
      const onLayer = node.object.type === "Identifier" && node.object.name === "Layer"
      if (node.property.name === "runMain") launches.push(at("runMain", node.property.start))
      if (node.property.name === "launch" && onLayer) launches.push(at("Layer.launch", node.property.start))
    }
  }).visit(program)

  return { imports, launches, starExports }
}
