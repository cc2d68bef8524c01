// Generates clients from the OpenAPI documents of a server with the generators that people use, checks what they generate,
// and makes calls with it. A generator that leaves out a part is a fault.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { makeRandom } from "@headgate/harness/Random"
import { runServerCommand, type ServerProcess, startServer } from "@headgate/harness/ServerProcess"
import { makeOrganization, type Organization, organizationDocument } from "@headgate/harness/Snapshot"
import { say, Verdict } from "@headgate/harness/Verdict"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { generators, installedIn } from "./generators/generators.ts"

/** What every program of calls prints, whatever generated its client. */
const expectedOf = (name: string) => ({
  organization: name,
  topics: "orders",
  replicas: 2,
  hasState: true,
  tile: { displayType: "markdown", markdown: "# Hello" },
  dashboards: ["Night shift"],
  refused: [401, "Unauthorized"]
})

/** A server with an organization of its own: each program lists what it made alone. */
const serve = async (script: string, directory: string, dialect: string, organization: Organization) => {
  mkdirSync(directory, { recursive: true })
  const snapshot = join(directory, "snapshot.json")
  const document = organizationDocument(organization)
  writeFileSync(snapshot, JSON.stringify({ organizations: [document] }))
  const data = join(directory, "data")
  await runServerCommand(script, "import", snapshot, "--data", data)
  return { name: document.name, server: await startServer(script, "--dialect", dialect, "--data", data) }
}

const fetched = async ({ url }: ServerProcess, directory: string): Promise<string> => {
  const file = join(directory, "openapi.json")
  writeFileSync(file, await (await fetch(`${url}/openapi.json`)).text())
  return file
}

const trial = async ({ only, seed, server: script }: TrialOptions, directory: string) => {
  const verdict = new Verdict("generators")
  const tools = process.env["HEADGATE_GENERATORS"]
  if (tools === undefined || !installedIn(tools)) {
    if (process.env["HEADGATE_REQUIRE_GENERATORS"] === "1") verdict.hold(false, "the generators are not installed")
    verdict.end("1 skipped: the generators are not installed (.ci/generators <directory>)")
    return
  }
  const random = makeRandom(seed)
  const chosen = generators.filter(({ name }) => only === undefined || new RegExp(only).test(name))
  verdict.hold(chosen.length > 0, `no generator is called ${only}`)
  for (const { calls, dialects, generate, name } of chosen) {
    for (const dialect of dialects) {
      const organization = makeOrganization(random)
      const place = join(directory, name, dialect)
      const { name: organizationName, server } = await serve(script, place, dialect, organization)
      const document = await fetched(server, place)
      const made = await generate({ tools, document, place })
      verdict.hold(made.fault === undefined, `${name}, ${dialect}: ${made.fault}`)
      if (made.fault === undefined && dialect === "clickhouse") {
        const { id, keyId, keySecret, serviceId, token } = organization
        const given = { url: server.url, organizationId: id, serviceId, keyId, keySecret, token }
        const { output } = await calls({ tools, document, place }, JSON.stringify(given))
        const printed = answerIn(output)
        const isExpected = isDeepStrictEqual(printed, expectedOf(organizationName))
        verdict.hold(isExpected, `${name}, ${dialect}: the calls printed ${output.slice(-3000)}`)
      }
      await verdict.cleanExit(server, `the server of ${name}, ${dialect}`)
      say(`${name}, ${dialect}: ${made.summary}`)
    }
  }
  verdict.end(`${chosen.length} generators, ${verdict.count} faults`)
}

const answerIn = (output: string): unknown => {
  try {
    return JSON.parse(output.trim().split("\n").at(-1) ?? "")
  } catch {
    return undefined
  }
}

await runTrial("generators", { name: "rounds", byDefault: 1 }, trial)
