// Runs the official command line tool of the real service against a server in the clickhouse dialect. Every command must
// end as it does there, each one that the help of the tool lists must exit 0, and no output may show a credential.
import { runTrial, type TrialOptions } from "@headgate/harness/Command"
import { callJson } from "@headgate/harness/JsonClient"
import { makeRandom } from "@headgate/harness/Random"
import { runServerCommand, startServer } from "@headgate/harness/ServerProcess"
import { bearer, makeOrganization, organizationDocument } from "@headgate/harness/Snapshot"
import { say, Verdict } from "@headgate/harness/Verdict"
import { execFile } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { leftOut } from "./clients/leftOut.ts"
import { listCommands, withoutRun } from "./clients/listCommands.ts"
import { markedSecret, officialCommands, type Step } from "./clients/officialCommands.ts"

/** The version of the tool that the trial was written for, from PyPI. */
const toolVersion = "0.5.0"
const tool = process.env["HEADGATE_CLICKHOUSECTL"] ?? "clickhousectl"
// In milliseconds: how long a step is repeated until it shows what it must.
const longestWait = 20_000

interface Output {
  readonly code: number
  readonly text: string
}

const runTool = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Output> =>
  new Promise((resolve, reject) => {
    execFile(
      tool,
      [...args],
      { env: { ...process.env, DO_NOT_TRACK: "1", ...env }, timeout: 60_000 },
      (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== "number") reject(error)
        else resolve({ code: Number(error?.code ?? 0), text: stdout + stderr })
      }
    )
  })

const parse = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const at = (document: any, path: ReadonlyArray<string>): unknown => path.reduce((value, key) => value?.[key], document)

const isShown = (document: any, { shows = {} }: Step): boolean =>
  Object.entries(shows).every(([name, value]) => document?.[name] === value)

/** Makes the connection that sources name: the tool has no command for it. */
const makeConnection = async (url: string, token: string): Promise<string> => {
  const { json, status } = await callJson(url, {
    method: "POST",
    path: "/api/v2/connections",
    authorization: bearer(token),
    body: { name: "production", host: "https://db.example.com:8443", username: "dashboards", password: markedSecret }
  })
  if (status !== 200) throw new Error(`the connection could not be made: ${status} ${JSON.stringify(json)}`)
  return json.data.id
}

const trial = async ({ seed, server: script }: TrialOptions, directory: string) => {
  const verdict = new Verdict("clients")
  const version = await runTool(["--version"]).catch(() => undefined)
  if (version?.text.includes(toolVersion) !== true) {
    if (process.env["HEADGATE_REQUIRE_CLIENTS"] === "1")
      verdict.hold(false, `clickhousectl ${toolVersion} is not installed`)
    verdict.end(`1 skipped: clickhousectl ${toolVersion} is not installed (pip install clickhousectl==${toolVersion})`)
    return
  }
  const organization = makeOrganization(makeRandom(seed))
  const snapshot = join(directory, "snapshot.json")
  writeFileSync(snapshot, JSON.stringify({ organizations: [organizationDocument(organization)] }))
  const data = join(directory, "data")
  await runServerCommand(script, "import", snapshot, "--data", data)
  const server = await startServer(script, "--dialect", "clickhouse", "--data", data, "--step", "100ms", "--admin")
  const home = join(directory, "home")
  mkdirSync(home)
  const names: Record<string, string> = {
    service: organization.serviceId,
    connection: await makeConnection(server.url, organization.token),
    file: join(directory, "body.json")
  }
  const named = (text: string) => text.replaceAll(/\{([\w-]+)\}/g, (_, name: string) => names[name] ?? "")
  const globals =
    `cloud --url ${server.url} --api-key ${organization.keyId} --api-secret ${organization.keySecret} ` +
    `--org-id ${organization.id} --json`

  const makeIdle = () =>
    callJson(server.url, {
      method: "PUT",
      path: "/_admin/service-state",
      body: { organizationId: organization.id, serviceId: organization.serviceId, state: "idle" }
    })

  const runStep = async ({ command, file, isIdle }: Step): Promise<Output> => {
    if (isIdle === true) verdict.hold((await makeIdle()).status < 300, "the service could not be made idle")
    writeFileSync(names["file"] ?? "", named(JSON.stringify(file ?? {})))
    return await runTool(`${globals} ${named(command)}`.split(" "), { HOME: home })
  }

  const listed = await listCommands(
    async (args) => (await runTool(args)).text,
    (command) => leftOut.includes(command)
  )
  const stale = leftOut.filter((command) => !listed.includes(command))
  verdict.none(stale, "commands that are left out and that the tool does not have")
  const served = listed.filter((command) => !leftOut.includes(command))
  const completed: Array<string> = []

  for (const step of officialCommands) {
    const { command, keeps, refused, shows } = step
    const until = performance.now() + longestWait
    let output = await runStep(step)
    while (output.code === 0 && !isShown(parse(output.text), step) && performance.now() < until) {
      await sleep(100)
      output = await runStep(step)
    }
    const { code, text } = output
    const document = parse(text)
    const ended = `${command}: exit ${code}: ${text.slice(0, 500)}`
    if (refused === undefined) {
      if (code === 0) completed.push(command)
      verdict.hold(code === 0 && isShown(document, step), `${ended}, expected ${JSON.stringify(shows ?? "success")}`)
    } else {
      verdict.hold(code !== 0 && refused.test(text), `${ended}, expected ${refused}`)
    }
    verdict.hold(!text.includes(markedSecret), `${command}: shows a credential`)
    if (keeps !== undefined) {
      const kept = at(document, keeps.at)
      verdict.hold(typeof kept === "string", `${command}: the output has no ${keeps.at.join(".")}`)
      names[keeps.name] = String(kept)
    }
  }
  const missing = withoutRun(served, completed)
  verdict.none(missing, "commands of the tool's help that did not exit 0")
  await verdict.cleanExit(server, "the server")
  say()
  verdict.end(
    `${officialCommands.length} runs of clickhousectl ${toolVersion}, ` +
      `${served.length - missing.length} of the ${served.length} commands in its help exit 0, ${verdict.count} faults`
  )
}

await runTrial("clients", { name: "rounds", byDefault: 1 }, trial)
