// `npm run trial:runtimes`: packs the client, installs its tarball alone in a blank project, and runs one program there with
// each runtime against a server. `--only <name>` runs one of them, `--broken <how>` damages the client first, to show that the trial
// fails.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { runtimes } from "./runtimes/Runtime.ts"
import { pack } from "./tarball/pack.ts"
import { damages, repack } from "./trial/damages.ts"
import { startInstalledServer } from "./trial/installedServer.ts"
import { run } from "./trial/run.ts"
import { root } from "./workspace/root.ts"

const { values } = parseArgs({ options: { only: { type: "string" }, broken: { type: "string" } } })

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "headgate-runtimes-")))
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }))

const say = (text: string) => process.stdout.write(`${text}\n`)
const indented = (text: string) => text.trimEnd().replaceAll(/^/gm, "      ")

/** What the program sees in every runtime. */
const expected = {
  read: "orders",
  response: "200 string true true",
  created: "clicks Provisioning",
  running: "Running",
  unreachable: true,
  stopped: "Stopped",
  missing: "404 1 string",
  secret: "<redacted:keySecret>",
  whoami: "object",
  unauthorized: 401,
  invalid: "pipeId 0",
  listed: true,
  aborted: true,
  tested: "orders",
  closed: "ClientClosed"
}

const tarball = await pack(root, "packages/client", scratch)
if (values.broken !== undefined) {
  const broken = damages[values.broken]
  if (broken?.to !== "@headgate/client") throw new Error(`--broken ${values.broken}: this does not damage the client`)
  await repack(root, tarball, scratch, broken.damage)
}

const project = join(scratch, "blank-project")
mkdirSync(project)
for (const file of ["program.mjs", "nodeMain.mjs", "workerdMain.mjs", "pageMain.mjs"]) {
  cpSync(join(root, "tooling/packaging/runtime-project", file), join(project, file))
}
const manifest = { private: true, type: "module", dependencies: { "@headgate/client": `file:${tarball}` } }
writeFileSync(join(project, "package.json"), JSON.stringify(manifest))
const installed = await run("npm", ["install", "--no-audit", "--no-fund", "--offline", "--loglevel=error"], {
  cwd: project
})
if (installed.code !== 0) throw new Error(`the tarball could not be installed: ${installed.stderr}`)

const snapshot = join(root, "tooling/toolchain/sample/snapshot.json")
const server = await startInstalledServer(join(root, "apps/server/bin/headgate-server.mjs"), scratch, snapshot)
const { environment } = server
const config = {
  url: environment["HEADGATE_URL"] ?? "",
  organizationId: environment["HEADGATE_ORGANIZATION"] ?? "",
  serviceId: environment["HEADGATE_SERVICE"] ?? "",
  keyId: environment["HEADGATE_KEY_ID"] ?? "",
  keySecret: environment["HEADGATE_KEY_SECRET"] ?? "",
  token: environment["HEADGATE_TOKEN"] ?? "",
  pipeId: environment["PIPE"] ?? ""
}

const found = { ran: 0, skipped: 0, faults: 0 }
for (const runtime of runtimes.filter(({ name }) => values.only === undefined || name === values.only)) {
  const folder = join(scratch, runtime.name.replaceAll(" ", "-"))
  const ready = await runtime.prepare(folder)
  if ("missing" in ready) {
    found.skipped++
    say(`SKIPPED ${runtime.name}: ${ready.missing}`)
    continue
  }
  found.ran++
  const { code, stderr, stdout } = await runtime
    .run(folder, { folder: project, config })
    .catch((error: unknown) => ({ code: null, stdout: "", stderr: String(error) }))
  const text = /saw (\{.*\})/.exec(stdout + stderr)?.[1]
  const seen: Readonly<Record<string, unknown>> = text === undefined ? {} : JSON.parse(text)
  const wrong = Object.entries(expected).filter(([name, value]) => seen[name] !== value)
  const isGood = code === 0 && wrong.length === 0
  say(`${isGood ? "ok " : "RED"} ${runtime.name} (${ready.version})`)
  if (isGood) continue
  found.faults++
  if (text === undefined) say(indented(`exit code ${code}\n${stdout}${stderr}`))
  else for (const [name, value] of wrong) say(`      ${name}: expected ${String(value)}, saw ${String(seen[name])}`)
}
await server.stop()

say(
  `runtimes: the client's tarball, alone in a blank project: ${found.ran} runtimes ran the program, ${found.skipped} skipped, ` +
    `${found.faults} faults`
)
process.exitCode = found.faults === 0 && found.ran > 0 ? 0 : 1
