// Requests to servers that run: successes, rejections, broken connections, failing databases, limits, TLS, `--admin`.
import { basic, bearer, dashboardsPath } from "@headgate/harness/Snapshot"
import { requestBytes, WireConnection } from "@headgate/harness/WireConnection"
import { writeFileSync } from "node:fs"
import { request as httpsRequest } from "node:https"
import { connect as connectTcp } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { connect as connectTls } from "node:tls"
import { generate } from "selfsigned"
import type { CanaryRequest, CanaryServer, Capture } from "./Capture.ts"
import {
  authorizationFor,
  badBodies,
  failedLogins,
  failedSignIns,
  operationRequests,
  ownName,
  rejections,
  successes
} from "./requests.ts"
import { storeSecrets } from "./storedSecrets.ts"
import { ids, theKeys, thePipe } from "./environment.ts"

const verbose = ["--log-level", "all"]
// Until the server has noticed that a connection broke or a file changed.
const noticed = () => sleep(300)

/** Connections that break in the head, in the body, and before the answer. */
const breakConnections = async (capture: Capture, { server, environment }: CanaryServer): Promise<void> => {
  const { hostname, port } = new URL(server.url)
  const whole = requestBytes({
    method: "POST",
    path: theKeys,
    authorization: environment.keys.admin.authorization,
    body: { name: "", text: capture.secret("text of a body that was cut off") }
  })
  for (const bytes of [whole.subarray(0, 150), whole.subarray(0, -10), whole]) {
    const socket = connectTcp({ host: hostname, port: Number(port) })
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject))
    await new Promise((resolve) => socket.write(bytes, resolve))
    socket.resetAndDestroy()
  }
  await noticed()
}

/** The tables that a login reads. */
const credentialTables = ["api_key", "token"]

const tablesOf = (database: DatabaseSync): ReadonlyArray<string> =>
  database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))

const hide = (tables: ReadonlyArray<string>) => tables.map((table) => `ALTER TABLE ${table} RENAME TO gone_${table}`)
const restore = (tables: ReadonlyArray<string>) => tables.map((table) => `ALTER TABLE gone_${table} RENAME TO ${table}`)

/** Ways in which the database fails the server. `unknown`: the status for credentials that do not exist. */
const databaseFaults = (database: DatabaseSync) => {
  const others = tablesOf(database).filter((table) => !credentialTables.includes(table))
  return [
    {
      name: "credentials cannot be read",
      sql: hide(credentialTables),
      repair: restore(credentialTables),
      unknown: 500
    },
    {
      name: "nothing else can be read or stored",
      sql: [
        ...hide(others),
        "CREATE TRIGGER full BEFORE INSERT ON api_key BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
      ],
      repair: ["DROP TRIGGER full", ...restore(others)],
      unknown: 401
    }
  ]
}

/**
 * Calls every operation while the database fails. One that reads nothing of what is gone answers as before; any other answers
 * 500. Returns how many did. Then exports pipes whose stored document is broken.
 */
const breakDatabase = async (capture: Capture, { data, server, where, environment }: CanaryServer): Promise<number> => {
  const database = new DatabaseSync(join(data, "headgate.sqlite"))
  database.exec("PRAGMA secure_delete = ON")
  const answered = new Map<string, number>()
  const connection = new WireConnection({ url: server.url })
  for (const { api, ...request } of operationRequests) {
    const authorization = authorizationFor(api, environment)
    // The tables decide about the rest: no organization, service or resource of the unknown id exists.
    const path = request.path.replace(ids.pipe, ids.unknown)
    const { status } = await connection.send({ ...request, path, authorization })
    if (status >= 500) throw new Error(`${request.name}: ${status} while the database is whole`)
    answered.set(request.name, status)
  }
  connection.close()
  let faults = 0
  for (const { name, repair, sql, unknown } of databaseFaults(database)) {
    for (const statement of sql) database.exec(statement)
    const guess = capture.secret(`guess at a secret: ${name}`)
    const failed = new Set<string>()
    for (const { api, body, ...request } of operationRequests) {
      const own = {
        ...request,
        path: request.path.replace(ids.pipe, ids.unknown),
        // Every creation has a name, so the canary gets as far as the store. A validation answers what it was sent.
        body:
          body && !request.name.endsWith(".validate")
            ? { ...body, name: capture.secret(`name that could not be stored: ${name}`) }
            : body
      }
      const at = `${where}, ${name}`
      const { status } = await capture.sendAny(at, server.url, {
        ...own,
        authorization: authorizationFor(api, environment)
      })
      if (status === 500) failed.add(request.name)
      else if (unknown === 500 || status !== answered.get(request.name)) {
        throw new Error(`${at}: ${request.name} was answered with ${status}, not 500`)
      }
      const unknownCredentials = api === "observability" ? bearer(guess) : basic("nobody", guess)
      await capture.send(at, server.url, { ...own, authorization: unknownCredentials, status: unknown })
      faults += (status === 500 ? 1 : 0) + (unknown === 500 ? 1 : 0)
    }
    // Only operations on keys read no other table than a login does.
    const whole = operationRequests.filter((each) => !failed.has(each.name) && !each.name.startsWith("key."))
    // A validation, and a chart of a server without a warehouse, read nothing.
    if (whole.some((each) => !/\.validate$|^chart\./.test(each.name))) {
      throw new Error(`${where}, ${name}: did not fail: ${whole.map((each) => each.name).join()}`)
    }
    for (const statement of repair) database.exec(statement)
  }

  // The server sends a stored document without parsing it (ADR 13); the export parses it.
  const { document } = database.prepare("SELECT document FROM pipe WHERE id = ?").get(ids.pipe) ?? {}
  const whole = String(document)
  const { value } = environment.connectionString
  if (whole.includes(value)) throw new Error("the connection string of a pipe is stored in plain text")
  const update = database.prepare("UPDATE pipe SET document = ? WHERE id = ?")
  const text = capture.secret("text of a broken document")
  const broken = {
    "a document of another shape": whole.replace('"archive"', `["${text}"]`),
    "a document that is not JSON": whole.replace('"archive"', `"${text}`)
  }
  for (const [name, changed] of Object.entries(broken)) {
    if (changed === whole) throw new Error("the pipe is not stored as this trial expects")
    update.run(changed, ids.pipe)
    await capture.run(`${where}, export of ${name}`, capture.server, { args: ["export", "--data", data, ...verbose] })
  }
  update.run(whole, ids.pipe)
  // The search of the files must not find what this trial wrote into them.
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  database.close()
  return faults
}

/** Every operation and failure, at two log levels, with traces. */
export const overHttp = async (capture: Capture): Promise<void> => {
  const collector = await capture.startCollector()
  for (const flags of [[], verbose]) {
    const observed = [...flags, "--otlp-endpoint", collector.url]
    const started = await capture.startServer(["server", ...flags].join(" "), [
      "--login-limit",
      "off",
      ...ownName,
      ...observed
    ])
    const { server, where, environment } = started
    const requests = [
      ...successes(capture, environment),
      ...failedLogins(capture, environment),
      ...failedSignIns(capture),
      ...rejections(capture, environment)
    ]
    for (const request of [...requests, ...badBodies(capture, environment)])
      await capture.send(where, server.url, request)
    await storeSecrets(capture, started)
    await breakConnections(capture, started)
    const faults = await breakDatabase(capture, started)
    const logged = (await capture.stopServer(started)).split("a request failed").length - 1
    if (logged !== faults) throw new Error(`${where}: ${faults} requests failed, but ${logged} were logged`)
  }
  const received = await collector.stop()
  if (!received.includes("SqlPipes.create")) throw new Error("the collector received no trace of a creation")
}

/** Callers that have reached a limit: 429. */
export const overLimits = async (capture: Capture): Promise<void> => {
  const flags = ["--login-limit", "1/h", "--rate-limit", "1/h", ...verbose]
  const started = await capture.startServer("server with limits", flags)
  const { server, where, environment } = started
  const readPipe = { name: "pipe.get", method: "GET", path: thePipe }
  const list = { name: "dashboard.list", method: "GET", path: dashboardsPath, authorization: environment.bearer }
  const asAdmin = { ...readPipe, authorization: environment.keys.admin.authorization }
  const guessing = { ...readPipe, authorization: basic("nobody", capture.secret("guess beyond the limit")) }
  const shows = () => [environment.connectionString]
  await capture.send(where, server.url, { ...asAdmin, status: 200, shows })
  await capture.send(where, server.url, { ...asAdmin, status: 429 })
  for (const status of [200, 429]) await capture.send(where, server.url, { ...list, status })
  for (const status of [401, 429]) await capture.send(where, server.url, { ...guessing, status })
  await capture.stopServer(started)
}

/** The journal and the injected faults of a server with `--admin`. */
export const overAdmin = async (capture: Capture): Promise<void> => {
  const adminToken = capture.secret("admin token").padEnd(32, "x")
  const file = join(capture.directory(), "admin-token")
  writeFileSync(file, adminToken)
  const flags = ["--admin", "--admin-token-file", file, "--login-limit", "off", ...ownName, ...verbose]
  const started = { ...(await capture.startServer("server with --admin", flags)), adminToken }
  const { server, where, environment } = started
  await capture.admin(started, "POST", "seed", environment.snapshot)
  const guess = capture.secret("admin token that is wrong")
  await capture.send(`${where}, /_admin`, server.url, {
    name: "a wrong admin token",
    method: "GET",
    path: "/_admin/requests",
    headers: [["headgate-admin-token", guess]],
    status: 401
  })
  const before = capture.sent
  let read = 0
  /** Reads the journal and empties it. It keeps the last 1000 requests, and must not have forgotten one. */
  const readJournal = async () => {
    const { forgotten, matched } = JSON.parse(await capture.admin(started, "GET", "requests"))
    const { removed } = JSON.parse(await capture.admin(started, "DELETE", "requests"))
    if (forgotten > 0 || removed !== matched)
      throw new Error(`${where}: the journal forgot ${forgotten} requests, ${removed - matched} came after it was read`)
    read += matched
  }
  const send = async (at: string, requests: ReadonlyArray<CanaryRequest>) => {
    for (const [index, request] of requests.entries()) {
      await capture.send(at, server.url, request)
      if (index % 500 === 499) await readJournal()
    }
    await readJournal()
  }
  await send(where, [
    // A client may send its admin token with every request. The journal has none of those to /_admin.
    {
      name: "an admin token",
      method: "GET",
      path: thePipe,
      headers: [["headgate-admin-token", adminToken]],
      status: 401
    },
    ...failedLogins(capture, environment),
    ...failedSignIns(capture),
    ...rejections(capture, environment),
    ...successes(capture, environment)
  ])
  await storeSecrets(capture, started)
  await readJournal()
  await capture.admin(started, "PUT", "faults", JSON.stringify({ rules: [{ status: 500 }] }))
  const faulty = failedLogins(capture, environment).map((request) => ({ ...request, status: 500 }))
  await send(`${where}, injected fault`, faulty)
  await capture.admin(started, "GET", "faults")
  const sent = capture.sent - before
  if (read < sent) throw new Error(`${where}: the journal had ${read} of ${sent} requests`)
  await capture.admin(started, "POST", "reset")
  await capture.stopServer(started)
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
export const overTls = async (capture: Capture): Promise<void> => {
  const { canaries, cli, server: script } = capture
  const home = capture.directory()
  const [cert, key] = [join(home, "cert.pem"), join(home, "key.pem")]
  const subject = [{ name: "commonName", value: "localhost" }]
  const { cert: certificate, private: privateKey } = await generate(subject, { keySize: 2048 })
  writeFileSync(cert, certificate)
  writeFileSync(key, privateKey)
  canaries.know("the private key", (privateKey.split("\n")[5] ?? "").slice(0, 48))
  const flags = ["--tls-cert", cert, "--tls-key", key, ...verbose]
  const started = await capture.startServer("server over TLS", flags)
  const { environment, server } = started
  const { authorization, keyId, secret } = environment.keys.admin
  canaries.add("answer over TLS", await overHttps(server.url, authorization), [environment.connectionString])
  await breakTls(server.url, requestBytes({ method: "GET", path: thePipe, authorization }))
  await capture.run("headgate pipe get, untrusted certificate", cli, {
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
  for (const content of [notAKey(capture.secret("a bad key file on SIGHUP")), privateKey.slice(0, -200)]) {
    writeFileSync(key, content)
    process.kill(server.pid, "SIGHUP")
    await noticed()
  }
  if (!(await capture.stopServer(started)).includes("the old one is kept"))
    throw new Error("the server did not read its key file again")

  const inFile = capture.secret("a bad key file at the start")
  for (const content of [notAKey(inFile), inFile]) {
    writeFileSync(key, content)
    await capture.run("a start with a bad key file", script, { args: ["--port", "0", "--memory", ...flags] })
  }
}
