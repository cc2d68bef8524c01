// Every credential that a caller may store, in every request that stores it.
import { answeredSecretFields, credentialFields, pipeSourceKinds } from "@headgate/core/adapter"
import { contractOperations, pathFor } from "@headgate/harness/contractOperations"
import { jsonOf } from "@headgate/harness/answerShape"
import { withPostgres } from "@headgate/harness/withPostgres"
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { pipeRequests } from "../../../../packages/conformance/src/fixtures/pipeRequests.ts"
import type { Canary } from "./Canaries.ts"
import type { CanaryServer, Stage } from "./Stage.ts"
import { storeUnknown } from "./unknownFields.ts"
import { ids, theKeys } from "./world.ts"

const secretFields = [...credentialFields, ...answeredSecretFields]

/** The path of an operation by its name, such as `pipe.get`. */
export const pathOf = (name: string, id: string = ids.unknown): string => {
  const operation = contractOperations().find((each) => each.name === name)
  if (operation === undefined) throw new Error(`there is no operation ${name}`)
  return pathFor(operation, { id: ids.organization, serviceId: ids.service }, id)
}

/** A request for a pipe whose every credential is a canary. */
interface MarkedPipe {
  readonly body: any
  /** The fields that have canaries. */
  readonly fields: ReadonlyArray<string>
  /** The canaries that answers hold. */
  readonly answered: ReadonlyArray<Canary>
}

const markPipe = ({ canaries }: Stage, where: string, request: object): MarkedPipe => {
  const body: any = structuredClone(request)
  const fields: Array<string> = []
  const answered: Array<Canary> = []
  for (const path of secretFields) {
    const names = path.split(".")
    const field = names.pop() ?? ""
    const parent = names.reduce((part, name) => part?.[name], body.source)
    const held: unknown = parent?.[field]
    if (held === undefined || held === null || held === "") continue
    const mark = (name: string): string => {
      const canary = canaries.plant(`${where}, ${path}${name}`)
      if (answeredSecretFields.includes(path)) answered.push(canary)
      return canary.value
    }
    parent[field] =
      typeof held === "string"
        ? mark("")
        : Object.fromEntries(Object.keys(held).map((name) => [name, mark(`.${name}`)]))
    fields.push(path)
  }
  return { body, fields, answered }
}

/** The members of the source of a marked pipe that hold its credentials. */
const changesOf = ({ body, fields }: MarkedPipe) => {
  const kind = pipeSourceKinds.find((each) => body.source[each]) ?? "kafka"
  const members = fields.map((path) => path.split(".")[1] ?? "")
  return { source: { [kind]: Object.fromEntries(members.map((member) => [member, body.source[kind][member]])) } }
}

/** Creates, changes, reads and rejects a pipe of every source and authentication method. */
const storePipes = async (stage: Stage, { server, where, world }: CanaryServer): Promise<void> => {
  const { authorization } = world.keys.admin
  const marked = new Set<string>()
  const present: Array<Canary> = [world.connectionString]
  for (const [name, request] of Object.entries(pipeRequests)) {
    const mark = (how: string) => markPipe(stage, `${name}, ${how}`, request)
    const send = (how: string, fields: Parameters<Stage["send"]>[2]) =>
      stage.send(where, server.url, { ...fields, name: `pipe ${name}, ${how}`, authorization })
    const created = mark("created")
    for (const field of created.fields) marked.add(field)
    const creation = {
      name,
      method: "POST",
      path: pathOf("pipe.create"),
      body: created.body,
      headers: [["idempotency-key", randomUUID()]] as const,
      status: 200,
      shows: () => created.answered
    }
    const first = await send("created", creation)
    await send("created again with its key", creation)
    const path = pathOf("pipe.get", jsonOf(first).result.id)
    const changed = mark("changed")
    const changes = {
      name,
      method: "PATCH",
      path,
      body: changesOf(changed),
      status: 200,
      shows: () => changed.answered
    }
    await send("changed", changes)
    await send("read", { name, method: "GET", path, status: 200, shows: () => changed.answered })
    present.push(...changed.answered)
    const rejected = { ...mark("rejected").body, name: "" }
    await send("rejected", { name, method: "POST", path: pathOf("pipe.create"), body: rejected, status: 400 })
    const wrong = { ...changesOf(mark("rejected change")), name: "" }
    await send("rejected change", { name, method: "PATCH", path, body: wrong, status: 400 })
    const { source } = mark("discovered").body
    // 400 for the source of a database pipe.
    const discovery = {
      name: `pipe ${name}, discovered`,
      method: "POST",
      path: pathOf("pipe.discoverSchema"),
      body: { source }
    }
    const { status } = await stage.sendAny(where, server.url, { ...discovery, authorization })
    if (status !== 200 && status !== 400) throw new Error(`${where}, ${discovery.name}: ${status}`)
  }
  const list = { name: "pipe.list", method: "GET", path: pathOf("pipe.list"), authorization, status: 200 }
  await stage.send(where, server.url, { ...list, shows: () => present })
  const unmarked = secretFields.filter((field) => !marked.has(field))
  if (unmarked.length > 0) throw new Error(`no request for a pipe has a value for ${unmarked.join()}`)
}

const storeConnections = async (stage: Stage, { server, where, world }: CanaryServer): Promise<void> => {
  const send = (name: string, method: string, path: string, status: number, fields: object = {}) =>
    stage.send(where, server.url, { name, method, path, status, authorization: world.bearer, ...fields })
  const body = (how: string) => ({ name: "x", host: "https://x.test", password: stage.secret(`connection, ${how}`) })
  const create = pathOf("connection.create")
  const created = await send("connection created", "POST", create, 200, { body: body("created") })
  const path = pathOf("connection.get", jsonOf(created).data.id)
  await send("connection changed", "PUT", path, 200, { body: body("changed") })
  await send("connection read", "GET", path, 200)
  await send("connection list", "GET", create, 200)
  const inHost = `https://u:${stage.secret("connection, in its URL")}@x.test`
  await send("connection rejected", "POST", create, 400, { body: { ...body("rejected"), host: inHost } })
}

const storeWebhooks = async (stage: Stage, { server, where, world }: CanaryServer): Promise<void> => {
  const send = (name: string, method: string, path: string, status: number, fields: object = {}) =>
    stage.send(where, server.url, { name, method, path, status, authorization: world.bearer, ...fields })
  const body = (how: string) => {
    const url = stage.canaries.plant(`URL of a webhook, ${how}`)
    const headers = { authorization: `Bearer ${stage.secret(`header of a webhook, ${how}`)}` }
    const queryParams = { token: stage.secret(`query of a webhook, ${how}`) }
    return { body: { name: "x", url: `https://hooks.test/${url.value}`, headers, queryParams }, shows: () => [url] }
  }
  const created = body("created")
  const list = pathOf("webhook.list")
  const answer = await send("webhook created", "POST", list, 200, created)
  const path = pathOf("webhook.get", jsonOf(answer).data.id)
  await send("webhook read", "GET", path, 200, { shows: created.shows })
  const changed = body("changed")
  await send("webhook changed", "PUT", path, 200, changed)
  await send("webhook list", "GET", list, 200, { shows: changed.shows })
  await send("webhook rejected", "POST", list, 400, { body: { ...body("rejected").body, name: "" } })
}

/** A key whose creation is repeated: both answers have the secret, and the store keeps neither. */
const storeKey = async (stage: Stage, { server, where, world }: CanaryServer): Promise<void> => {
  const known: Array<Canary> = []
  const request = {
    name: "key.create with an idempotency key",
    method: "POST",
    path: theKeys,
    authorization: world.keys.admin.authorization,
    headers: [["idempotency-key", randomUUID()]] as const,
    body: { name: "x", roles: ["admin"] },
    status: 200,
    shows: (answer: any) => {
      if (known.length === 0) {
        known.push(stage.canaries.know("secret of a key that is created twice", String(answer?.result?.keySecret)))
      }
      return known
    }
  }
  for (let times = 0; times < 2; times++) await stage.send(where, server.url, request)
}

/** Exports and other commands over the store, and what other users of the machine see of the server. */
export const showStore = async (stage: Stage, { server, store, where }: CanaryServer): Promise<void> => {
  const { canaries, server: script } = stage
  const commands = [
    ["export"],
    ["export", "--with-secrets"],
    ["organization", "list", "--json"],
    ["service", "list", "--organization", ids.organization],
    ["key", "list", "--json", "--organization", ids.organization]
  ]
  for (const command of commands) {
    const args = [...command, ...store, "--log-level", "all"]
    await stage.run(`${where}, headgate-server ${command.join(" ")}`, script, { args, succeeds: true })
  }
  const metrics = await fetch(`${server.url}/metrics`)
  canaries.add(`${where}, /metrics`, await metrics.text())
  canaries.add(`${where}, arguments in the process list`, readFileSync(`/proc/${server.pid}/cmdline`))
}

/** Stores a canary as every credential that a caller may store, and keeps everything that shows of them. */
export const storeSecrets = async (stage: Stage, started: CanaryServer): Promise<void> => {
  await storePipes(stage, started)
  await storeConnections(stage, started)
  await storeWebhooks(stage, started)
  await storeKey(stage, started)
  await storeUnknown(stage, started, false)
  await showStore(stage, started)
}

/** Every credential in a store over Postgres, and a dump of the database. */
export const overPostgres = (stage: Stage): Promise<void> =>
  withPostgres(async (url) => {
    const started = await stage.startServer("server over Postgres", ["--log-level", "all"], url)
    await storeSecrets(stage, started)
    stage.canaries.add("dump of Postgres", execFileSync("pg_dump", [url], { maxBuffer: 64 * 1024 * 1024 }))
    await stage.stopServer(started)
  })
