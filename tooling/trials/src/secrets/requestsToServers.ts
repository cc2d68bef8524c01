// Requests to servers that run: successes, rejections, broken connections, failing databases, limits, TLS, `--admin`.
import { startServer } from "@headgate/harness/ServerProcess"
import { basic, bearer, dashboardsPath } from "@headgate/harness/Snapshot"
import { requestBytes } from "@headgate/harness/WireConnection"
import { writeFileSync } from "node:fs"
import { request as httpsRequest } from "node:https"
import { connect as connectTcp } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { connect as connectTls } from "node:tls"
import { generate } from "selfsigned"
import type { CanaryServer, Stage } from "./Stage.ts"
import { authorizationFor, badBodies, failedLogins, operationRequests, rejections, successes } from "./requests.ts"
import { ids, makeWorld, theKeys, thePipe } from "./world.ts"

const verbose = ["--log-level", "all"]
// Until the server has noticed that a connection broke or a file changed.
const noticed = () => sleep(300)

/** Connections that break in the head, in the body, and before the answer. */
const breakConnections = async (stage: Stage, { server, world }: CanaryServer): Promise<void> => {
  const { hostname, port } = new URL(server.url)
  const whole = requestBytes({
    method: "POST",
    path: theKeys,
    authorization: world.keys.admin.authorization,
    body: { name: "", text: stage.secret("text of a body that was cut off") }
  })
  for (const bytes of [whole.subarray(0, 150), whole.subarray(0, -10), whole]) {
    const socket = connectTcp({ host: hostname, port: Number(port) })
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject))
    await new Promise((resolve) => socket.write(bytes, resolve))
    socket.resetAndDestroy()
  }
  await noticed()
}

const hide = (...tables: ReadonlyArray<string>) => tables.map((table) => `ALTER TABLE ${table} RENAME TO gone_${table}`)
const restore = (...tables: ReadonlyArray<string>) =>
  tables.map((table) => `ALTER TABLE gone_${table} RENAME TO ${table}`)

/** Ways in which the database fails the server. `unknown`: the status for credentials that do not exist. */
const databaseFaults = [
  {
    name: "credentials cannot be read",
    sql: hide("api_key", "token"),
    repair: restore("api_key", "token"),
    unknown: 500
  },
  {
    name: "nothing else can be read or stored",
    sql: [
      ...hide("pipe", "dashboard"),
      "CREATE TRIGGER full BEFORE INSERT ON api_key BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
    ],
    repair: ["DROP TRIGGER full", ...restore("pipe", "dashboard")],
    unknown: 401
  }
]

/**
 * Calls every operation while the database fails. Returns how many requests were answered with 500. Then exports pipes
 * whose stored document is broken.
 */
const breakDatabase = async (stage: Stage, { data, server, where, world }: CanaryServer): Promise<number> => {
  const database = new DatabaseSync(join(data, "headgate.sqlite"))
  let faults = 0
  for (const { name, repair, sql, unknown } of databaseFaults) {
    for (const statement of sql) database.exec(statement)
    const guess = stage.secret(`guess at a secret: ${name}`)
    for (const { api, body, ...request } of operationRequests) {
      const own = {
        ...request,
        // Every creation has a name, so the canary gets as far as the store.
        body: body && { ...body, name: stage.secret(`name that could not be stored: ${name}`) }
      }
      const unknownCredentials = api === "observability" ? bearer(guess) : basic("nobody", guess)
      const send = (authorization: string, status: number) =>
        stage.send(`${where}, ${name}`, server.url, { ...own, authorization, status })
      await send(authorizationFor(api, world), 500)
      await send(unknownCredentials, unknown)
      faults += unknown === 500 ? 2 : 1
    }
    for (const statement of repair) database.exec(statement)
  }

  // The server sends a stored document without parsing it (ADR 13); the export parses it.
  const { document } = database.prepare("SELECT document FROM pipe WHERE id = ?").get(ids.pipe) ?? {}
  const whole = String(document)
  const { value } = world.connectionString
  if (!whole.includes(value)) throw new Error("the pipe is not stored as this trial expects")
  const update = database.prepare("UPDATE pipe SET document = ? WHERE id = ?")
  const broken = {
    "a document of another shape": whole.replace(`"AccountKey=${value};"`, `["AccountKey=${value};"]`),
    "a document that is not JSON": whole.slice(0, whole.indexOf(value) + value.length)
  }
  for (const [name, text] of Object.entries(broken)) {
    update.run(text, ids.pipe)
    await stage.run(`${where}, export of ${name}`, stage.server, { args: ["export", "--data", data, ...verbose] })
  }
  update.run(whole, ids.pipe)
  database.close()
  return faults
}

/** Every operation and failure, at two log levels. */
export const overHttp = async (stage: Stage): Promise<void> => {
  for (const flags of [[], verbose]) {
    const started = await stage.startServer(["server", ...flags].join(" "), "--login-limit", "off", ...flags)
    const { server, where, world } = started
    const requests = [...successes(stage, world), ...failedLogins(stage, world), ...rejections(stage, world)]
    for (const request of [...requests, ...badBodies(stage, world)]) await stage.send(where, server.url, request)
    await breakConnections(stage, started)
    const faults = await breakDatabase(stage, started)
    const logged = (await stage.stopServer(started)).split("a request failed").length - 1
    if (logged !== faults) throw new Error(`${where}: ${faults} requests failed, but ${logged} were logged`)
  }
}

/** Callers that have reached a limit: 429. */
export const overLimits = async (stage: Stage): Promise<void> => {
  const flags = ["--login-limit", "1/h", "--rate-limit", "1/h", ...verbose]
  const started = await stage.startServer("server with limits", ...flags)
  const { server, where, world } = started
  const readPipe = { name: "pipe.get", method: "GET", path: thePipe }
  const list = { name: "dashboard.list", method: "GET", path: dashboardsPath, authorization: world.bearer }
  const asAdmin = { ...readPipe, authorization: world.keys.admin.authorization }
  const guessing = { ...readPipe, authorization: basic("nobody", stage.secret("guess beyond the limit")) }
  const shows = () => [world.connectionString]
  await stage.send(where, server.url, { ...asAdmin, status: 200, shows })
  await stage.send(where, server.url, { ...asAdmin, status: 429 })
  for (const status of [200, 429]) await stage.send(where, server.url, { ...list, status })
  for (const status of [401, 429]) await stage.send(where, server.url, { ...guessing, status })
  await stage.stopServer(started)
}

/** The journal and the injected faults of a server with `--admin`. */
export const overAdmin = async (stage: Stage): Promise<void> => {
  const started = await stage.startServer("server with --admin", "--admin", "--login-limit", "off", ...verbose)
  const { server, where, world } = started
  const admin = async (method: string, path: string, body?: string) => {
    const headers = { "content-type": "application/json" }
    const response = await fetch(`${server.url}/_admin/${path}`, { method, headers, ...(body && { body }) })
    const text = await response.text()
    stage.canaries.add(`${where}, answer to ${method} ${path}`, text)
    if (!response.ok) throw new Error(`${where}, ${method} ${path}: ${response.status}: ${text}`)
    return text
  }
  await admin("POST", "seed", world.snapshot)
  const requests = [...failedLogins(stage, world), ...rejections(stage, world), ...successes(stage, world)]
  for (const request of requests) await stage.send(where, server.url, request)
  await admin("PUT", "faults", JSON.stringify({ rules: [{ status: 500 }] }))
  for (const request of failedLogins(stage, world)) {
    await stage.send(`${where}, injected fault`, server.url, { ...request, status: 500 })
  }
  await admin("GET", "faults")
  const { matched } = JSON.parse(await admin("GET", "requests"))
  if (matched < requests.length)
    throw new Error(`${where}: the journal holds ${matched} of ${requests.length} requests`)
  await admin("POST", "reset")
  await stage.stopServer(started)
}

const overHttps = (url: string, authorization: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { headers: { authorization }, rejectUnauthorized: false }
    const request = httpsRequest(`${url}${thePipe}`, options, async (answer) => {
      resolve(`${answer.statusCode} ${(await answer.toArray()).join("")}`)
    })
    request.once("error", reject).end()
  })

const closed = (socket: { once: (event: "close", listener: () => void) => unknown }) =>
  new Promise<void>((resolve) => socket.once("close", resolve))

/** Plain HTTP to the TLS port, a rejected certificate, and connections that break after the handshake. */
const breakTls = async (url: string, bytes: Buffer): Promise<void> => {
  const { hostname: host, port: text } = new URL(url)
  const port = Number(text)
  const plain = connectTcp({ host, port }, () => plain.write(bytes))
  plain.on("error", () => undefined).resume()
  await closed(plain)
  const untrusting = connectTls({ host, port }, () => untrusting.write(bytes))
  untrusting.on("error", () => undefined)
  await closed(untrusting)
  for (const part of [bytes.subarray(0, 100), bytes]) {
    const broken = connectTls({ host, port, rejectUnauthorized: false })
    broken.on("error", () => undefined)
    await new Promise((resolve) => broken.once("secureConnect", resolve))
    await new Promise((resolve) => broken.write(part, resolve))
    broken.destroy()
  }
  await noticed()
}

const notAKey = (secret: string) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`

/** TLS connections that break, and key files that are not keys. */
export const overTls = async (stage: Stage): Promise<void> => {
  const { canaries, cli, server: script } = stage
  const home = stage.directory()
  const [cert, key, snapshot] = [join(home, "cert.pem"), join(home, "key.pem"), join(home, "snapshot.json")]
  const subject = [{ name: "commonName", value: "localhost" }]
  const { cert: certificate, private: privateKey } = await generate(subject, { keySize: 2048 })
  const world = makeWorld(canaries)
  writeFileSync(snapshot, world.snapshot)
  writeFileSync(cert, certificate)
  writeFileSync(key, privateKey)
  canaries.know("the private key", (privateKey.split("\n")[5] ?? "").slice(0, 48))
  const flags = ["--memory", "--tls-cert", cert, "--tls-key", key, "--import", snapshot, ...verbose]
  const server = await startServer(script, ...flags)
  const { authorization, keyId, secret } = world.keys.admin
  canaries.add("answer over TLS", await overHttps(server.url, authorization), [world.connectionString])
  await breakTls(server.url, requestBytes({ method: "GET", path: thePipe, authorization }))
  await stage.run("headgate pipe get, untrusted certificate", cli, {
    args: ["pipe", "get", ids.pipe, "--max-retries", "0", ...verbose],
    env: {
      HEADGATE_URL: server.url,
      HEADGATE_ORGANIZATION: ids.organization,
      HEADGATE_SERVICE: ids.service,
      HEADGATE_KEY_ID: keyId,
      HEADGATE_KEY_SECRET: secret
    }
  })

  // SIGHUP makes the server read the file again.
  for (const content of [notAKey(stage.secret("a bad key file on SIGHUP")), privateKey.slice(0, -200)]) {
    writeFileSync(key, content)
    process.kill(server.pid, "SIGHUP")
    await noticed()
  }
  const { stderr, stdout } = await server.stop()
  if (!`${stdout}${stderr}`.includes("the old one is kept"))
    throw new Error("the server did not read its key file again")
  canaries.add("server over TLS, stdout", stdout)
  canaries.add("server over TLS, stderr", stderr, stage.minted("the server over TLS", stderr))

  const inFile = stage.secret("a bad key file at the start")
  for (const content of [notAKey(inFile), inFile]) {
    writeFileSync(key, content)
    await stage.run("a start with a bad key file", script, { args: ["--port", "0", ...flags] })
  }
}
