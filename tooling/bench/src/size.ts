// `npm run bench:size`: what it adds to a page to decode a pipe, and to read one from the service.
import { say } from "@headgate/harness/Verdict"
import { table, targetTable } from "@headgate/harness/table"
import { isDeepStrictEqual } from "node:util"
import { startRawServer } from "./client/RawServer.ts"
import { organization, pipeIds } from "./client/served.ts"
import { fullPipe } from "./document/fullPipe.ts"
import { wrongPipes } from "./document/wrongPipes.ts"
import { type Bundle, bundle } from "./size/Bundle.ts"
import { runWorkBenchmark } from "./work/runWorkBenchmark.ts"

const programs = [
  { entry: "headgateDecode", what: "headgate: decode a pipe" },
  { entry: "zodDecode", what: "zod 4: decode a pipe" },
  { entry: "arktypeDecode", what: "arktype: decode a pipe" },
  { entry: "headgateCall", what: "headgate: one call on fetch" },
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

await runWorkBenchmark("size", ["effect", "zod", "arktype", "openapi-fetch", "rolldown"], async () => {
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
    { what: "one call, KB", atMost: 66, measured: gzipped("headgateCall") }
  ])
  for (const line of targets) say(line)
  server.stop()
})
