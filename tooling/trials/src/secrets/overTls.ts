import { writeFileSync } from "node:fs"
import { request } from "node:https"
import { connect as connectPlain } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { connect } from "node:tls"
import { generate } from "selfsigned"
import { startServer } from "../server/ServerProcess.ts"
import { bytesOf } from "./ask.ts"
import { mintedIn } from "./markedServer.ts"
import { runAndKeep } from "./run.ts"
import type { Stage } from "./Stage.ts"
import { makeMarkedWorld, pipePath } from "./world.ts"

const noKey = (secret: string) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`

const overHttps = (url: string, authorization: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request(
      `${url}${pipePath()}`,
      { headers: { authorization }, rejectUnauthorized: false },
      (answer) => {
        const chunks: Array<Buffer> = []
        answer.on("data", (chunk: Buffer) => chunks.push(chunk))
        answer.on("end", () => resolve(`${answer.statusCode} ${Buffer.concat(chunks).toString("utf8")}`))
      }
    )
    asked.once("error", reject)
    asked.end()
  })

const closed = (socket: { once: (event: "close", listener: () => void) => unknown }) =>
  new Promise<void>((resolve) => socket.once("close", resolve))

/** Handshakes and requests that break, each with credentials on the wire. */
const broken = async (url: string, bytes: Buffer): Promise<void> => {
  const { hostname: host, port } = new URL(url)
  const plain = connectPlain({ host, port: Number(port) }, () => plain.write(bytes))
  plain.on("error", () => undefined)
  plain.resume()
  await closed(plain)
  const doubting = connect({ host, port: Number(port) }, () => doubting.write(bytes))
  // The certificate is nobody's: this client goes away.
  doubting.on("error", () => undefined)
  await closed(doubting)
  for (const part of [bytes.subarray(0, 100), bytes]) {
    const torn = connect({ host, port: Number(port), rejectUnauthorized: false })
    torn.on("error", () => undefined)
    await new Promise((resolve) => torn.once("secureConnect", resolve))
    await new Promise((resolve) => torn.write(part, resolve))
    torn.destroy()
  }
  await sleep(300)
}

/** Secrets over TLS that breaks, and in certificate files that are none. */
export const overTls = async (stage: Stage): Promise<void> => {
  const { cli, directory, marks, search, server: script } = stage
  const home = directory()
  const [cert, key, snapshot] = ["cert.pem", "key.pem", "snapshot.json"].map((name) => join(home, name))
  if (cert === undefined || key === undefined || snapshot === undefined) throw new Error("three names are three paths")
  const { cert: certificate, private: privateKey } = await generate([{ name: "commonName", value: "localhost" }], {
    keySize: 2048
  })
  const world = makeMarkedWorld(marks)
  writeFileSync(snapshot, world.snapshot)
  writeFileSync(cert, certificate)
  writeFileSync(key, privateKey)
  const inKey = marks.know("the private key", (privateKey.split("\n")[5] ?? "").slice(0, 48))
  const flags = ["--memory", "--tls-cert", cert, "--tls-key", key, "--import", snapshot, "--log-level", "all"]
  const server = await startServer(script, ...flags)
  const { authorization } = world.keys.admin
  search.add("answer over TLS", await overHttps(server.url, authorization), [world.connectionString])
  await broken(server.url, bytesOf({ name: "torn", method: "GET", path: pipePath(), authorization, status: 200 }))

  await runAndKeep(stage, "headgate pipe get, certificate not trusted", cli, {
    args: ["pipe", "get", "44444444-4444-4444-8444-444444444444", "--log-level", "all", "--max-retries", "0"],
    env: {
      HEADGATE_URL: server.url,
      HEADGATE_ORGANIZATION: "11111111-1111-4111-8111-111111111111",
      HEADGATE_SERVICE: "33333333-3333-4333-8333-333333333333",
      HEADGATE_KEY_ID: world.keys.admin.keyId,
      HEADGATE_KEY_SECRET: world.keys.admin.secret.value
    }
  })

  // Read again on SIGHUP: what is wrong with the file is logged, not what stands in it.
  for (const content of [noKey(marks.plant("a key file that is none, on SIGHUP").value), privateKey.slice(0, -200)]) {
    writeFileSync(key, content)
    process.kill(server.pid, "SIGHUP")
    await sleep(300)
  }
  const { stderr, stdout } = await server.stop()
  if (!`${stdout}${stderr}`.includes("the old one is kept"))
    throw new Error("the server has not read its key file again")
  search.add("server over TLS, stdout", stdout)
  search.add("server over TLS, stderr", stderr, mintedIn(stage, "the server over TLS", stderr))

  const inFile = marks.plant("a key file that is none, at the start").value
  for (const content of [noKey(inFile), inFile]) {
    writeFileSync(key, content)
    await runAndKeep(stage, "a start with a key file that is none", script, { args: ["--port", "0", ...flags] })
  }
  if (inKey.value === "") throw new Error("the private key is empty")
}
