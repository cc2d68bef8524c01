import { bodyOf, serveLocally } from "@headgate/harness/ReverseProxy"
import { writeFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join } from "node:path"
import type { CanaryServer, Invocation, Capture } from "./Capture.ts"
import { ids } from "./environment.ts"

/** Everything that a request holds, as a careless service may echo it. */
const echoOf = ({ headers: { authorization = "" } }: IncomingMessage, body: string): string => {
  const credentials = Buffer.from(authorization.split(" ")[1] ?? "", "base64").toString("utf8")
  return `you sent ${authorization}, that is ${credentials}, with ${body}`.replace(/[^\x20-\x7e]/g, "?")
}

const json = (response: ServerResponse, status: number, body: object, headers = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))

/** Services that echo what they receive, or break off. The first segment of the path selects one. */
const echoServices: Readonly<Record<string, (response: ServerResponse, echo: string) => unknown>> = {
  "401-in-text": (response, echo) => response.writeHead(401, { "x-request-id": echo }).end(echo),
  "400-in-json": (response, echo) =>
    json(
      response,
      400,
      { status: 400, error: `BAD_REQUEST: ${echo}`, message: echo, requestId: echo },
      { "x-request-id": echo }
    ),
  "429-with-a-date": (response, echo) => json(response, 429, { error: echo, message: echo }, { "retry-after": echo }),
  "500-in-html": (response, echo) =>
    response.writeHead(500, { "content-type": "text/html" }).end(`<html><title>${echo}</title>${echo}</html>`),
  redirect: (response, echo) =>
    response.writeHead(302, { location: `http://127.0.0.1:1/${encodeURIComponent(echo)}` }).end(echo),
  "200-no-json": (response, echo) =>
    response.writeHead(200, { "content-type": "application/json" }).end(`{"x":"${echo}`),
  "200-other-shape": (response, echo) =>
    json(response, 200, { status: 200, requestId: 7, result: { keySecret: echo, key: echo }, data: echo }),
  "cut-off": (response, echo) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100000" })
    response.write(echo, () => response.socket?.destroy())
  },
  reset: (response) => response.socket?.resetAndDestroy(),
  silence: () => undefined
}

const startEchoServices = () =>
  serveLocally(async (request, response) => {
    const service = echoServices[(request.url ?? "").split("/")[1] ?? ""]
    if (service === undefined) throw new Error(`no echo service at ${request.url}`)
    service(response, echoOf(request, (await bodyOf(request)).toString("utf8")))
  })

/** Every verb of the command line. */
const commands: ReadonlyArray<ReadonlyArray<string>> = [
  ["pipe", "get", ids.pipe],
  ["pipe", "delete", ids.unknown, "--yes"],
  ["key", "create", "--name", "x", "--role", "admin"],
  ["dashboard", "create", "--name", "x"],
  ["dashboard", "list"]
]

interface Credentials {
  readonly keySecret: string
  readonly token: string
}

const variablesOf = (url: string, { keySecret, token }: Credentials, organization = ids.organization) => ({
  HEADGATE_URL: url,
  HEADGATE_ORGANIZATION: organization,
  HEADGATE_SERVICE: ids.service,
  HEADGATE_KEY_ID: "key-of-admin",
  HEADGATE_KEY_SECRET: keySecret,
  HEADGATE_TOKEN: token
})

const verbose = ["--log-level", "all", "--max-retries", "0"]

type Run = readonly [name: string, invocation: Invocation]

const successfulRuns = (
  { canaries }: Capture,
  env: Record<string, string>,
  { environment }: CanaryServer
): ReadonlyArray<Run> => {
  const created = (stdout: string) => [
    canaries.know("secret of a key that `key create` prints", /keySecret"?:? +"?(\w+)/.exec(stdout)?.[1] ?? "")
  ]
  const run = (args: ReadonlyArray<string>, shows?: Invocation["shows"]): Run => [
    args.join(" "),
    { args: [...args, ...verbose], env, succeeds: true, ...(shows && { shows }) }
  ]
  const create = ["key", "create", "--name", "x", "--role", "admin"]
  return [
    run(["pipe", "get", ids.pipe]),
    run(["pipe", "get", ids.pipe, "--json"], () => [environment.connectionString]),
    ...[[], ["--json"], ["--local-secret"], ["--local-secret", "--json"]].map((flags) =>
      run([...create, ...flags], created)
    ),
    run(["dashboard", "create", "--name", "x"]),
    run(["dashboard", "list", "--json"])
  ]
}

/** Every verb, rejected in each way or not answered, with credentials in the environment, in a flag and on stdin. */
const failingRuns = (capture: Capture, right: Credentials, url: string, echoUrl: string): ReadonlyArray<Run> =>
  commands.flatMap((command): ReadonlyArray<Run> => {
    const verb = command.slice(0, 2).join(" ")
    const usesKey = !verb.startsWith("dashboard")
    const wrong = { keySecret: capture.secret(`${verb}, wrong secret`), token: capture.secret(`${verb}, wrong token`) }
    const flag = usesKey ? "--key-secret" : "--token"
    const typed = usesKey ? wrong.keySecret : wrong.token
    const { HEADGATE_KEY_SECRET: _secret, HEADGATE_TOKEN: _token, ...withoutSecrets } = variablesOf(url, wrong)
    const inUrl = capture.secret(`${verb}, password in the URL`)
    const args = [...command, ...verbose]
    const at = (address: string) => ({ args, env: variablesOf(address, right) })
    return [
      [`${verb}, wrong credentials`, { args, env: variablesOf(url, wrong) }],
      [`${verb}, as flags`, { args: [...args, flag, typed], env: withoutSecrets }],
      [`${verb}, on stdin`, { args: [...args, flag, "-", "--json"], env: withoutSecrets, stdin: `${typed}\n` }],
      ...(usesKey && verb !== "pipe delete"
        ? [[`${verb}, another organization`, { args, env: variablesOf(url, right, ids.other) }] as const]
        : []),
      [`${verb}, nothing listens`, at("http://127.0.0.1:1")],
      [`${verb}, nothing listens, JSON`, { ...at("http://127.0.0.1:1"), args: [...args, "--json"] }],
      [`${verb}, unknown host`, at("https://headgate.invalid")],
      [`${verb}, password in the URL`, at(`https://u:${inUrl}@127.0.0.1:1`)],
      [`${verb}, password in a bad URL`, at(`https://u:${inUrl}@127.0.0.1:port`)],
      [`${verb}, without TLS`, at("http://192.0.2.1")],
      ...Object.keys(echoServices)
        // A deletion reads nothing from a 200 but its status.
        .filter((service) => service !== "200-other-shape" || verb !== "pipe delete")
        .map((service, index): Run => {
          const flags = [...(index % 2 === 0 ? ["--json"] : []), "--timeout", "2s"]
          return [`${verb}, ${service}`, { ...at(`${echoUrl}/${service}`), args: [...args, ...flags] }]
        })
    ]
  })

/** Wrong command lines with a canary in them, and dashboard files that cannot be read. */
const wrongRuns = (capture: Capture, env: Record<string, string>): ReadonlyArray<Run> => {
  const get = ["pipe", "get", ids.pipe]
  const lines: Readonly<Record<string, (secret: string) => ReadonlyArray<string>>> = {
    "a misspelt flag": (secret) => [...get, "--key-secrt", secret],
    "a misspelt flag with =": (secret) => [...get, `--key-secrt=${secret}`],
    "a misspelt flag before the verb": (secret) => ["--key-secrt", secret, ...get],
    "a flag with one dash": (secret) => [...get, "-key-secret", secret],
    "an unknown flag beside it": (secret) => [...get, "--key-secret", secret, "--bogus"],
    "a bad id beside it": (secret) => ["pipe", "get", "no-uuid", "--key-secret", secret],
    "a bad timeout beside it": (secret) => [...get, "--token", secret, "--timeout", "soon"],
    "a flag twice": (secret) => [...get, "--key-secret", secret, "--key-secret", `${secret}x`],
    "an unknown secret flag": (secret) => ["key", "create", "--name", "x", "--role", "admin", "--secret", secret],
    "no verb": (secret) => ["pipe", "--key-secret", secret, "bogus"],
    "a missing setting": (secret) => ["dashboard", "list", "--key-secret", secret, "--token", "", "--url", "bogus"]
  }
  const home = capture.directory()
  const inFile = (name: string, content: (secret: string) => unknown): Run => {
    const file = join(home, `${name}.json`)
    writeFileSync(file, JSON.stringify(content(capture.secret(`dashboard file: ${name}`))))
    return [`dashboard file: ${name}`, { args: ["dashboard", "create", "--file", file, ...verbose], env }]
  }
  return [
    ...Object.entries(lines).flatMap(([name, line]): ReadonlyArray<Run> => {
      const args = [...line(capture.secret(`command line: ${name}`)), ...verbose]
      return [
        [`command line: ${name}`, { args, env }],
        [`command line: ${name}, JSON`, { args: [...args, "--json"], env }]
      ]
    }),
    inFile("a bad field", (secret) => ({ name: "x", tags: [secret], tiles: [{ x: secret }] })),
    inFile("another document", (secret) => secret)
  ]
}

/** The command line through every verb and every failure. */
export const commandLine = async (capture: Capture): Promise<void> => {
  const started = await capture.startServer("server of the command line", [
    "--login-limit",
    "off",
    "--log-level",
    "all"
  ])
  const { server, environment } = started
  const echo = await startEchoServices()
  const right = { keySecret: environment.keys.admin.secret, token: environment.token }
  const env = variablesOf(server.url, right)
  const runs = [
    ...successfulRuns(capture, env, started),
    ...failingRuns(capture, right, server.url, echo.url),
    ...wrongRuns(capture, env)
  ]
  await capture.parallel(
    runs.map(
      ([name, invocation]) =>
        () =>
          capture.run(`headgate ${name}`, capture.cli, invocation)
    )
  )
  await echo.close()
  await capture.stopServer(started)
}
