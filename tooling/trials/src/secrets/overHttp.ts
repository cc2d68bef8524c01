import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { basic, credentialHash } from "../load/World.ts"
import { ask, bytesOf, type Question } from "./ask.ts"
import { provokeFaults } from "./faults.ts"
import { endMarked, type MarkedServer, startMarked } from "./markedServer.ts"
import { badBodies, failingLogins, refusals } from "./questions.ts"
import type { Stage } from "./Stage.ts"
import { dashboardsPath, keysPath, pipePath } from "./world.ts"

type Asked = Omit<Question, "authorization" | "status">

const createdSecret = (body: any): string => String(body?.result?.keySecret)

const successes = async (stage: Stage, { server, where, world }: MarkedServer): Promise<void> => {
  const { bearer, connectionString, keys } = world
  const asAdmin = keys.admin.authorization
  const succeed = (authorization: string, asked: Asked) =>
    ask(stage, where, server.url, { ...asked, authorization, status: 200 })
  const readPipe = { name: "pipe.get", method: "GET", path: pipePath(), shows: () => [connectionString] }
  await succeed(asAdmin, readPipe)
  await succeed(bearer, { name: "dashboard.create", method: "POST", path: dashboardsPath, body: { name: "x" } })
  await succeed(bearer, { name: "dashboard.list", method: "GET", path: dashboardsPath })
  // A secret in a field that nobody asked for is kept by nobody.
  const unasked = stage.marks.plant("keySecret that was sent with a new key").value
  await succeed(asAdmin, {
    name: "key.create",
    method: "POST",
    path: keysPath(),
    body: { name: "x", roles: ["admin"], keySecret: unasked },
    shows: (body) => [stage.marks.know("secret of a new key", createdSecret(body))]
  })
  const chosen = stage.marks.plant("secret of a key whose hashes alone were sent").value
  const hashData = { keyIdHash: credentialHash("chosen"), keyIdSuffix: "osen", keySecretHash: credentialHash(chosen) }
  const body = { name: "x", roles: ["admin"], hashData }
  await succeed(asAdmin, { name: "key.create by hash", method: "POST", path: keysPath(), body })
  await succeed(basic("chosen", chosen), readPipe)
}

/** Requests whose connection is torn: in the middle of the head, of the body, and before the answer. */
const tornConnections = async ({ marks }: Stage, { server, world }: MarkedServer): Promise<void> => {
  const { hostname, port } = new URL(server.url)
  const inBody = marks.plant("text of a body that was cut off").value
  const whole = bytesOf({
    name: "torn",
    method: "POST",
    path: keysPath(),
    authorization: world.keys.admin.authorization,
    body: { name: "", text: inBody },
    status: 400
  })
  for (const bytes of [whole.subarray(0, 150), whole.subarray(0, -10), whole]) {
    const socket = connect({ host: hostname, port: Number(port) })
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject))
    await new Promise((resolve) => socket.write(bytes, resolve))
    socket.resetAndDestroy()
  }
  // Until the server has noticed.
  await sleep(300)
}

/** All of it, at one log level. */
const atLevel = async (stage: Stage, flags: ReadonlyArray<string>): Promise<void> => {
  const marked = await startMarked(stage, ["server", ...flags].join(" "), "--login-limit", "off", ...flags)
  const { server, where, world } = marked
  await successes(stage, marked)
  for (const question of [
    ...failingLogins(stage.marks, world),
    ...refusals(stage.marks, world),
    ...badBodies(stage.marks, world)
  ]) {
    await ask(stage, where, server.url, question)
  }
  await tornConnections(stage, marked)
  const faults = await provokeFaults(stage, marked)
  const logged = (await endMarked(stage, marked)).split("a request failed").length - 1
  if (logged !== faults)
    throw new Error(`${where}: ${faults} requests failed, ${logged} were logged: what would be searched?`)
}

/** Callers who have used up what they may: 429. */
const tooMany = async (stage: Stage): Promise<void> => {
  const marked = await startMarked(
    stage,
    "server with limits",
    "--login-limit",
    "1/h",
    "--rate-limit",
    "1/h",
    "--log-level",
    "all"
  )
  const { server, where, world } = marked
  const guess = basic("nobody", stage.marks.plant("guess beyond the limit").value)
  const asked = { name: "pipe.get", method: "GET", path: pipePath() }
  const listed = { name: "dashboard.list", method: "GET", path: dashboardsPath }
  const { authorization } = world.keys.admin
  await ask(stage, where, server.url, { ...asked, authorization, status: 200, shows: () => [world.connectionString] })
  await ask(stage, where, server.url, { ...asked, authorization, status: 429 })
  await ask(stage, where, server.url, { ...listed, authorization: world.bearer, status: 200 })
  await ask(stage, where, server.url, { ...listed, authorization: world.bearer, status: 429 })
  await ask(stage, where, server.url, { ...asked, authorization: guess, status: 401 })
  await ask(stage, where, server.url, { ...asked, authorization: guess, status: 429 })
  await endMarked(stage, marked)
}

/** Marked secrets through every operation and every failure of a server that runs. */
export const overHttp = async (stage: Stage): Promise<void> => {
  for (const flags of [[], ["--log-level", "all"]]) await atLevel(stage, flags)
  await tooMany(stage)
}
