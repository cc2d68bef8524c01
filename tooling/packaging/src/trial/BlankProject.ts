import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { PublishedPackage } from "../workspace/PublishedPackage.ts"
import { root } from "../workspace/root.ts"
import { everyField } from "./everyField.ts"
import { type Ended, run } from "./run.ts"

const windows = process.platform === "win32"

/** A program of the blank project, by the name of its file without `.ts`. */
export type Program = "decodePipe" | "swapAdapters" | "promiseClient"

/** The versions of TypeScript that users may have. */
export const compilerVersions = ["5.8.3", "5.9.3", "6.0.3", "7.0.2"] as const
export type CompilerVersion = (typeof compilerVersions)[number]
const compilerName = (version: CompilerVersion) => `typescript-${version}`

/** A new project: a folder outside the workspace whose dependencies are Headgate's tarballs. */
export interface BlankProject {
  readonly folder: string
  /** The import specifiers of every entry point that is type-checked. */
  readonly entryPoints: ReadonlyArray<string>
  readonly install: () => Promise<Ended>
  /** Adds a program that reads every field of every type of the client, and returns how many fields these are. */
  readonly addEveryField: () => number
  /** Type-checks every file with a TypeScript of this version. */
  readonly typecheck: (version: CompilerVersion) => Promise<Ended>
  readonly runProgram: (program: Program, env: Readonly<Record<string, string>>) => Promise<Ended>
  /** Copies an example out of an installed package, as its README says, and returns its folder. */
  readonly copyExample: (path: string) => string
  /** The installed command of this name. */
  readonly bin: (name: string) => string
}

/** The version of a dependency in this workspace, so that the trial does not change with the registry. */
const versionHere = (name: string): string => {
  const [manifest] = globSync([`node_modules/${name}/package.json`, `packages/*/node_modules/${name}/package.json`], {
    cwd: root
  })
  if (manifest === undefined) throw new Error(`${name} is installed nowhere in this workspace`)
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(root, manifest), "utf8"))
  return version
}

const entryPointsOf = ({ manifest }: PublishedPackage) =>
  Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) =>
    target === null || typeof target === "string" ? [] : [manifest.name + entry.slice(1)]
  )

export const makeBlankProject = (
  folder: string,
  packages: ReadonlyArray<PublishedPackage>,
  tarballs: ReadonlyArray<string>,
  programs: ReadonlyArray<Program>,
  versions: ReadonlyArray<CompilerVersion>
): BlankProject => {
  mkdirSync(folder, { recursive: true })
  const template = join(root, "tooling/packaging/blank-project")
  for (const file of ["tsconfig.json", "setting.ts", ...programs.map((program) => `${program}.ts`)]) {
    cpSync(join(template, file), join(folder, file))
  }
  cpSync(join(root, "packages/client/test/fieldTypes.ts"), join(folder, "fieldTypes.ts"))
  // The optional ones too: some entry point imports each. A command works without its own.
  const libraries = packages.filter((one) => entryPointsOf(one).length > 0)
  const peers = libraries.flatMap(({ manifest }) => Object.keys(manifest.peerDependencies ?? {}))
  const own = packages.map(({ manifest }, index) => [manifest.name, `file:${tarballs[index]}`] as const)
  const others = [...new Set([...peers, "typescript", "@types/node"])].map((name) => [name, versionHere(name)] as const)
  const manifest = {
    name: basename(folder),
    private: true,
    type: "module",
    dependencies: Object.fromEntries([
      ...others,
      // Last: one may be another's peer.
      ...own,
      ...versions.map((version) => [compilerName(version), `npm:typescript@${version}`] as const)
    ])
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, undefined, 2))

  // Every entry point, so that every declaration file is checked.
  const entryPoints = packages.flatMap(entryPointsOf)
  const imports = entryPoints.map((entry, index) => `import type * as entry${index} from "${entry}"`)
  const uses = entryPoints.map((_, index) => `keyof typeof entry${index}`)
  writeFileSync(join(folder, "entryPoints.ts"), `${imports.join("\n")}\n\nexport type Names = ${uses.join(" | ")}\n`)

  const bin = (name: string) => join(folder, "node_modules/.bin", windows ? `${name}.cmd` : name)
  return {
    folder,
    entryPoints,
    bin,
    install: () =>
      run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--strict-peer-deps", "--loglevel=error"], {
        cwd: folder
      }),
    addEveryField: () => {
      const files = ["index", "testing/index"].map((name) => [name.replace("/", "-"), `dist/${name}.d.ts`] as const)
      return files.reduce((sum, [name, path]) => {
        const text = readFileSync(join(folder, "node_modules/@headgate/client", path), "utf8")
        const specifier = `./${name}-declarations.js`
        // The declarations of the test client import those of the client.
        const { declarations, fields, program } = everyField(
          text.replace('from "../index.js"', 'from "@headgate/client"'),
          specifier
        )
        writeFileSync(join(folder, `${name}-declarations.d.ts`), declarations)
        writeFileSync(join(folder, `${name}-fields.ts`), program)
        return sum + fields
      }, 0)
    },
    copyExample: (path) => {
      const copy = join(folder, "examples", basename(path))
      cpSync(join(folder, "node_modules", path), copy, { recursive: true })
      return copy
    },
    typecheck: (version) => {
      const compiler = join(folder, "node_modules", compilerName(version), "bin/tsc")
      return run(process.execPath, [compiler, "--project", folder, "--pretty", "false"], { cwd: folder })
    },
    runProgram: (program, env) => run(process.execPath, [`${program}.ts`], { cwd: folder, env })
  }
}
