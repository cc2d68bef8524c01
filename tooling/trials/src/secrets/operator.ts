import { bodyOf, type LocalServer, serveLocally } from "@headgate/harness/ReverseProxy"
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join, relative } from "node:path"
import type { Canary } from "./Canaries.ts"
import type { Invocation, Capture } from "./Capture.ts"
import { hasProcessList, watchProcesses } from "./processList.ts"
import { ids } from "./environment.ts"

// Headers of one connection, and those that `fetch` sets.
const ofConnection = new Set(["connection", "keep-alive", "transfer-encoding", "content-length", "host"])

const brokerPasswordIn = /("credentials":\{"username":"headgate","password":)"(\w+)"/

/**
 * Stands between the command line and the server, and keeps every request. `Authorization` holds the credentials of the API,
 * and the creation or the change of a pipe the password of its broker, in its own field. Neither may be anywhere else.
 */
const startRecorder = async (capture: Capture, target: string, token: string, password: Canary) => {
  let passwords = 0
  const keep = ({ headers, method = "GET", url = "" }: IncomingMessage, body: string) => {
    const { authorization = "", ...others } = headers
    const isExpected = url.startsWith("/api/v2/")
      ? authorization === `Bearer ${token}`
      : /^Basic \S+$/.test(authorization)
    const changesPipe = /\/dbpipes(\/|$)/.test(url) && ["POST", "PATCH"].includes(method)
    const hasPassword = changesPipe && brokerPasswordIn.exec(body)?.[2] === password.value
    if (hasPassword) passwords++
    const rest = hasPassword ? body.replace(brokerPasswordIn, "$1") : body
    const kept = `${url} ${JSON.stringify(others)} ${isExpected ? "" : authorization}\n${rest}`
    capture.canaries.add(`request ${method} ${url}`, kept)
  }
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await bodyOf(request)).toString("utf8")
    keep(request, body)
    const { headers, method = "GET", url = "" } = request
    const sent = Object.entries(headers).filter(([name]) => !ofConnection.has(name))
    const answer = await fetch(new URL(url, target), {
      method,
      headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
      ...(body === "" ? {} : { body })
    })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  }
  const proxy: LocalServer = await serveLocally(pass)
  return { ...proxy, passwords: () => passwords }
}

const foreign = "${env:HEADGATE_KEY_SECRET} ${file:shop.secret} ${env:HEADGATE_TOKEN}"

/** The files of somebody else: texts that would be secrets if they were resolved where they stand. */
const foreignDashboard = JSON.stringify({
  name: foreign,
  tags: ["${env:HEADGATE_TOKEN}"],
  tiles: [{ name: foreign, x: 0, y: 0, w: 24, h: 2, series: [{ type: "markdown", content: foreign, where: foreign }] }]
})

const pipeFile = `name: orders
source:
  kafka:
    type: confluent
    format: JSONEachRow
    brokers: broker.example.com:9092
    topics: "${foreign}"
    authentication: PLAIN
    credentials: { username: headgate, password: "\${env:ORDERS_PASSWORD}" }
destination: { database: analytics, table: orders, managedTable: true, columns: [{ name: id, type: UInt64 }] }
`

const keyFile = `name: ci
roles: [developer]
ipAccessList:
  - { source: 203.0.113.0/24, description: "${foreign}" }
`

type Step = Invocation & { readonly env: Readonly<Record<string, string>> }

/** What an operator does with secrets: sign in, keep files, rotate keys, look at what would be sent, sign out. */
export const operator = async (capture: Capture): Promise<void> => {
  const { canaries } = capture
  const started = await capture.startServer("server of the operator", ["--login-limit", "off"])
  const { keyId, secret } = started.environment.keys.admin
  const { token } = started.environment
  const keySecret = canaries.of(secret)
  const bearer = canaries.of(token)
  const password = canaries.plant("password of a broker")
  const shop = canaries.plant("secret that no file may use")
  const recorder = await startRecorder(capture, started.server.url, token, password)

  const home = capture.directory()
  const config = join(home, "config")
  const work = join(home, "work")
  const files = join(work, "files")
  for (const directory of [config, files]) mkdirSync(directory, { recursive: true })
  // The operator wrote this one.
  const secrets = capture.directory()
  writeFileSync(join(secrets, "shop.secret"), shop.value)
  writeFileSync(join(files, "foreign.dashboard.json"), foreignDashboard)
  writeFileSync(join(files, "orders.pipe.yaml"), pipeFile)
  writeFileSync(join(files, "ci.key.yaml"), keyFile)

  const profileOnly = { HOME: home, XDG_CONFIG_HOME: config, ORDERS_PASSWORD: password.value }
  const everything = {
    ...profileOnly,
    HEADGATE_URL: recorder.url,
    HEADGATE_ORGANIZATION: ids.organization,
    HEADGATE_SERVICE: ids.service,
    HEADGATE_KEY_ID: keyId,
    HEADGATE_KEY_SECRET: secret,
    HEADGATE_TOKEN: token
  }

  const run = async ({ args, succeeds = true, ...options }: Step) => {
    const processes = hasProcessList ? watchProcesses() : undefined
    const name = `headgate ${args.join(" ")}`
    const ended = await capture.run(name, capture.cli, { args, ...options, cwd: work, succeeds })
    const list = processes?.stop()
    if (list === undefined) return ended
    if (!list.includes(capture.cli)) throw new Error(`${name}: it was not in the process list`)
    canaries.add(`${name}, process list`, list)
    return ended
  }

  /** Searches every file of the operator, and the mode of those that hold a secret. */
  const searchFiles = (when: string, shows: Readonly<Record<string, ReadonlyArray<Canary>>>) => {
    for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const name = relative(home, path)
      canaries.add(`${when}, file ${name}`, readFileSync(path), shows[name] ?? [])
      const mode = (statSync(path).mode & 0o777).toString(8)
      if (shows[name] !== undefined && mode !== "600") canaries.fault(`${when}: ${name} has secrets and mode ${mode}`)
    }
  }

  const profile = "config/headgate/config.json"
  const signIn = ["login", "--url", recorder.url, "--key-id", keyId, "--key-secret", "-", "--verbose"]
  await run({ args: ["login", "--verbose", "--profile", "default"], env: everything })
  await run({ args: [...signIn, "--profile", "second", "--json"], env: profileOnly, stdin: `${secret}\n` })
  searchFiles("after login", { [profile]: [keySecret, bearer] })

  const inFiles = ["-f", files, "--secrets-dir", secrets]
  const newPipe = ["pipe", "create", "--file", join(work, "pipe.json")]
  writeFileSync(
    join(work, "pipe.json"),
    JSON.stringify({ name: "by hand", source: { kafka: { brokers: foreign, topics: "a" } } })
  )
  const first: ReadonlyArray<Step> = [
    { args: ["whoami", "--explain", "--verbose", "--profile", "default"], env: profileOnly },
    { args: ["whoami", "--json", "--profile", "second"], env: profileOnly },
    { args: ["profile", "list", "--json"], env: profileOnly },
    { args: ["pipe", "list", "--verbose", "--profile", "default"], env: profileOnly },
    { args: ["api", "GET", `/v1/organizations/${ids.organization}`, "--verbose"], env: everything },
    { args: ["api", "POST", `/v1/organizations/${ids.organization}/keys`, "--dry-run"], env: everything },
    { args: [...newPipe, "--dry-run"], env: everything },
    { args: ["dashboard", "create", "--file", join(files, "foreign.dashboard.json"), "--dry-run"], env: everything },
    { args: ["dashboard", "create", "--file", join(files, "foreign.dashboard.json"), "--verbose"], env: everything },
    // Exit code 3: there are differences.
    { args: ["diff", "-f", files, "--verbose"], env: everything, succeeds: false },
    { args: ["apply", ...inFiles, "--dry-run", "--yes", "--verbose"], env: everything, succeeds: false },
    { args: ["apply", ...inFiles, "--yes", "--verbose"], env: everything },
    { args: ["apply", ...inFiles, "--yes", "--send-secrets", "--json"], env: everything },
    { args: ["export", "--dir", join(work, "exported"), "--verbose"], env: everything },
    { args: ["export", "--dir", files, "--format", "json", "--json"], env: everything },
    { args: ["key", "rotate", "developer", "--yes", "--dry-run", "--verbose"], env: everything },
    { args: ["key", "create", "--name", "x", "--role", "admin", "--dry-run"], env: everything }
  ]
  for (const step of first) await run(step)
  if (recorder.passwords() === 0)
    throw new Error("the password of the broker was in no request: its search proves nothing")
  searchFiles("after apply and export", { [profile]: [keySecret, bearer] })

  const made = (kind: string, text: string) =>
    canaries.know(kind, /KEY_SECRET=['"]?(\w+)/.exec(text)?.[1] ?? /keySecret"?:? +"?(\w+)/.exec(text)?.[1] ?? "")
  const print = ["key", "rotate", "disabled", "--yes", "--json", "--store", "stdout"]
  await run({ args: print, env: everything, shows: (stdout) => [made("secret of a key that was rotated", stdout)] })
  const toFile = ["--store", "env-file", "--credentials-file", join(work, "new.env"), "--yes", "--verbose"]
  await run({ args: ["key", "rotate", "developer", ...toFile], env: everything })
  const inFile = made("secret of a key in a file", readFileSync(join(work, "new.env"), "utf8"))
  // The key of the profile. The other profile has the old secret, which works for a day.
  await run({ args: ["key", "rotate", "admin", "--yes", "--verbose", "--profile", "default"], env: profileOnly })
  const rotated = made("secret of the rotated key of the profile", readFileSync(join(home, profile), "utf8"))
  searchFiles("after key rotate", { [profile]: [rotated, keySecret, bearer], "work/new.env": [inFile] })

  await run({ args: ["logout", "--profile", "default"], env: profileOnly })
  await run({ args: ["logout", "--profile", "second"], env: profileOnly })
  searchFiles("after logout", { "work/new.env": [inFile] })
  await recorder.close()
  await capture.stopServer(started)
}
