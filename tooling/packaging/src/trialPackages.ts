// `npm run trial:packages`: packs every package and both apps, installs the tarballs in a blank project outside the
// workspace, type-checks and runs programs there. `--broken <how>` damages a package first, to show that the trial fails.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { pack } from "./tarball/pack.ts"
import { compilerVersions, makeBlankProject, type Program } from "./trial/BlankProject.ts"
import { damages, repack } from "./trial/damages.ts"
import { consoleFaults } from "./trial/installedConsole.ts"
import { startInstalledServer } from "./trial/installedServer.ts"
import { type Ended, run } from "./trial/run.ts"
import { publishedPackages } from "./workspace/PublishedPackage.ts"
import { root } from "./workspace/root.ts"

const { values } = parseArgs({ options: { broken: { type: "string" } } })

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "headgate-packages-")))
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }))

const say = (text: string) => process.stdout.write(`${text}\n`)

const faults: Array<string> = []
const hold = (isSo: boolean, what: string, why: string) => {
  say(`${isSo ? "ok " : "RED"} ${what}`)
  if (isSo) return
  faults.push(what)
  say(why.trimEnd().replaceAll(/^/gm, "      "))
}
const holdEnded = (what: string, { code, stderr, stdout }: Ended) =>
  hold(
    code === 0,
    code === 0 && stdout !== "" ? `${what}: ${stdout.trim()}` : what,
    `exit code ${code}\n${stdout}${stderr}`
  )

const packages = publishedPackages(root)
const tarballs = join(scratch, "tarballs")
mkdirSync(tarballs)
const packed: Array<string> = []
for (const { folder } of packages) packed.push(await pack(root, folder, tarballs))

if (values.broken !== undefined) {
  const broken = damages[values.broken]
  const tarball = packed[packages.findIndex(({ manifest }) => manifest.name === broken?.to)]
  if (broken === undefined || tarball === undefined) {
    throw new Error(`--broken ${values.broken}: expected ${Object.keys(damages).join(", ")}`)
  }
  await repack(root, tarball, scratch, broken.damage)
}

const programs: ReadonlyArray<Program> = ["decodePipe", "swapAdapters", "promiseClient"]
// A damage that a compiler finds, each finds.
const versions = values.broken === undefined ? compilerVersions : compilerVersions.slice(-1)
const project = makeBlankProject(join(scratch, "blank-project"), packages, packed, programs, versions)

const installed = await project.install()
hold(installed.code === 0, `${packages.length} tarballs installed`, installed.stdout + installed.stderr)
const fields = project.addEveryField()
for (const version of versions) {
  const typed = await project.typecheck(version)
  hold(
    typed.code === 0,
    `${project.entryPoints.length} entry points, ${programs.length} programs and the type of every field, ${fields} of the client: TypeScript ${version}`,
    typed.stdout + typed.stderr
  )
}

try {
  const example = project.copyExample("@headgate/conformance/examples/caching-adapter")
  const checked = await run(project.bin("tsc"), ["--project", example, "--pretty", "false"], { cwd: example })
  hold(checked.code === 0, "the example of an adapter type-checks, copied", checked.stdout + checked.stderr)
  const laws = await run(project.bin("vitest"), ["run", "--reporter", "dot"], { cwd: example })
  hold(laws.code === 0, "the laws hold for it there", laws.stdout + laws.stderr)
} catch (error) {
  hold(false, "the example of an adapter is copied", error instanceof Error ? error.message : String(error))
}

holdEnded("import a core schema and decode", await project.runProgram("decodePipe", {}))
try {
  const snapshot = join(root, "tooling/toolchain/sample/snapshot.json")
  const server = await startInstalledServer(project.bin("headgate-server"), project.folder, snapshot)
  const { environment } = server
  holdEnded("swap adapters under one program", await project.runProgram("swapAdapters", environment))
  holdEnded("the Promise client", await project.runProgram("promiseClient", environment))
  const { PIPE = "", ...settings } = environment
  const opened = await consoleFaults(settings["HEADGATE_URL"] ?? "")
  hold(opened.length === 0, "the installed headgate-server serves its console", opened.join("\n"))
  const printed = await run(project.bin("headgate"), ["pipe", "get", PIPE, "--json"], {
    cwd: project.folder,
    env: settings
  })
  hold(
    printed.code === 0 && printed.stdout.includes(`"id": "${PIPE}"`),
    "the installed headgate prints the pipe",
    printed.stdout + printed.stderr
  )
  await server.stop()
} catch (error) {
  hold(false, "the installed headgate-server takes requests", error instanceof Error ? error.message : String(error))
}

say(
  `packages: ${packages.length} tarballs installed in a blank project, ${project.entryPoints.length} entry points, ` +
    `${programs.length} programs and the command line tried, ${faults.length} faults`
)
process.exitCode = faults.length === 0 ? 0 : 1
