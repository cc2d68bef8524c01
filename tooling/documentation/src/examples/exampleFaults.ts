import { execFile } from "node:child_process"
import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { type Example, moduleOf } from "./Example.ts"

const windows = process.platform === "win32"

// As strict as the workspace, but unused names are allowed.
const compilerOptions = {
  target: "ES2023",
  lib: ["ES2023", "DOM"],
  types: ["node"],
  module: "nodenext",
  moduleDetection: "force",
  noEmit: true,
  allowImportingTsExtensions: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  skipLibCheck: true
}

interface Manifest {
  readonly name: string
  readonly [dependencies: string]: unknown
}

/** What examples may import, by npm name: the packages of the workspace and their dependencies. */
const importable = (root: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const file of ["package.json", ...globSync("packages/*/package.json", { cwd: root }).toSorted()]) {
    const folder = join(root, dirname(file))
    const manifest: Manifest = JSON.parse(readFileSync(join(root, file), "utf8"))
    if (file !== "package.json") found.set(manifest.name, folder)
    for (const field of ["dependencies", "peerDependencies", "devDependencies"]) {
      for (const name of Object.keys(manifest[field] ?? {})) {
        if (!name.startsWith("@headgate/")) found.set(name, join(folder, "node_modules", name))
      }
    }
  }
  return found
}

/** What is wrong with an example. */
export interface ExampleFault {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** The path of an example in the project that checks it. */
export const pathOf = ({ file, name }: Example) => `${file}/${name}`

/** Relative imports resolve to a file of the document, else from the document's folder. */
const fromHere = (root: string, example: Example, paths: ReadonlyMap<string, Example>) =>
  moduleOf(example).replaceAll(/(?<=\b(?:from|import) ")\.\.?\/[^"]*/g, (specifier) =>
    paths.has(posix.join(dirname(pathOf(example)), specifier))
      ? specifier
      : join(root, dirname(example.file), dirname(example.name), specifier).replaceAll("\\", "/")
  )

/** The examples by their paths in the project, where each document is a folder. */
const byPath = (examples: ReadonlyArray<Example>) => {
  const paths = new Map<string, Example>()
  for (const example of examples) {
    const path = pathOf(example)
    if (paths.has(path)) throw new Error(`${example.file}: two blocks are the file ${example.name}`)
    paths.set(path, example)
  }
  return paths
}

const prepare = (root: string, folder: string, paths: ReadonlyMap<string, Example>) => {
  rmSync(folder, { recursive: true, force: true })
  for (const [name, target] of importable(root)) {
    const link = join(folder, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link, windows ? "junction" : "dir")
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }))
  for (const [path, example] of paths) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), fromHere(root, example, paths))
  }
}

const tsc = (root: string, folder: string) =>
  new Promise<string>((resolve) => {
    const compiler = join(root, "node_modules/.bin", windows ? "tsc.CMD" : "tsc")
    execFile(
      compiler,
      ["--project", folder, "--pretty", "false"],
      { cwd: folder, shell: windows, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve(error === null ? "" : `${stdout}${stderr}` || error.message)
    )
  })

/** Type-checks the examples as modules of a project in `folder`. Returns the compiler's errors by file and line of the documents. */
export const exampleFaults = async (
  root: string,
  folder: string,
  examples: ReadonlyArray<Example>
): Promise<ReadonlyArray<ExampleFault>> => {
  const paths = byPath(examples)
  prepare(root, folder, paths)
  const faults: Array<ExampleFault> = []
  for (;;) {
    const unparsed = new Set<string>()
    // oxlint-disable-next-line no-await-in-loop -- the second run checks the modules that the first could parse
    const output = await tsc(root, folder)
    for (const line of output.split("\n")) {
      const [, path = "", at, message = ""] = /^(\S+\.ts)\((\d+),\d+\): error (.*)$/.exec(line) ?? []
      const example = paths.get(path)
      if (example !== undefined) faults.push({ file: example.file, line: Number(at), message })
      else if (/^\S/.test(line)) throw new Error(`the examples could not be type-checked: ${output}`)
      // One module that cannot be parsed keeps the compiler from checking the others.
      if (/^TS1\d{3}:/.test(message)) unparsed.add(path)
    }
    if (unparsed.size === 0) return faults
    for (const path of unparsed) rmSync(join(folder, path))
  }
}
