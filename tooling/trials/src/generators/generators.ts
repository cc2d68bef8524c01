import { execFile } from "node:child_process"
import { copyFileSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const project = fileURLToPath(new URL("../../generated-clients/", import.meta.url))
const compiler = join(fileURLToPath(new URL("../../../../", import.meta.url)), "node_modules", ".bin", "tsc")

/** Where a client is generated: from a document, by tools in a directory, into another. */
interface Place {
  readonly tools: string
  readonly document: string
  readonly place: string
}

interface Output {
  readonly code: number
  readonly output: string
}

interface Generated {
  /** What is wrong with the client, or that there is none; `undefined` if nothing is. */
  readonly fault?: string
  /** One line. */
  readonly summary: string
}

/** A generator of clients. */
interface Generator {
  readonly name: string
  /** The dialects whose documents it is given. The calls are made in the dialect `clickhouse`, whose documents say most. */
  readonly dialects: ReadonlyArray<"neutral" | "clickhouse">
  /** Generates a client and checks it. */
  readonly generate: (place: Place) => Promise<Generated>
  /** Makes five calls with the client, and prints as JSON what was answered. */
  readonly calls: (place: Place, given: string) => Promise<Output>
}

const run = (
  program: string,
  args: ReadonlyArray<string>,
  cwd: string,
  env: Readonly<Record<string, string>> = {}
): Promise<Output> =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024, timeout: 300_000 }
    execFile(program, [...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : 1, output: stdout + stderr })
    )
  })

const failed = ({ code, output }: Output, what: string): Generated | undefined =>
  code === 0 ? undefined : { fault: `${what}: exit ${code}: ${output.slice(-3000)}`, summary: what }

const python = (tools: string, name: string) => join(tools, "python", "bin", name)

/** Whether `.ci/generators` has installed the generators in a directory. */
export const installedIn = (tools: string): boolean =>
  [python(tools, "openapi-python-client"), python(tools, "openapi-generator-cli"), join(tools, "node_modules")].every(
    (path) => existsSync(path)
  )

/** How many operations a document has, which a client must have as well. */
const operationsIn = (document: string): number => {
  const { paths }: { paths: Readonly<Record<string, object>> } = JSON.parse(readFileSync(document, "utf8"))
  return Object.values(paths).flatMap((methods) => Object.keys(methods)).length
}

// Python finds what is wrong with a module when it loads it.
const importAll = `
import importlib, pkgutil, headgate_api
names = [name for _, name, _ in pkgutil.walk_packages(headgate_api.__path__, "headgate_api.")]
for name in names: importlib.import_module(name)
print(len(names))
`

/** Checks a generated Python package: it has `generated` of the operations, and every module loads. */
const checkPackage = async ({ document, place, tools }: Place, generated: number): Promise<Generated> => {
  const summary = `${generated} operations`
  const operations = operationsIn(document)
  if (generated !== operations) return { fault: `${generated} of ${operations} operations were generated`, summary }
  const loaded = await run(python(tools, "python"), ["-c", importAll], place)
  return failed(loaded, "the import of every module") ?? { summary: `${summary}, ${loaded.output.trim()} modules load` }
}

const pythonCalls =
  (program: string): Generator["calls"] =>
  ({ place, tools }, given) =>
    run(python(tools, "python"), [join(project, program)], place, { CALLS: given, PYTHONPATH: place })

const filesIn = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".py"))

/** The generators, each of the version that `.ci/generators` installs. */
export const generators: ReadonlyArray<Generator> = [
  {
    name: "openapi-typescript",
    dialects: ["clickhouse"],
    generate: async ({ document, place, tools }) => {
      const script = join(tools, "node_modules", "openapi-typescript", "bin", "cli.js")
      const schema = join(place, "schema.ts")
      const fault =
        failed(await run(process.execPath, [script, document, "-o", schema], place), "the generator") ??
        failed(await run(compiler, ["--strict", "--noEmit", schema], place), "the types")
      return fault ?? { summary: `${operationsIn(document)} operations, their types compile` }
    },
    calls: async ({ place, tools }, given) => {
      symlinkSync(join(tools, "node_modules"), join(place, "node_modules"))
      for (const name of ["calls.mts", "tsconfig.json"]) copyFileSync(join(project, name), join(place, name))
      const types = await run(compiler, ["-p", place], place)
      return types.code === 0 ? run(process.execPath, [join(place, "calls.mts")], place, { CALLS: given }) : types
    }
  },
  {
    name: "openapi-python-client",
    dialects: ["neutral", "clickhouse"],
    generate: async (given) => {
      const { document, place, tools } = given
      const config = join(place, "config.json")
      // The hooks would format the code, by a tool that is not there.
      writeFileSync(config, JSON.stringify({ post_hooks: [] }))
      const made = await run(
        python(tools, "openapi-python-client"),
        ["generate", "--fail-on-warning", "--meta", "none", "--config", config, "--path", document].concat(
          "--output-path",
          join(place, "headgate_api")
        ),
        place
      )
      const modules = () => filesIn(join(place, "headgate_api", "api")).filter((name) => !name.endsWith("__init__.py"))
      return failed(made, "the generator") ?? (await checkPackage(given, modules().length))
    },
    calls: pythonCalls("openapi_python_client_calls.py")
  },
  {
    name: "openapi-generator",
    dialects: ["clickhouse"],
    generate: async (given) => {
      const { document, place, tools } = given
      const made = await run(
        python(tools, "openapi-generator-cli"),
        ["generate", "-g", "python", "-i", document, "-o", place, "--package-name", "headgate_api"].concat(
          "--global-property",
          "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"
        ),
        place,
        // It runs for a few seconds: to make its code faster takes longer.
        { JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" }
      )
      const api = join(place, "headgate_api", "api")
      const methods = () =>
        filesIn(api).flatMap((name) => readFileSync(join(api, name), "utf8").match(/def \w+_with_http_info\(/g) ?? [])
      return failed(made, "the generator") ?? (await checkPackage(given, methods().length))
    },
    calls: pythonCalls("openapi_generator_calls.py")
  }
]
