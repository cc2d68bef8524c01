import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { rolldown } from "rolldown"
import { installAlone } from "../trial/installAlone.ts"
import { type Ended, run } from "../trial/run.ts"

/** The blank project that each runtime runs, and what its program gets. */
export interface Subject {
  readonly folder: string
  readonly config: Readonly<Record<string, string>>
}

/** A runtime: how it is installed, and how it runs the program of the blank project. */
export interface Runtime {
  readonly name: string
  /** The version of the runtime, or why it cannot be used. */
  readonly prepare: (folder: string) => Promise<{ readonly version: string } | { readonly missing: string }>
  /** What the program prints. */
  readonly run: (folder: string, subject: Subject) => Promise<Ended>
}

/** A runtime whose binary is in a package. */
const fromPackage = (
  name: string,
  { binary, specification }: { readonly specification: string; readonly binary: string },
  runProgram: (binary: string, subject: Subject) => Promise<Ended>
): Runtime => ({
  name,
  prepare: async (folder) => {
    const installed = await installAlone(folder, specification)
    if (installed.code !== 0) return { missing: `${specification} could not be installed: ${installed.stderr.trim()}` }
    const { code, stderr, stdout } = await run(join(folder, binary), ["--version"], { cwd: folder })
    return code === 0
      ? { version: stdout.trim().split("\n")[0] ?? "" }
      : { missing: `it does not start: ${stderr.trim()}` }
  },
  run: (folder, subject) => runProgram(join(folder, binary), subject)
})

const environment = ({ config }: Subject) => ({ RUNTIME_CONFIG: JSON.stringify(config) })

/** Bundles a program of the blank project into one file, as `wrangler` and web applications do. */
const bundle = async ({ folder }: Subject, entry: string): Promise<string> => {
  const build = await rolldown({ input: join(folder, entry), cwd: folder, platform: "browser", logLevel: "warn" })
  const { output } = await build.generate({ format: "esm", codeSplitting: false, minify: true })
  await build.close()
  const [{ code, imports }] = output
  if (imports.length > 0) throw new Error(`${entry}: the bundle imports ${imports.join()}`)
  return code
}

const workerdConfig = (config: Subject["config"]) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = (
    modules = [(name = "worker.mjs", esModule = embed "workerd.bundle.mjs")],
    compatibilityDate = "2026-01-01",
    bindings = [(name = "RUNTIME_CONFIG", text = ${JSON.stringify(JSON.stringify(config))})],
    globalOutbound = "network"
  )),
  (name = "network", network = (allow = ["local"]))
]);
`

const chromiumPaths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
const chromiumPath = () => process.env["HEADGATE_CHROMIUM"] ?? chromiumPaths.find((path) => existsSync(path))

const inPage = async (executablePath: string, subject: Subject): Promise<Ended> => {
  const browser = await chromium.launch({ executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu"] })
  try {
    const code = await bundle(subject, "pageMain.mjs")
    const page = await browser.newPage()
    // The server has no CORS: the page has its origin, although the server does not have the page.
    const url = `${subject.config["url"]}/runtime.html`
    const body = "<!doctype html><title>runtime</title>"
    await page.route(url, (route) => route.fulfill({ contentType: "text/html", body }))
    await page.goto(url)
    await page.addScriptTag({ content: code, type: "module" })
    await page.waitForFunction("globalThis.runProgram !== undefined")
    const seen = await page.evaluate(`runProgram(${JSON.stringify(subject.config)})`)
    return { code: 0, stdout: `saw ${JSON.stringify(seen)}`, stderr: "" }
  } catch (error) {
    return { code: 1, stdout: "", stderr: String(error) }
  } finally {
    await browser.close()
  }
}

const node = (binary: string, subject: Subject) =>
  run(binary, ["nodeMain.mjs"], { cwd: subject.folder, env: environment(subject) })

/** Every runtime of the trial. */
export const runtimes: ReadonlyArray<Runtime> = [
  fromPackage("Node 22", { specification: "node@22.23.3", binary: "node_modules/node/bin/node" }, node),
  {
    name: "Node 24",
    prepare: async () => ({ version: process.version }),
    run: (_, subject) => node(process.execPath, subject)
  },
  fromPackage("Bun", { specification: "bun@1.4.5", binary: "node_modules/.bin/bun" }, node),
  fromPackage("Deno", { specification: "deno@2.9.6", binary: "node_modules/.bin/deno" }, (binary, subject) =>
    run(binary, ["run", "--quiet", "--allow-net", "--allow-env", "--node-modules-dir=manual", "nodeMain.mjs"], {
      cwd: subject.folder,
      env: environment(subject)
    })
  ),
  fromPackage(
    "workerd",
    { specification: "workerd@1.20261117.1", binary: "node_modules/.bin/workerd" },
    async (binary, subject) => {
      writeFileSync(join(subject.folder, "workerd.bundle.mjs"), await bundle(subject, "workerdMain.mjs"))
      writeFileSync(join(subject.folder, "workerd.capnp"), workerdConfig(subject.config))
      return run(binary, ["test", "workerd.capnp"], { cwd: subject.folder })
    }
  ),
  {
    name: "Chromium",
    prepare: async (folder) => {
      const path = chromiumPath()
      if (path === undefined) return { missing: "apt-get install -y chromium" }
      mkdirSync(folder, { recursive: true })
      const { code, stderr, stdout } = await run(path, ["--version"], { cwd: folder })
      return code === 0 ? { version: stdout.trim() } : { missing: stderr.trim() }
    },
    run: (_, subject) => inPage(chromiumPath() ?? "", subject)
  }
]
