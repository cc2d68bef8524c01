import { installAlone } from "@headgate/packaging/installAlone"
import { pack } from "@headgate/packaging/pack"
import { run } from "@headgate/packaging/run"
import { globSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

/** A package that npm has installed alone, with its dependencies. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  readonly packages: number
  readonly files: number
  readonly bytes: number
  /** CPU time of all threads that importing the package takes a new process, in milliseconds. */
  readonly importMilliseconds: () => Promise<number>
}

/** The client as it is published, and two clients of other services, with the versions that are measured. */
export const clients = [
  { name: "@headgate/client", version: undefined },
  { name: "openai", version: "7.57.0" },
  { name: "stripe", version: "23.1.0" }
] as const

const importer = (name: string) => `
  const before = process.cpuUsage()
  await import(${JSON.stringify(name)})
  const { system, user } = process.cpuUsage(before)
  console.log((system + user) / 1000)
`

/** Installs a client in a new folder under `scratch`, or says why it cannot be installed. */
export const installClient = async (
  { name, version }: (typeof clients)[number],
  scratch: string
): Promise<InstalledPackage | { readonly missing: string }> => {
  const folder = join(scratch, name.replace("/", "-"))
  mkdirSync(folder)
  const specification = version === undefined ? await pack(root, "packages/client", scratch) : `${name}@${version}`
  const installed = await installAlone(folder, specification)
  if (installed.code !== 0) return { missing: installed.stderr.trim() }
  const modules = join(folder, "node_modules")
  const manifest: { readonly version: string } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"))
  const lock: { readonly packages: object } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"))
  const files = globSync("**", { cwd: modules, withFileTypes: true }).filter((entry) => entry.isFile())
  const sizes = files.map((file) => statSync(join(file.parentPath, file.name)).size)
  return {
    name,
    version: manifest.version,
    packages: Object.keys(lock.packages).length,
    files: files.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    importMilliseconds: async () => {
      const args = ["--input-type=module", "--eval", importer(name)]
      const { code, stderr, stdout } = await run(process.execPath, args, {
        cwd: folder,
        env: { NODE_OPTIONS: "", NODE_DISABLE_COMPILE_CACHE: "1" }
      })
      if (code !== 0) throw new Error(`${name} cannot be imported: ${stderr}`)
      return Number(stdout)
    }
  }
}
