// The programs of headgate-server that start, fail to start, or run one command.
import { credentialHash, hashData } from "@headgate/harness/Snapshot"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { join } from "node:path"
import type { Capture } from "./Capture.ts"
import { ids, makeEnvironment } from "./environment.ts"

const verbose = ["--log-level", "all"]

/** The first start writes the credentials to a file, once, and prints none; without a file it prints them. */
export const firstStart = async (capture: Capture): Promise<void> => {
  const { canaries, server: script } = capture
  const home = capture.directory()
  const data = join(home, "data")
  const file = join(home, "credentials.json")
  const flags = ["--data", data, "--credentials-file", file, ...verbose]
  await capture.startAndStop("first start", ...flags)
  const written: ReadonlyArray<{ readonly keySecret: string; readonly token: string }> = JSON.parse(
    readFileSync(file, "utf8")
  )
  if (written.length !== 1) throw new Error(`${file} holds ${written.length} organizations, not 1`)
  const minted = written.flatMap(({ keySecret, token }) => [
    canaries.know("key secret created by the first start", keySecret),
    canaries.know("bearer token created by the first start", token)
  ])
  canaries.add("credentials file", readFileSync(file), minted)
  await capture.startAndStop("second start", ...flags)

  const printedOnce = await capture.startAndStop("first start without a file", "--data", join(home, "printed"))
  if (printedOnce.length !== 2) throw new Error(`the first start printed ${printedOnce.length} credentials, not 2`)

  const command = (...args: ReadonlyArray<string>) =>
    capture.run(args.join(" "), script, {
      args: [...args, "--data", data],
      succeeds: true,
      shows: (stdout) => capture.minted(args.join(" "), stdout)
    })
  await command("export")
  await command("key", "list")
  await command("token", "list")
  await command("key", "create", "--admin")
  await command("token", "create", "--name", "another")
  await command("export")
  canaries.addDirectory("data directory after the first start", data)

  const environment = makeEnvironment(canaries)
  const snapshot = join(home, "snapshot.json")
  writeFileSync(snapshot, environment.snapshot)
  await capture.startAndStop("import", "--data", data, "--import", snapshot)
  for (const flags of [[], ["--with-secrets"]]) {
    const args = ["export", "--data", data, ...flags]
    await capture.run(`export of pipes ${flags.join()}`, script, { args, succeeds: true })
  }
  canaries.addDirectory("data directory after an import", data)
}

const hash = credentialHash("x")
const validHash = hashData("x", "x")
const organizationWith = (fields: object) => ({ organizations: [{ id: ids.organization, name: "x", ...fields }] })
const keyWith = (fields: object) =>
  organizationWith({ keys: [{ name: "x", roles: [], hashData: validHash, ...fields }] })
const pipeWith = (fields: object) => organizationWith({ services: [{ id: ids.service, name: "x", pipes: [fields] }] })

/** Snapshots that cannot be imported, each with a canary in the wrong place. */
const badSnapshots: Readonly<Record<string, (secret: string) => unknown>> = {
  "a key's secret": (secret) => keyWith({ keySecret: secret }),
  "a secret for its hash": (secret) => keyWith({ hashData: { ...validHash, keySecretHash: secret } }),
  "a key ID for its hash": (secret) => keyWith({ hashData: { ...validHash, keyIdHash: secret } }),
  "a secret for hashData": (secret) => keyWith({ hashData: secret }),
  "a secret for a role": (secret) => keyWith({ roles: [secret] }),
  "a secret for an expiry": (secret) => keyWith({ expireAt: secret }),
  "a secret for an address": (secret) => keyWith({ ipAccessList: [{ source: secret }] }),
  "a token for its hash": (secret) => organizationWith({ tokens: [{ name: "x", tokenHash: secret }] }),
  "a token beside its hash": (secret) => organizationWith({ tokens: [{ name: "x", tokenHash: hash, token: secret }] }),
  "a token for a name": (secret) => organizationWith({ tokens: [{ name: secret.repeat(20), tokenHash: hash }] }),
  "a secret for an organization": (secret) => ({ organizations: [secret] }),
  "a secret for the document": (secret) => secret,
  "a connectionString in a list": (connectionString) =>
    pipeWith({
      id: ids.pipe,
      serviceId: ids.service,
      name: "x",
      state: "x",
      source: { objectStorage: { connectionString: [connectionString] } }
    }),
  "a connectionString in a bad pipe": (connectionString) =>
    pipeWith({ source: { objectStorage: { connectionString } } })
}

/** Files that a server cannot read: the error names the problem, not the content. */
export const badFiles = async (capture: Capture): Promise<void> => {
  const { server: script } = capture
  const home = capture.directory()
  const file = (name: string, content: string) => {
    const path = join(home, name)
    writeFileSync(path, content)
    return path
  }
  const failToStart = (name: string, ...flags: ReadonlyArray<string>) =>
    capture.run(name, script, { args: ["--memory", "--port", "0", ...flags, ...verbose] })
  const failToImport = (name: string, path: string) => failToStart(`import of ${name}`, "--import", path)
  await capture.parallel(
    Object.entries(badSnapshots).map(([name, make], index) => {
      const path = file(`snapshot-${index}.json`, JSON.stringify(make(capture.secret(`import: ${name}`))))
      return () => failToImport(name, path)
    })
  )
  await failToImport(
    "no JSON",
    file("cut.json", `{"organizations":[{"keySecret":"${capture.secret("import: no JSON")}`)
  )
  mkdirSync(join(home, "folder"))
  await failToImport("a folder", join(home, "folder"))
  await failToImport("no file", join(home, "absent.json"))
  const credentials = file("credentials.json", `[{"keySecret":"${capture.secret("a broken credentials file")}"`)
  await failToStart("a broken credentials file", "--credentials-file", credentials)
  const data = join(home, "data")
  mkdirSync(data)
  chmodSync(data, 0o700)
  writeFileSync(join(data, "headgate.sqlite"), capture.secret("a file that is not a database").repeat(100))
  await capture.run("a broken database", script, { args: ["export", "--data", data, ...verbose] })
}

/** A TCP server in place of a database. */
const listen = async (answer: (socket: Socket, received: Buffer) => void) => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.on("data", (received) => answer(socket, received))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // of a TCP server that listens
  return { port, close: () => server.close() }
}

/** Postgres's answer to a wrong password, with an echo of all that it received. */
const authenticationFailed = (received: Buffer): Buffer => {
  const text = `SFATAL\0C28P01\0Mpassword authentication failed: ${received.toString("latin1")}\0\0`
  const fields = Buffer.from(text, "latin1")
  const length = Buffer.alloc(4)
  length.writeUInt32BE(fields.length + 4)
  return Buffer.concat([Buffer.from("E"), length, fields])
}

const cleartextPasswordRequest = Buffer.from("520000000800000003", "hex")

/** Databases that cannot be opened: their URLs hold passwords. */
export const badUrls = async (capture: Capture): Promise<void> => {
  const rejecting = await listen((socket, received) => socket.end(authenticationFailed(received)))
  const asking = await listen((socket, received) =>
    received[0] === "p".charCodeAt(0)
      ? socket.end(authenticationFailed(received))
      : socket.write(cleartextPasswordRequest)
  )
  const databases: Readonly<Record<string, (password: string) => string>> = {
    "nothing listens": (password) => `postgres://user:${password}@127.0.0.1:1/db`,
    "a server that rejects": (password) => `postgres://user:${password}@127.0.0.1:${rejecting.port}/db`,
    "a server that requests the password": (password) => `postgres://user:${password}@127.0.0.1:${asking.port}/db`,
    "an unknown host": (password) => `postgres://user:${password}@headgate.invalid/db`,
    "a password in the query": (password) => `postgres://127.0.0.1:1/db?user=u&password=${password}`,
    "a port that is not a number": (password) => `postgres://user:${password}@127.0.0.1:port/db`,
    "another scheme": (password) => `mysql://user:${password}@127.0.0.1:1/db`,
    "a password with a slash": (password) => `postgres://user:${password}/x@127.0.0.1:1/db`,
    "not a URL": (password) => password,
    "a URL in quotes": (password) => `"postgres://user:${password}@127.0.0.1:1/db"`
  }
  const serve = ["--port", "0"]
  const attempts = (name: string, command: ReadonlyArray<string>, url: (password: string) => string) => {
    const where = `--database-url, ${name}, headgate-server ${command.join(" ")}`
    const args = [...command, ...verbose]
    const byFlag = url(capture.secret(`${where}, as a flag`))
    const byVariable = url(capture.secret(`${where}, as a variable`))
    return [
      () => capture.run(where, capture.server, { args: [...args, "--database-url", byFlag] }),
      () => capture.run(`${where}, as a variable`, capture.server, { args, env: { HEADGATE_DATABASE_URL: byVariable } })
    ]
  }
  await capture.parallel(
    Object.entries(databases).flatMap(([name, url], index) =>
      [serve, index % 2 === 0 ? ["export"] : ["token", "list"]].flatMap((command) => attempts(name, command, url))
    )
  )
  for (const { close } of [rejecting, asking]) close()
}

/** Wrong command lines of headgate-server with a canary in them. */
export const badCommandLines = async (capture: Capture): Promise<void> => {
  const url = (password: string) => `postgres://user:${password}@127.0.0.1:1/db`
  const lines: Readonly<Record<string, (secret: string) => ReadonlyArray<string>>> = {
    "two stores": (secret) => ["--database-url", url(secret), "--memory"],
    "an unknown flag": (secret) => ["--database-url", url(secret), "--bogus"],
    "a misspelt flag": (secret) => ["--databse-url", url(secret)],
    "a misspelt flag with =": (secret) => [`--databse-url=${url(secret)}`],
    "a flag of the client": (secret) => ["--key-secret", secret],
    "a bad flag beside it": (secret) => ["--database-url", url(secret), "--port", "many"],
    "a flag twice": (secret) => ["--database-url", url(secret), "--database-url", url(secret)],
    "a secret with a command": (secret) => ["token", "create", "--name", "x", "--secret", secret],
    "an unknown command": (secret) => ["--database-url", url(secret), "bogus"]
  }
  await capture.parallel(
    Object.entries(lines).map(([name, line]) => {
      const args = [...line(capture.secret(`command line of the server: ${name}`)), ...verbose]
      return () => capture.run(`headgate-server, ${name}`, capture.server, { args })
    })
  )
}
