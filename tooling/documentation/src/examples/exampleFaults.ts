import { execFile } from "node:child_process"
import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Example, moduleOf } from "./Example.ts"

const windows = process.platform === "win32"

// As strict as the workspace itself. What an example declares it need not use.
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

/** What examples may import, by npm name: every package of the workspace, and what it and they depend on. */
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

/** What a compiler says of a document. */
export interface ExampleFault {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** A relative import leads where it would lead from the document. */
const fromHere = (root: string, file: string, text: string) =>
  text.replaceAll(/(?<=\b(?:from|import) ")\.\.?\/[^"]*/g, (specifier) =>
    join(root, dirname(file), specifier).replaceAll("\\", "/")
  )

const prepare = (root: string, folder: string, examples: ReadonlyArray<Example>) => {
  rmSync(folder, { recursive: true, force: true })
  for (const [name, target] of importable(root)) {
    const link = join(folder, "node_modules", name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link, windows ? "junction" : "dir")
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
  for (const [index, example] of examples.entries()) {
    writeFileSync(join(folder, `${index}.ts`), fromHere(root, example.file, moduleOf(example)))
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

/**
 * Type-checks the examples, each as a module of its own, in a project in `folder`, and answers what the compiler says of
 * them, under the files and lines of the documents.
 */
export const exampleFaults = async (
  root: string,
  folder: string,
  examples: ReadonlyArray<Example>
): Promise<ReadonlyArray<ExampleFault>> => {
  prepare(root, folder, examples)
  const faults: Array<ExampleFault> = []
  for (;;) {
    const unparsed = new Set<string>()
    // oxlint-disable-next-line no-await-in-loop -- the second run is over what the first could parse
    const output = await tsc(root, folder)
    for (const line of output.split("\n")) {
      const [, index, at, message = ""] = /^(\d+)\.ts\((\d+),\d+\): error (.*)$/.exec(line) ?? []
      const example = examples[Number(index)]
      if (example !== undefined) faults.push({ file: example.file, line: Number(at), message })
      else if (/^\S/.test(line)) throw new Error(`the examples could not be type-checked: ${output}`)
      // One module that cannot be parsed keeps the compiler from checking the others.
      if (/^TS1\d{3}:/.test(message)) unparsed.add(`${index}.ts`)
    }
    if (unparsed.size === 0) return faults
    for (const file of unparsed) rmSync(join(folder, file))
  }
}
