// `npm run bench:size`: what it adds to a page to decode a pipe, and to read one from the service; what the client of the
// package takes when it is installed and imported, beside those of other services.
import { say } from "@headgate/harness/Verdict"
import { medianOf, medianRatio, runRounds } from "@headgate/harness/rounds"
import { table, type Target, targetTable } from "@headgate/harness/table"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { startRawServer } from "./client/RawServer.ts"
import { organization, pipeIds } from "./client/served.ts"
import { fullPipe } from "./document/fullPipe.ts"
import { wrongPipes } from "./document/wrongPipes.ts"
import { type Bundle, bundle } from "./size/Bundle.ts"
import { clients, type InstalledPackage, installClient } from "./size/InstalledPackage.ts"
import { runWorkBenchmark } from "./work/runWorkBenchmark.ts"

const programs = [
  { entry: "headgateDecode", what: "headgate: decode a pipe" },
  { entry: "zodDecode", what: "zod 4: decode a pipe" },
  { entry: "arktypeDecode", what: "arktype: decode a pipe" },
  { entry: "headgateCall", what: "headgate: one call on fetch" },
  { entry: "clientCall", what: "@headgate/client: one call" },
  { entry: "openapiFetchCall", what: "openapi-fetch + zod 4: one call" }
]

const kilobytes = (bytes: number): number => bytes / 1000

/** Checks that a bundle does its work. */
const verify = async ({ code }: Bundle, what: string, url: string) => {
  const program: {
    readonly decode?: (parsed: unknown) => unknown
    readonly call?: (...args: ReadonlyArray<unknown>) => Promise<unknown>
  } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`)
  const { id: organizationId, keyId, keySecret, serviceId } = organization
  const address = { organizationId, serviceId, pipeId: pipeIds.full }
  const pipe = await (program.call?.(url, keyId, keySecret, address) ?? program.decode?.(fullPipe))
  const name = fullPipe["name"]
  if (typeof pipe !== "object" || pipe === null || !("name" in pipe) || !isDeepStrictEqual(pipe.name, name)) {
    throw new Error(`${what}: the bundle returns no pipe`)
  }
  for (const [wrong, document] of Object.entries(program.decode === undefined ? {} : wrongPipes)) {
    let isAccepted = true
    try {
      program.decode?.(document)
    } catch {
      isAccepted = false
    }
    if (isAccepted) throw new Error(`${what}: the bundle accepts ${wrong}`)
  }
}

const shownModules = 12

/** The modules of a bundle by their share of its code before minification. */
const contents = ({ modules }: Bundle): ReadonlyArray<string> => {
  const all = modules.reduce((sum, { bytes }) => sum + bytes, 0)
  const share = (bytes: number) => `${((100 * bytes) / all).toFixed(1)} %`
  const rest = modules.slice(shownModules).reduce((sum, { bytes }) => sum + bytes, 0)
  return table([
    ...modules.slice(0, shownModules).map(({ bytes, name }) => [`  ${name}`, share(bytes)]),
    [`  ${modules.length - shownModules} others`, share(rest)]
  ])
}

const megabytes = (bytes: number): number => bytes / 1_000_000
const own = clients[0].name

/** Installs and imports the clients, and prints a table. Returns the targets of our own. */
const measureClients = async (rounds: number): Promise<ReadonlyArray<Target>> => {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "headgate-size-")))
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }))
  const installed: Array<InstalledPackage> = []
  for (const client of clients) {
    const found = await installClient(client, scratch)
    if ("missing" in found) say(`SKIPPED ${client.name}: it could not be installed: ${found.missing}`)
    else installed.push(found)
  }
  const importCpu = (client: InstalledPackage) => client.importMilliseconds()
  await runRounds(installed, 1, importCpu)
  const measured = await runRounds(installed, rounds, importCpu)
  const figure = (milliseconds: number) => milliseconds
  const ratio = (name: string) => medianRatio(measured, name, "openai", figure)
  const lines = table([
    [`installed by npm, ${rounds} imports`, "packages", "files", "MB", "import CPU ms", "/ openai"],
    ...installed.map(({ bytes, files, name, packages, version }) => [
      `${name} ${version}`,
      String(packages),
      String(files),
      megabytes(bytes).toFixed(2),
      medianOf(measured, name, figure).toFixed(1),
      installed.some((one) => one.name === "openai") ? ratio(name).toFixed(2) : "skipped"
    ])
  ])
  for (const line of lines) say(line)
  const [client] = installed
  return [
    { what: "installed, MB", atMost: 2, measured: megabytes(client?.name === own ? client.bytes : NaN) },
    { what: "import / openai", atMost: 1.3, measured: ratio(own) }
  ]
}

await runWorkBenchmark("size", ["effect", "zod", "arktype", "openapi-fetch", "rolldown"], async ({ rounds }) => {
  const server = await startRawServer()
  const bundles = new Map<string, Bundle>()
  const smaller = new Map<string, number>()
  for (const { entry, what } of programs) {
    const made = await bundle(entry)
    await verify(made, what, server.url)
    bundles.set(entry, made)
    const pure = await bundle(entry, { arePropertyReadsPure: true })
    await verify(pure, what, server.url)
    smaller.set(entry, pure.gzipped)
  }
  const sizes = (entry: string) => {
    const { code, gzipped } = bundles.get(entry) ?? { code: "", gzipped: NaN }
    return [Buffer.byteLength(code), gzipped, smaller.get(entry) ?? NaN].map((bytes) => kilobytes(bytes).toFixed(1))
  }
  say(`all ${programs.length} do their work; bundled for browsers, minified; gzip -9; 1 KB is 1000 bytes`)
  say("pure reads: the bundler assumes that reading a property has no effect (propertyReadSideEffects: false)")
  say()
  const lines = table([
    ["", "min KB", "min+gzip KB", "pure reads"],
    ...programs.map(({ entry, what }) => [what, ...sizes(entry)])
  ])
  for (const line of lines) say(line)
  say()
  const clientTargets = await measureClients(rounds)
  for (const entry of ["headgateDecode", "headgateCall"]) {
    const made = bundles.get(entry)
    if (made === undefined) continue
    say()
    say(`modules of ${programs.find((program) => program.entry === entry)?.what}`)
    for (const line of contents(made)) say(line)
  }
  say()
  const gzipped = (entry: string) => kilobytes(bundles.get(entry)?.gzipped ?? NaN)
  const targets = targetTable([
    { what: "decode a pipe, KB", atMost: 28, measured: gzipped("headgateDecode") },
    { what: "one call, KB", atMost: 66, measured: gzipped("headgateCall") },
    { what: "one call of @headgate/client, KB", atMost: 100, measured: gzipped("clientCall") },
    ...clientTargets
  ])
  for (const line of targets) say(line)
  server.stop()
})
